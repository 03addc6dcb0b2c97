/* The vault's file: which one it is, and the marks that say it is a vault's. */
#ifndef SC_VAULT_STORE_SQLITE_OPTIONS_H
#define SC_VAULT_STORE_SQLITE_OPTIONS_H

#include <stdbool.h>

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

#endif
