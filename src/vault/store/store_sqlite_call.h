/* Calls of SQLite as all files of the store make them: its codes as our status, one row, one column.
 *
 * Claim  store_sqlite.damage   what is damaged or no vault is SCRIM_E_CHECK, and nothing else is:
 *                              a full disk, a lock, a lack of rights are not
 * Claim  store_sqlite.turns    of those who wait for a lock, those try it most often who have waited
 *                              longest, for the locks that they have had shortly before as well
 */
#ifndef SC_VAULT_STORE_SQLITE_CALL_H
#define SC_VAULT_STORE_SQLITE_CALL_H

#include "base/digest.h"
#include "base/status.h"
#include "base/text.h"

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

/* Behind a message of damage. To put a copy in its place gives charges back: its owner must know. */
#define SC_STORE_SQLITE_COPIES                                                           \
    "; a copy of the file lacks what was charged after it was made"

/* Waiting for a lock. SQLite's own handler sleeps the longer the longer it has waited, so that those
 * who come last are served first; of many users some would never be. Here they sleep the less. Of a
 * connection, and alive as long as it is. */
typedef struct sc_store_sqlite_wait {
    int wait_ms;
    int64_t since;  /* of this lock, in milliseconds of base/cancel.h */
    int64_t last;   /* the same, when it was last tried */
    int64_t before; /* milliseconds for the locks that it has had shortly before */
    int64_t until;  /* the same, of all locks together; 0: each is waited for as long */
} sc_store_sqlite_wait;

/* How long to sleep. At first shortly, for a lock that is about to be given up; then the less, the
 * longer it has waited: who looks twice as often has the lock twice as soon. */
long sc_store_sqlite_sleep_us(int count, int64_t waited_ms);
/* Sleeps before the lock is tried again; count: how often it was tried. False: it was not had in time. */
bool sc_store_sqlite_wait_more(sc_store_sqlite_wait *wait, int count);
/* The same for the locks that SQLite takes. */
int sc_store_sqlite_wait_in(sqlite3 *database, sc_store_sqlite_wait *wait);

/* Names the fault; SQLite words it without a word of the data. SCRIM_E_CHECK for a file
 * that is damaged or no vault's, and for that alone: neither a full disk nor a lock is damage, nor
 * a disk that fails. */
scrim_status sc_store_sqlite_fail(sqlite3 *database, int code, scrim_error *error);
/* Has the disk refused to give what was asked of it? SQLite calls that damage. */
bool sc_store_sqlite_is_unread(sqlite3 *database);
/* The only row of a statement: as a number, or held against a text; NULL: not wanted. A code of
 * SQLite's. */
int sc_store_sqlite_ask(sqlite3 *database, const char *text, int64_t *number,
                        const char *want, bool *is_wanted);
/* A column of the row that a statement stands on. */
sc_text sc_store_sqlite_text(sqlite3_stmt *statement, int column);

/* The statements of the store, each prepared when it is first used and kept, and the values that go
 * into them and come out. */

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
