/* The statements of the store, each prepared when it is first used and kept, and the values that go
 * into them and come out. */
#ifndef SC_VAULT_STORE_SQLITE_STATEMENT_H
#define SC_VAULT_STORE_SQLITE_STATEMENT_H

#include "base/digest.h"
#include "vault/store/store_sqlite_call.h"

typedef enum sc_statement {
    SC_DO_BEGIN_WRITING,
    SC_DO_BEGIN_READING,
    SC_DO_COMMIT,
    SC_DO_ROLLBACK,
    SC_DO_GET_HEAD,
    SC_DO_ADD_ENTRY,
    SC_DO_SET_HEAD,
    SC_DO_SET_TOTAL,
    SC_DO_ADD_ANSWER,
    SC_DO_ADD_REFUSAL,
    SC_DO_SET_SECRET,
    SC_DO_ADD_PENDING,
    SC_DO_END_PENDING,
    SC_DO_GET_ENTRIES,
    SC_DO_GET_POLICIES,
    SC_DO_GET_TOTALS,
    SC_DO_GET_TOTAL,
    SC_DO_GET_SEAL,
    SC_DO_SET_SEAL,
    SC_DO_GET_ANSWER,
    SC_DO_FIND_QUESTION,
    SC_DO_GET_SECRET,
    SC_DO_FIND_PENDING,
    SC_DO_GET_PENDING,
    SC_DO_NEXT_PENDING,
    SC_DO_NEXT_ANSWER,
    SC_DO_COUNT_ANSWERS,
    SC_DO_INSPECT,
    SC_STATEMENTS
} sc_statement;

typedef struct sc_statements {
    sqlite3 *database;
    sqlite3_stmt *prepared[SC_STATEMENTS];
} sc_statements;

SCRIM_MUST_USE scrim_status sc_statement_get(sc_statements *s, sc_statement which,
                                             sqlite3_stmt **out, scrim_error *error);
/* Runs one that gives no row, or whose row is not wanted. */
SCRIM_MUST_USE scrim_status sc_statement_run(sc_statements *s, sc_statement which,
                                             scrim_error *error);
/* The same with values that the caller has bound; SCRIM_E_MEMORY unless they are. */
SCRIM_MUST_USE scrim_status sc_statement_finish_if(bool is_bound, sqlite3_stmt *statement,
                                                   scrim_error *error);
bool sc_statement_bind_text(sqlite3_stmt *statement, int place, sc_text text);
/* An empty blob is not NULL. */
bool sc_statement_bind_blob(sqlite3_stmt *statement, int place, const void *bytes,
                            size_t count);
bool sc_statement_bind_number(sqlite3_stmt *statement, int place, uint64_t number);
/* A column of the row that it stands on; false when that is no digest. */
bool sc_statement_digest(sqlite3_stmt *statement, int column, sc_digest *out);
/* SCRIM_E_CHECK: a row that no version has written. */
scrim_status sc_statement_fail_row(scrim_error *error);

#endif
