/* Calls of SQLite as all files of the store make them: its codes as our status, one row, one column.
 *
 * Claim  store_sqlite.damage   what is damaged or no vault is SCRIM_E_CHECK, and nothing else is:
 *                              a full disk, a lock, a lack of rights are not
 * Claim  store_sqlite.turns    of those who wait for a lock, those try it most often who have waited
 *                              longest, for the locks that they have had shortly before as well
 */
#ifndef SC_VAULT_STORE_SQLITE_CALL_H
#define SC_VAULT_STORE_SQLITE_CALL_H

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

#endif
