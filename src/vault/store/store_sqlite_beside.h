/* The files beside a vault's file that SQLite reads of its own accord: the journal of a commit that
 * was cut short, from which it puts pages back, and the log of a vault of format 1, which holds
 * pages that are newer than the file's.
 *
 * At rest there is none. A journal is there while somebody commits, and after a commit that was cut
 * short. Its sums cover a byte in 200, so that one that was damaged may put back pages that never
 * were: before SQLite uses it, a mark is left beside the vault, NAME-unverified, which asks everyone
 * to verify the whole ledger first; who has done so removes it.
 *
 * Claim  beside.own     a journal or a log that is not a regular file of the vault's owner or the
 *                       superuser, theirs alone and with one name, is refused, and so is a log
 *                       beside a vault that has none, and a journal that names further files
 * Claim  beside.verify  after a journal was found that nobody is writing, no entry is believed
 *                       before the whole ledger was verified, whoever is killed meanwhile
 */
#ifndef SC_VAULT_STORE_SQLITE_BESIDE_H
#define SC_VAULT_STORE_SQLITE_BESIDE_H

#include "base/status.h"

#include <sqlite3.h>
#include <stdbool.h>

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
