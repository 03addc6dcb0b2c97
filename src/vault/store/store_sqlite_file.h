/* The vault's file: which one it is, and the marks that say it is a vault's. */
#ifndef SC_VAULT_STORE_SQLITE_FILE_H
#define SC_VAULT_STORE_SQLITE_FILE_H

#include "base/status.h"
#include "vault/store/store_sqlite_call.h"

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

/* "scri", in SQLite's header. */
#define SC_STORE_SQLITE_APPLICATION 0x73637269
/* Format 2 adds the tables of secrets and pending releases and the seal, and has no write-ahead log; a
 * file of format 1 is converted when it is opened. */
#define SC_STORE_SQLITE_FORMAT 2

typedef struct sc_store_sqlite_options {
    const char *path;
    int wait_ms;       /* for a lock */
    const char *vfs;   /* NULL: "unix", whatever the default is; a test brings another */
    bool is_read_only; /* set by sc_store_sqlite_file_open */
} sc_store_sqlite_options;

/* How the commits of a vault's file become durable: by a rollback journal that is deleted at each
 * commit, synchronous=EXTRA. When a commit returns, what it wrote is in the file itself, and the
 * journal is gone from the folder on the disk. A copy of the file is all there is.
 *
 * Vaults of format 1 have a write-ahead log. They are converted when they are opened: whatever is in
 * the log is written into the file, the log is emptied, and both are synced before it is deleted.
 *
 * Claim  journal.convert  a vault of format 1 keeps everything it had committed, whoever converts
 *                         it at the same time and whenever they are killed; nobody writes it while
 *                         somebody still uses its log
 */

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
