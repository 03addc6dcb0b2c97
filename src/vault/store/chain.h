/* The chain that holds the ledger together: each entry's hash covers the hash before it.
 *
 *     hash(0) = 32 bytes of 0
 *     hash(i) = SHA-256(hash(i-1) || bytes(i)),   i the generation, from 1 on
 *
 * So the last hash stands for every entry and for their order and number: whoever keeps it can
 * tell whether a ledger that is shown later continues the one that was seen.
 *
 * Claim  chain.binds  no entry can be changed, left out, added or moved without another head
 */
#ifndef SC_VAULT_CHAIN_H
#define SC_VAULT_CHAIN_H

#include "base/digest.h"

typedef struct sc_chain {
    uint64_t generation; /* of the last entry; 0: none */
    sc_digest head;
} sc_chain;

void sc_chain_init(sc_chain *chain);
/* The chain with one entry more; next may be chain itself. */
SCRIM_MUST_USE scrim_status sc_chain_extend(const sc_chain *chain, sc_digester *digester,
                                            sc_text bytes, sc_chain *next,
                                            scrim_error *error);
bool sc_chain_equal(const sc_chain *a, const sc_chain *b);

/* "GENERATION HASH", for a witness. */
#define SC_CHAIN_TEXT_BYTES (20 + 1 + SC_DIGEST_TEXT_BYTES)
void sc_chain_format(const sc_chain *chain, char text[SC_CHAIN_TEXT_BYTES]);
bool sc_chain_parse(sc_text text, sc_chain *out);

#endif
