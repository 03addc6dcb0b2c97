/* Where a ledger is kept. A store appends entries, keeps the head of their chain, the totals
 * and the answers beside them, and makes all of it durable at once; it knows nothing of what
 * they say. Beside them it keeps secrets of 32 bytes, which belong to the vault and are never
 * exported: keys by name, and the key of each release that was charged and has no answer yet.
 *
 * All functions but close belong between begin and commit or rollback. A store is used by one
 * thread at a time; several stores, in one process or in many, may stand on the same file.
 *
 * Every function can fail with SCRIM_E_CHECK (the store is damaged, or is not a store of ours) and with
 * SCRIM_E_LEDGER (it cannot be reached, read or written just now).
 *
 * Claim  store.atomic   what was appended between begin and commit is kept as a whole when commit
 *                       has succeeded, and not at all otherwise, whatever ends the process or the
 *                       power; but for a commit that has failed or was cut short, of which either
 *                       may be true
 * Claim  store.alone    from a begin for writing to its end nobody else can append
 */
#ifndef SC_VAULT_STORE_H
#define SC_VAULT_STORE_H

#include "base/digest.h"
#include "vault/state/book.h"

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

/* The total that one analyst has spent of one population's budget; amounts are exact text. */
typedef struct sc_total {
    uint64_t population, analyst, charges;
    sc_text amount, delta;
} sc_total;

/* A release that is charged and not answered: the digests of its question and of what is drawn for
 * it, and the key of its noise. */
typedef struct sc_pending {
    sc_digest question, parts, key;
} sc_pending;

typedef scrim_status sc_store_entry_visitor(void *context, const sc_chain *at,
                                            sc_text bytes, scrim_error *error);
typedef scrim_status sc_store_total_visitor(void *context, const sc_total *total,
                                            scrim_error *error);

typedef struct sc_store sc_store;

typedef struct sc_store_functions {
    /* SCRIM_E_BUSY when the lock is not to be had in time. Nobody else commits until the end. */
    scrim_status (*begin)(sc_store *store, bool writing, scrim_error *error);
    /* Durable when it returns SCRIM_OK. SCRIM_E_BUSY when readers did not end in time: nothing was
     * kept, and the store goes on. */
    scrim_status (*commit)(sc_store *store, scrim_error *error);
    void (*rollback)(sc_store *store);

    /* The contents were put back after a commit that was cut short: nothing of them is believed before
     * all of it was verified, and is_verified called, in a transaction. */
    bool (*must_verify)(sc_store *store);
    void (*is_verified)(sc_store *store);
    /* SCRIM_E_CHECK unless head, policy and totals are those that were written together; where it
     * takes little time, also when the store's own format is damaged. */
    scrim_status (*check_seal)(sc_store *store, scrim_error *error);

    scrim_status (*head)(sc_store *store, sc_chain *out, scrim_error *error);
    /* Entry at->generation, whose hash, the new head, is at->head. */
    scrim_status (*append)(sc_store *store, const sc_chain *at, bool is_policy,
                           sc_text bytes, scrim_error *error);
    scrim_status (*put_total)(sc_store *store, const sc_total *total, scrim_error *error);
    /* Removes what is pending for that charge. SCRIM_E_INTERNAL when it is answered already. */
    scrim_status (*put_answer)(sc_store *store, uint64_t charge,
                               const sc_digest *question, sc_text answer,
                               scrim_error *error);
    /* A secret of that name, which replaces the one before it. */
    scrim_status (*put_secret)(sc_store *store, const char *name, const sc_digest *secret,
                               scrim_error *error);
    /* The key of a release that is charged and not answered, and what finds it again. */
    scrim_status (*put_pending)(sc_store *store, uint64_t charge,
                                const sc_pending *pending, scrim_error *error);
    /* Counts a refusal; they are not kept one by one. */
    scrim_status (*put_refusal)(sc_store *store, scrim_error *error);

    /* Entries from a generation on, or the policy among them, in order, until the visitor
     * fails. */
    scrim_status (*entries)(sc_store *store, uint64_t from, bool policy_only,
                            sc_store_entry_visitor *visit, void *context,
                            scrim_error *error);
    scrim_status (*totals)(sc_store *store, sc_store_total_visitor *visit, void *context,
                           scrim_error *error);
    /* The answer to a charge, freed by sc_free; NULL when it has no answer. question, unless it
     * is NULL, is set to that by which it is found. */
    scrim_status (*answer)(sc_store *store, uint64_t charge, sc_digest *question,
                           char **out, scrim_error *error);
    /* The first charge that was answered for a question; 0 when no charge was. */
    scrim_status (*find)(sc_store *store, const sc_digest *question, uint64_t *charge,
                         scrim_error *error);
    /* is_there tells whether there is a secret of that name. */
    scrim_status (*secret)(sc_store *store, const char *name, sc_digest *out,
                           bool *is_there, scrim_error *error);
    /* The first unanswered charge for the question and the parts of pending, whose key is set; 0
     * when no charge is pending for them. */
    scrim_status (*find_pending)(sc_store *store, sc_pending *pending, uint64_t *charge,
                                 scrim_error *error);
    /* is_there tells whether a charge is pending, and question is then what finds it. */
    scrim_status (*pending)(sc_store *store, uint64_t charge, sc_digest *question,
                            bool *is_there, scrim_error *error);
    /* The next pending charge behind that one, 0 after the last. */
    scrim_status (*next_pending)(sc_store *store, uint64_t *charge, scrim_error *error);
    /* The next answered charge behind that one, 0 after the last. */
    scrim_status (*next_answer)(sc_store *store, uint64_t *charge, scrim_error *error);
    scrim_status (*answer_count)(sc_store *store, uint64_t *out, scrim_error *error);
    scrim_status (*refusals)(sc_store *store, uint64_t *out, scrim_error *error);
    /* Checks the store's own format: SCRIM_E_CHECK when it is damaged. Takes time. */
    scrim_status (*inspect)(sc_store *store, scrim_error *error);
    void (*close)(sc_store *store);
} sc_store_functions;

struct sc_store {
    const sc_store_functions *functions;
};

/* The private key of a vault's labels, as a secret of its store.
 *
 * Claim  store-key.fits  a private key is read as right exactly where the book names its public half,
 *                        or where there is neither
 */

/* Draws a private key, keeps it in the transaction that is under way, and gives the public one, which
 * belongs into an entry of the same transaction. */
SCRIM_MUST_USE scrim_status sc_store_key_draw(sc_store *store, sc_digest *key,
                                              scrim_error *error);
/* The private key. *is_right: it is that of the book's public one, or there is neither. The caller
 * wipes out, also on failure. */
SCRIM_MUST_USE scrim_status sc_store_key_read(sc_store *store, const sc_book *book,
                                              sc_digest *out, bool *is_right,
                                              scrim_error *error);

#endif
