/* What is kept in a store of SQLite, read: the functions of sc_store that write nothing. Each is
 * one statement, which is put back when its rows were taken. */
#ifndef SC_VAULT_STORE_SQLITE_READ_H
#define SC_VAULT_STORE_SQLITE_READ_H

#include "vault/store/store.h"
#include "vault/store/store_sqlite_statement.h"

/* What every store of SQLite begins with. */
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
