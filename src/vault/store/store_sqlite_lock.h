/* The lock of a vault's file that a host cannot lose. SQLite's own locks belong to the process: when any
 * part of it closes any descriptor of the file, as a thread that makes a copy of it does, the kernel
 * drops them all, and two processes write at once. This lock (flock) belongs to one opening of the
 * file. It is had before SQLite looks at the file, and kept until the transaction ends. No other thread
 * forks meanwhile (base/fork_guard.h).
 *
 * Claim  lock.host   whoever opens and closes the vault's file in the same process, no two
 *                    transactions are under way at once (A93)
 * Claim  lock.closed what is committed is in the file of that name, also where the host has closed our
 *                    descriptors and another file has their numbers; else nothing is shown (A96)
 * Claim  lock.moved  a handle whose file was moved or replaced is refused, also to read (A93)
 */
#ifndef SC_VAULT_STORE_SQLITE_LOCK_H
#define SC_VAULT_STORE_SQLITE_LOCK_H

#include "vault/store/store_sqlite_call.h"

typedef struct sc_store_sqlite_lock {
    int file; /* -1: it is not held */
} sc_store_sqlite_lock;

/* SCRIM_E_BUSY when it is not to be had in time. */
SCRIM_MUST_USE scrim_status sc_store_sqlite_lock_take(sc_store_sqlite_lock *lock,
                                                      sqlite3 *database,
                                                      sc_store_sqlite_wait *wait,
                                                      scrim_error *error);
/* Does SQLite read and write the file that is locked? After a commit: has the file what was written? */
SCRIM_MUST_USE scrim_status sc_store_sqlite_lock_check(const sc_store_sqlite_lock *lock,
                                                       sqlite3 *database,
                                                       scrim_error *error);
/* One that is not held is left alone. */
void sc_store_sqlite_lock_give(sc_store_sqlite_lock *lock);

#endif
