/* The witness: a small file elsewhere that remembers the head of the ledger, so that a vault
 * that was put back to an earlier state is noticed.
 *
 *     scrim-witness 1
 *     IDENTITY
 *     GENERATION HASH
 *
 * Claim  witness.forward  a witness is replaced as a whole, durably, and only by a later
 *                         generation, whoever else writes it at the same time
 */
#ifndef SC_VAULT_WITNESS_H
#define SC_VAULT_WITNESS_H

#include "vault/chain.h"

typedef struct sc_witness {
    sc_digest identity; /* of the vault */
    sc_chain chain;
} sc_witness;

/* SCRIM_E_LEDGER when the file is missing or is no witness. */
SCRIM_MUST_USE scrim_status sc_witness_read(const char *path, sc_witness *out,
                                            scrim_error *error);
/* Writes it unless the file holds this generation or a later one. is_new: there must be no such
 * file yet. SCRIM_E_BUSY when somebody else is at it for longer than wait_ms. */
SCRIM_MUST_USE scrim_status sc_witness_write(const char *path, const sc_witness *witness,
                                             bool is_new, int wait_ms,
                                             scrim_error *error);

#endif
