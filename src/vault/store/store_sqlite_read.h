/* Reading a store: its entries, answers and secrets, and the seal over what is read at opening. */
#ifndef SC_VAULT_STORE_SQLITE_READ_H
#define SC_VAULT_STORE_SQLITE_READ_H

#include "vault/store/store.h"
#include "vault/store/store_sqlite_call.h"

#include <sqlite3.h>

/* The seal of a store: what is read of it at opening, in one digest.
 *
 * The seal is the exclusive or of the SHA-256 of three kinds of text: the head, each entry of policy
 * and each total. It is kept in a row of its own, changed in the same transaction as they are, and
 * computed again when a vault is opened. After a commit that was cut short and whose journal is
 * lost, a file may hold pages from before and from after it; such a mixture does not have the seal
 * of its parts. It has no key: it finds accidents, not people.
 *
 * Claim  seal.together  a head, a policy and totals that were not written by the same commits, one of
 *                       them missing or one changed, are SCRIM_E_CHECK
 */

/* Adds one part to a seal, or takes it out again. */
SCRIM_MUST_USE scrim_status sc_seal_head(sc_digester *digester, const sc_chain *head,
                                         sc_digest *seal, scrim_error *error);
SCRIM_MUST_USE scrim_status sc_seal_policy(sc_digester *digester, uint64_t entry,
                                           sc_text bytes, sc_digest *seal,
                                           scrim_error *error);
SCRIM_MUST_USE scrim_status sc_seal_total(sc_digester *digester, const sc_total *total,
                                          sc_digest *seal, scrim_error *error);
void sc_seal_join(sc_digest *seal, const sc_digest *other);

/* From the tables, in the transaction that is under way. */
SCRIM_MUST_USE scrim_status sc_seal_compute(sqlite3 *database, sc_digester *digester,
                                            sc_digest *out, scrim_error *error);
/* Computes and writes the row of the seal, for a store that lacks it. */
SCRIM_MUST_USE scrim_status sc_seal_begin(sqlite3 *database, scrim_error *error);

/* Reading a store of SQLite: the functions of sc_store that write nothing. Each is
 * one statement, which is put back when its rows were taken. */

/* The first members of every store of SQLite. */
typedef struct sc_sqlite_reader {
    sc_store store;
    sc_statements calls;
} sc_sqlite_reader;

/* The total that a row holds; its texts are those of the row. */
sc_total sc_sqlite_total_in(sqlite3_stmt *row);

SCRIM_MUST_USE scrim_status sc_sqlite_head(sc_store *store, sc_chain *out,
                                           scrim_error *error);
SCRIM_MUST_USE scrim_status sc_sqlite_entries(sc_store *store, uint64_t from,
                                              bool policy_only,
                                              sc_store_entry_visitor *visit,
                                              void *context, scrim_error *error);
SCRIM_MUST_USE scrim_status sc_sqlite_totals(sc_store *store,
                                             sc_store_total_visitor *visit, void *context,
                                             scrim_error *error);
SCRIM_MUST_USE scrim_status sc_sqlite_answer(sc_store *store, uint64_t charge,
                                             sc_digest *question, char **out,
                                             scrim_error *error);
SCRIM_MUST_USE scrim_status sc_sqlite_find(sc_store *store, const sc_digest *question,
                                           uint64_t *charge, scrim_error *error);
SCRIM_MUST_USE scrim_status sc_sqlite_secret(sc_store *store, const char *name,
                                             sc_digest *out, bool *is_there,
                                             scrim_error *error);
SCRIM_MUST_USE scrim_status sc_sqlite_find_pending(sc_store *store, sc_pending *pending,
                                                   uint64_t *charge, scrim_error *error);
SCRIM_MUST_USE scrim_status sc_sqlite_pending(sc_store *store, uint64_t charge,
                                              sc_digest *question, bool *is_there,
                                              scrim_error *error);
SCRIM_MUST_USE scrim_status sc_sqlite_next_pending(sc_store *store, uint64_t *charge,
                                                   scrim_error *error);
SCRIM_MUST_USE scrim_status sc_sqlite_next_answer(sc_store *store, uint64_t *charge,
                                                  scrim_error *error);
SCRIM_MUST_USE scrim_status sc_sqlite_answer_count(sc_store *store, uint64_t *out,
                                                   scrim_error *error);
SCRIM_MUST_USE scrim_status sc_sqlite_refusals(sc_store *store, uint64_t *out,
                                               scrim_error *error);
SCRIM_MUST_USE scrim_status sc_sqlite_inspect(sc_store *store, scrim_error *error);

#endif
