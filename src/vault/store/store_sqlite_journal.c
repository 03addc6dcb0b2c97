#include "vault/store/store_sqlite_journal.h"

#include "base/cancel.h"
#include "base/descriptor.h"
#include "vault/store/store_sqlite_call.h"
#include "vault/store/store_sqlite_options.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define HEADER_BYTES 100
#define STEP_MS 10

static uint32_t number_at(const unsigned char *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 |
           bytes[3];
}

/* The places are those of SQLite's file format: versions of writing and reading, 2 with a log; the
 * user's version and the application. */
scrim_status sc_journal_look(sqlite3 *database, bool *has_log, scrim_error *error)
{
    unsigned char header[HEADER_BYTES] = {0};
    sqlite3_file *file = NULL;
    int code =
        sqlite3_file_control(database, "main", SQLITE_FCNTL_FILE_POINTER, (void *)&file);
    if (code == SQLITE_OK)
        code = file->pMethods->xRead(file, header, sizeof header, 0);
    if (code != SQLITE_OK && code != SQLITE_IOERR_SHORT_READ)
        return sc_store_sqlite_fail(database, code, error);
    *has_log = (header[18] == 2 || header[19] == 2) && number_at(header + 60) == 1 &&
               number_at(header + 68) == SC_STORE_SQLITE_APPLICATION;
    return SCRIM_OK;
}

/* An emptied log must not come back full after a power cut, beside a file that has gone on. */
static bool sync_log(sqlite3 *database)
{
    char name[PATH_MAX];
    snprintf(name, sizeof name, "%s-wal", sqlite3_db_filename(database, "main"));
    const int file = sc_descriptor_open(name, O_RDWR | O_NOFOLLOW);
    if (file < 0)
        return errno == ENOENT;
    const bool is_synced = fsync(file) == 0;
    close(file);
    return is_synced;
}

static int leave_log(sqlite3 *database)
{
    int64_t is_busy = 0;
    bool is_left = false;
    int code = sc_store_sqlite_ask(database, "PRAGMA wal_checkpoint(TRUNCATE)", &is_busy,
                                   NULL, NULL);
    if (code == SQLITE_OK && is_busy != 0)
        code = SQLITE_BUSY;
    if (code == SQLITE_OK && !sync_log(database))
        code = SQLITE_IOERR_FSYNC;
    if (code == SQLITE_OK)
        code = sc_store_sqlite_ask(database, "PRAGMA journal_mode = DELETE", NULL,
                                   "delete", &is_left);
    return code == SQLITE_OK && !is_left ? SQLITE_BUSY : code;
}

scrim_status sc_journal_convert(sqlite3 *database, int folder, int64_t until,
                                scrim_error *error)
{
    int code = leave_log(database);
    while ((code & 0xff) == SQLITE_BUSY && sc_waiting_clock_ms() < until) {
        (void)nanosleep(&(struct timespec){.tv_nsec = STEP_MS * 1000000L}, NULL);
        code = leave_log(database);
    }
    if (code == SQLITE_OK && fsync(folder) != 0)
        code = SQLITE_IOERR_DIR_FSYNC;
    return code == SQLITE_OK ? SCRIM_OK : sc_store_sqlite_fail(database, code, error);
}

scrim_status sc_journal_settle(sqlite3 *database, scrim_error *error)
{
    bool is_deleted = false;
    int64_t level = 0;
    int code = sc_store_sqlite_ask(database, "PRAGMA journal_mode = DELETE", NULL,
                                   "delete", &is_deleted);
    if (code == SQLITE_OK)
        code =
            sc_store_sqlite_ask(database, "PRAGMA synchronous = EXTRA", NULL, NULL, NULL);
    if (code == SQLITE_OK)
        code = sc_store_sqlite_ask(database, "PRAGMA synchronous", &level, NULL, NULL);
    if (code != SQLITE_OK)
        return sc_store_sqlite_fail(database, code, error);
    if (is_deleted && level == 3)
        return SCRIM_OK;
    return sc_fail(error, SCRIM_E_LEDGER,
                   "the vault's folder cannot hold a rollback journal; move the vault to "
                   "a local disk");
}
