/* The store in one SQLite file: with the other store_sqlite files, the vault's door to SQLite.
 *
 * Rollback journal, synchronous=EXTRA: a commit is in the file, and on the disk, when it returns.
 * After a commit that failed nothing more is written through the same handle: what an unsuccessful
 * fsync has left behind is for the next opening to find out.
 */
#ifndef SC_VAULT_STORE_SQLITE_H
#define SC_VAULT_STORE_SQLITE_H

#include "vault/store/store.h"
#include "vault/store/store_sqlite_file.h"

/* Writes an empty store into an empty file of mode 0600 that exists. */
SCRIM_MUST_USE scrim_status sc_store_sqlite_create(const sc_store_sqlite_options *options,
                                                   sc_store **out, scrim_error *error);
SCRIM_MUST_USE scrim_status sc_store_sqlite_open(const sc_store_sqlite_options *options,
                                                 sc_store **out, scrim_error *error);

#endif
