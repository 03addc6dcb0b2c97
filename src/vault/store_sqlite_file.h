/* The file of the store: a SQLite database that is a vault's and nothing else. It is made with its
 * tables, or opened after a look at its name, its rights, its format and its tables.
 *
 * Claim  store_sqlite.own      a file that is missing, empty, foreign, of a later format, readable
 *                              by others, reachable by a second name or not writable is refused,
 *                              and so is one in a folder that others can write, or beside a
 *                              journal that is not its owner's alone; none is ever made by opening it
 * Claim  store_sqlite.durable  what is handed over has a rollback journal, the file, the journal and
 *                              their folder are synced at each commit, and nothing that the file
 *                              brings along is run
 * Claim  store_sqlite.damage   what is damaged or no vault is SCRIM_E_CHECK, and nothing else is:
 *                              a full disk, a lock, a lack of rights are not
 */
#ifndef SC_VAULT_STORE_SQLITE_FILE_H
#define SC_VAULT_STORE_SQLITE_FILE_H

#include "vault/store_sqlite.h"

#include <sqlite3.h>

/* Closed by sqlite3_close. */
SCRIM_MUST_USE scrim_status sc_store_sqlite_file_create(
    const sc_store_sqlite_options *options, sqlite3 **out, scrim_error *error);
SCRIM_MUST_USE scrim_status sc_store_sqlite_file_open(
    const sc_store_sqlite_options *options, sqlite3 **out, scrim_error *error);

/* Names what went wrong; what SQLite says of it has no word of the data. SCRIM_E_CHECK for a file
 * that is damaged or no vault's, and for that alone: neither a full disk nor a lock is damage. */
scrim_status sc_store_sqlite_fail(int code, scrim_error *error);
/* The only row of a statement: as a number, or held against a text; NULL: not wanted. A code of
 * SQLite's. */
int sc_store_sqlite_ask(sqlite3 *database, const char *text, int64_t *number,
                        const char *want, bool *is_wanted);
/* A column of the row that a statement stands on. */
sc_text sc_store_sqlite_text(sqlite3_stmt *statement, int column);

#endif
