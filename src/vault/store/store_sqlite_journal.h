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
#ifndef SC_VAULT_STORE_SQLITE_JOURNAL_H
#define SC_VAULT_STORE_SQLITE_JOURNAL_H

#include "base/status.h"

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

/* Whether a file is a vault of format 1 with a log: by its first bytes, before SQLite has run a
 * statement and looked for logs itself. */
SCRIM_MUST_USE scrim_status sc_journal_look(sqlite3 *database, bool *has_log,
                                            scrim_error *error);
/* Leaves the log. SCRIM_E_BUSY where others use it until that time of sc_waiting_clock_ms, which is
 * that of the handle's wait, too. folder: a descriptor, locked against others who convert. */
SCRIM_MUST_USE scrim_status sc_journal_convert(sqlite3 *database, int folder,
                                               int64_t until, scrim_error *error);
/* What this handle commits from now on is durable. */
SCRIM_MUST_USE scrim_status sc_journal_settle(sqlite3 *database, scrim_error *error);

#endif
