/* The file of the store: a SQLite database that is a vault's and nothing else. It is made with its
 * tables, or opened after a look at its name, its rights, its format and its tables.
 *
 * Claim  store_sqlite.own      a file that is missing, empty, foreign, of a later format, readable
 *                              by others, reachable by a second name or not readable is refused,
 *                              and so is one in a folder that others can write, or beside a
 *                              journal that is not its owner's alone; none is ever made by opening it
 * Claim  store_sqlite.readonly a file on a read-only file system, or without the right to write it, can be
 *                              read, under the same locks; not with an interrupted commit beside it, or
 *                              in an earlier format
 * Claim  store_sqlite.durable  what is handed over has a rollback journal, the file, the journal and
 *                              their folder are synced at each commit, and nothing that the file
 *                              brings along is run
 * Claim  store_sqlite.host     what the host has made the default of SQLite, shared caches or another
 *                              file system, is not that of a vault; without mutexes none is opened (A92)
 */
#ifndef SC_VAULT_STORE_SQLITE_FILE_H
#define SC_VAULT_STORE_SQLITE_FILE_H

#include "base/status.h"
#include "vault/store/store_sqlite_call.h"
#include "vault/store/store_sqlite_options.h"

#include <sqlite3.h>

/* Closed by sqlite3_close. wait is in use until then. */
SCRIM_MUST_USE scrim_status sc_store_sqlite_file_create(
    const sc_store_sqlite_options *options, sc_store_sqlite_wait *wait, sqlite3 **out,
    scrim_error *error);
SCRIM_MUST_USE scrim_status
sc_store_sqlite_file_open(const sc_store_sqlite_options *options,
                          sc_store_sqlite_wait *wait, sqlite3 **out, scrim_error *error);
/* SCRIM_E_LEDGER, with the reason why a file that was opened for reading only cannot be written. */
SCRIM_MUST_USE scrim_status sc_store_sqlite_fail_rights(const char *path,
                                                        scrim_error *error);

#endif
