/* The store in one SQLite file: with store_sqlite_file, the vault's door to SQLite.
 *
 * Rollback journal, synchronous=EXTRA: a commit is in the file, and on the disk, when it returns.
 * After a commit that failed nothing more is written through the same handle: what an unsuccessful
 * fsync has left behind is for the next opening to find out.
 */
#ifndef SC_VAULT_STORE_SQLITE_H
#define SC_VAULT_STORE_SQLITE_H

#include "vault/store.h"

/* "scri", in SQLite's header. */
#define SC_STORE_SQLITE_APPLICATION 0x73637269
/* Format 2 adds the tables of secrets and pending releases and the seal, and has no write-ahead log; a
 * file of format 1 is converted when it is opened. */
#define SC_STORE_SQLITE_FORMAT 2

typedef struct sc_store_sqlite_options {
    const char *path;
    int wait_ms;     /* how long to wait for a lock */
    const char *vfs; /* NULL: SQLite's own; a test brings another */
} sc_store_sqlite_options;

/* Writes an empty store into an empty file of mode 0600 that exists. */
SCRIM_MUST_USE scrim_status sc_store_sqlite_create(const sc_store_sqlite_options *options,
                                                   sc_store **out, scrim_error *error);
SCRIM_MUST_USE scrim_status sc_store_sqlite_open(const sc_store_sqlite_options *options,
                                                 sc_store **out, scrim_error *error);

#endif
