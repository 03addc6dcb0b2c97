#include "data/source/sqlite_source_host.h"

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

static void take_hooks(sqlite3 *connection)
{
    (void)sqlite3_set_authorizer(connection, NULL, NULL);
    (void)sqlite3_trace_v2(connection, 0, NULL, NULL);
    sqlite3_progress_handler(connection, 0, NULL, NULL);
    (void)sqlite3_commit_hook(connection, NULL, NULL);
    (void)sqlite3_rollback_hook(connection, NULL, NULL);
    (void)sqlite3_update_hook(connection, NULL, NULL);
    (void)sqlite3_wal_hook(connection, NULL, NULL);
    (void)sqlite3_busy_handler(connection, NULL, NULL);
    (void)sqlite3_collation_needed(connection, NULL, NULL);
}

/* The largest that SQLite was built with. */
static void take_limits(sqlite3 *connection)
{
    for (int limit = 0; limit < SQLITE_LIMIT_WORKER_THREADS; limit++)
        (void)sqlite3_limit(connection, limit, INT_MAX);
    (void)sqlite3_limit(connection, SQLITE_LIMIT_WORKER_THREADS, 0);
}

/* Temporary tables, and those of other files: what they are called is looked for there first. */
static int count_databases(sqlite3 *connection, int *count)
{
    sqlite3_stmt *rows = NULL;
    int code = sqlite3_prepare_v2(connection, "PRAGMA database_list", -1, &rows, NULL);
    *count = 0;
    while (code == SQLITE_OK && (code = sqlite3_step(rows)) == SQLITE_ROW) {
        ++*count;
        code = SQLITE_OK;
    }
    (void)sqlite3_finalize(rows);
    return code == SQLITE_DONE ? SQLITE_OK : code;
}

scrim_status sc_sqlite_host_leave(sqlite3 *connection, int *code, scrim_error *error)
{
    int databases = 0;
    take_hooks(connection);
    take_limits(connection);
    *code = count_databases(connection, &databases);
    if (*code != SQLITE_OK || (databases == 1 && sqlite3_get_autocommit(connection) != 0))
        return SCRIM_OK;
    return sc_fail(
        error, SCRIM_E_STATE,
        "this program adds tables of its own to every connection of SQLite, or "
        "begins a transaction there; cancel that by "
        "sqlite3_cancel_auto_extension");
}
