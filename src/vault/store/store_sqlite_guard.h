/* Guards of a vault's file: its lock, and a check of the files beside it that SQLite would read. */
#ifndef SC_VAULT_STORE_SQLITE_GUARD_H
#define SC_VAULT_STORE_SQLITE_GUARD_H

#include "base/status.h"
#include "vault/store/store_sqlite_call.h"

#include <sqlite3.h>
#include <stdbool.h>

/* A lock of a vault's file that the host program cannot lose by accident. SQLite's own locks (POSIX) belong to the process: if any
 * thread closes any descriptor of the file, say after copying it, the kernel drops them all, and two processes may
 * write at once. This lock (flock) belongs to one open descriptor. It is taken before SQLite reads the file, and
 * held until the transaction ends. No other thread forks meanwhile (base/fork_guard.h).
 *
 * Claim  lock.host   no two transactions run at once, even if other code in the process opens and closes the
 *                    vault's file (A93)
 * Claim  lock.closed a commit is in the file of that name, even if the host has closed our descriptors and
 *                    another file has their numbers; else nothing is shown (A96)
 * Claim  lock.moved  a handle whose file was moved or replaced is refused, also for reading (A93)
 */

typedef struct sc_store_sqlite_lock {
    int file; /* -1: it is not held */
} sc_store_sqlite_lock;

/* SCRIM_E_BUSY if another transaction holds it for too long. */
SCRIM_MUST_USE scrim_status sc_store_sqlite_lock_take(sc_store_sqlite_lock *lock,
                                                      sqlite3 *database,
                                                      sc_store_sqlite_wait *wait,
                                                      scrim_error *error);
/* Does SQLite read and write the file that is locked? After a commit: has the file what was written? */
SCRIM_MUST_USE scrim_status sc_store_sqlite_lock_check(const sc_store_sqlite_lock *lock,
                                                       sqlite3 *database,
                                                       scrim_error *error);
/* Does nothing if the lock is not held. */
void sc_store_sqlite_lock_give(sc_store_sqlite_lock *lock);

/* The files beside a vault's file that SQLite reads of its own accord: the journal of a commit that
 * was cut short, from which it puts pages back, and the log of a vault of format 1, which holds
 * pages that are newer than the file's.
 *
 * A vault at rest has no such file. A journal is there while somebody commits, and after a commit that was cut
 * short. Its checksums cover one byte in 200, so a damaged journal may write back pages that the vault never had.
 * Therefore, before SQLite uses it, a file NAME-unverified is left beside the vault. While this mark is there, every process
 * verifies the whole ledger before it trusts an entry, and then removes the mark.
 *
 * Claim  beside.own     a journal or a log is refused unless it is a regular file of the vault's owner or the
 *                       superuser, accessible to them alone and without further links; so is a log
 *                       beside a vault whose format has no log, and a journal that names further files
 * Claim  beside.verify  after a journal was found that nobody is writing, no entry is trusted
 *                       before the whole ledger was verified, even if processes are killed meanwhile
 */

/* path: the vault's file, without links. has_log: it is of format 1, with a write-ahead log. */
SCRIM_MUST_USE scrim_status sc_beside_check(const char *path, bool has_log,
                                            scrim_error *error);

/* Before a transaction begins: as sc_beside_check, and leaves the mark where a journal waits that
 * nobody is writing, or a log that is not empty. */
SCRIM_MUST_USE scrim_status sc_beside_prepare(sqlite3 *database, bool has_log,
                                              scrim_error *error);
/* Is the mark there? */
bool sc_beside_is_marked(sqlite3 *database);
/* The ledger was verified, within this transaction. */
void sc_beside_unmark(sqlite3 *database);

#endif
