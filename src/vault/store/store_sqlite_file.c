#include "vault/store/store_sqlite_file.h"

#include "base/cancel.h"
#include "base/descriptor.h"
#include "base/fork_guard.h"
#include "data/source/sqlite_source_file.h"
#include "vault/store/safe_folder.h"
#include "vault/store/store_sqlite_call.h"
#include "vault/store/store_sqlite_guard.h"
#include "vault/store/store_sqlite_read.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#ifndef STATX_ATTR_MOUNT_ROOT
#define STATX_ATTR_MOUNT_ROOT 0x2000 /* of the kernel; musl has no name for it */
#endif
#define HEADER_BYTES 100
#define STEP_MS 10

static uint32_t number_at(const unsigned char *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 |
           bytes[3];
}

/* Whether a file is a vault of format 1 with a log: by its first bytes, before SQLite has run a
 * statement and looked for logs itself. */
/* The places are those of SQLite's file format: versions of writing and reading, 2 with a log; the
 * user's version and the application. */
static scrim_status journal_look(sqlite3 *database, bool *has_log, scrim_error *error)
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

/* Leaves the log. SCRIM_E_BUSY where others use it until that time of sc_waiting_clock_ms, which is
 * that of the handle's wait, too. folder: a descriptor, locked against others who convert. */
static scrim_status journal_convert(sqlite3 *database, int folder, int64_t until,
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

/* Makes all later commits of this handle durable. */
static scrim_status journal_settle(sqlite3 *database, scrim_error *error)
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

/* A table or an index, and the format that brought it; in the order by which they are compared. */
static const struct part {
    int since;
    const char *text;
} schema[] = {
    {1, "CREATE TABLE entries (id INTEGER PRIMARY KEY, is_policy INTEGER NOT NULL, "
        "bytes BLOB NOT NULL, hash BLOB NOT NULL)"},
    {1, "CREATE TABLE head (id INTEGER PRIMARY KEY, generation INTEGER NOT NULL, "
        "hash BLOB NOT NULL, refusals INTEGER NOT NULL)"},
    {2, "CREATE TABLE pending (id INTEGER PRIMARY KEY, question BLOB NOT NULL, "
        "parts BLOB NOT NULL, key BLOB NOT NULL)"},
    {1, "CREATE TABLE releases (id INTEGER PRIMARY KEY, question BLOB NOT NULL, "
        "answer BLOB NOT NULL)"},
    {2, "CREATE TABLE seal (id INTEGER PRIMARY KEY, digest BLOB NOT NULL)"},
    {2, "CREATE TABLE secrets (name TEXT PRIMARY KEY, value BLOB NOT NULL) "
        "WITHOUT ROWID"},
    {1, "CREATE TABLE totals (population INTEGER NOT NULL, analyst INTEGER NOT NULL, "
        "amount TEXT NOT NULL, delta TEXT NOT NULL, charges INTEGER NOT NULL, "
        "PRIMARY KEY (population, analyst)) WITHOUT ROWID"},
    {1, "CREATE INDEX policies ON entries (id) WHERE is_policy"},
    {1, "CREATE INDEX questions ON releases (question)"},
    {2, "CREATE INDEX unanswered ON pending (question)"},
};
#define SCHEMA_COUNT (sizeof schema / sizeof *schema)

/* Nothing that a file brings along is run: no trigger, no view, no function of its own. */
static int harden(sqlite3 *database, sc_store_sqlite_wait *wait)
{
    static const int off[] = {SQLITE_DBCONFIG_ENABLE_TRIGGER, SQLITE_DBCONFIG_ENABLE_VIEW,
                              SQLITE_DBCONFIG_TRUSTED_SCHEMA,
                              SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION};
    int code = sqlite3_extended_result_codes(database, 1);
    for (size_t i = 0; code == SQLITE_OK && i < sizeof off / sizeof *off; i++)
        code = sqlite3_db_config(database, off[i], 0, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    if (code == SQLITE_OK)
        code = sc_store_sqlite_wait_in(database, wait);
    if (code == SQLITE_OK)
        code = sc_store_sqlite_ask(database, "PRAGMA cell_size_check = ON", NULL, NULL,
                                   NULL);
    if (code == SQLITE_OK)
        code =
            sc_store_sqlite_ask(database, "PRAGMA temp_store = MEMORY", NULL, NULL, NULL);
    if (code == SQLITE_OK)
        code = sc_store_sqlite_ask(database, "PRAGMA mmap_size = 0", NULL, NULL, NULL);
    if (code == SQLITE_OK) /* secrets that are deleted are overwritten */
        code =
            sc_store_sqlite_ask(database, "PRAGMA secure_delete = ON", NULL, NULL, NULL);
    return code;
}

/* A name that SQLite takes for nothing but a file: not for ":memory:" or a URI "file:...". */
static scrim_status plain_name(const char *path, char name[PATH_MAX], scrim_error *error)
{
    const int bytes = snprintf(name, PATH_MAX, "%s%s", path[0] == '/' ? "" : "./", path);
    return bytes > 0 && bytes < PATH_MAX
               ? SCRIM_OK
               : sc_fail(error, SCRIM_E_LEDGER, "the name of the vault is too long");
}

/* SQLite as the vault needs it, whatever the host has made the default: a cache of its own, by which no
 * other handle has its locks, and files that are locked and synced. A handle has a mutex unless SQLite
 * was configured for a single thread. */
static scrim_status connect_guarded(const sc_store_sqlite_options *options,
                                    sc_store_sqlite_wait *wait, sqlite3 **out,
                                    scrim_error *error)
{
    sqlite3 *database = NULL;
    char name[PATH_MAX];
    scrim_status status = plain_name(options->path, name, error);
    if (status != SCRIM_OK)
        return status;
    *wait = (sc_store_sqlite_wait){.wait_ms = options->wait_ms};
    int code = sqlite3_open_v2(
        name, &database,
        (options->is_read_only ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE) |
            SQLITE_OPEN_FULLMUTEX | SQLITE_OPEN_PRIVATECACHE,
        options->vfs == NULL ? "unix" : options->vfs);
    if (code == SQLITE_OK)
        status = sc_sqlite_host_leave(database, &code, error);
    if (status == SCRIM_OK && code == SQLITE_OK)
        code = harden(database, wait);
    if (code != SQLITE_OK)
        status = sc_store_sqlite_fail(database, code, error);
    else if (status == SCRIM_OK && sqlite3_db_mutex(database) == NULL)
        status = sc_fail(error, SCRIM_E_STATE,
                         "this program has set SQLite to a single thread, and its "
                         "threads could damage the vault; configure SQLite with mutexes");
    if (status == SCRIM_OK)
        *out = database;
    else
        (void)sqlite3_close(database);
    return status;
}

/* SQLite has mutexes of its own, which a child would find taken. */
static scrim_status connect(const sc_store_sqlite_options *options,
                            sc_store_sqlite_wait *wait, sqlite3 **out, scrim_error *error)
{
    sc_fork_guard_enter();
    const scrim_status status = connect_guarded(options, wait, out, error);
    sc_fork_guard_leave();
    return status;
}

static void disconnect(sqlite3 *database)
{
    sc_fork_guard_enter();
    (void)sqlite3_close(database);
    sc_fork_guard_leave();
}

/* Writes the parts of the schema that a file of that format lacks; 0: a new file, which lacks
 * all. */
static int write_parts(sqlite3 *database, int format)
{
    char text[64];
    int code = SQLITE_OK;
    for (size_t i = 0; code == SQLITE_OK && i < SCHEMA_COUNT; i++)
        if (schema[i].since > format)
            code = sqlite3_exec(database, schema[i].text, NULL, NULL, NULL);
    sqlite3_snprintf(sizeof text, text, "PRAGMA user_version = %d",
                     SC_STORE_SQLITE_FORMAT);
    return code == SQLITE_OK ? sqlite3_exec(database, text, NULL, NULL, NULL) : code;
}

static scrim_status write_schema(sqlite3 *database, scrim_error *error)
{
    char text[64];
    int code = sqlite3_exec(database, "BEGIN EXCLUSIVE", NULL, NULL, NULL);
    if (code == SQLITE_OK)
        code = write_parts(database, 0);
    if (code == SQLITE_OK)
        code = sqlite3_exec(database, "INSERT INTO head VALUES (1, 0, zeroblob(32), 0)",
                            NULL, NULL, NULL);
    sqlite3_snprintf(sizeof text, text, "PRAGMA application_id = %d",
                     SC_STORE_SQLITE_APPLICATION);
    if (code == SQLITE_OK)
        code = sqlite3_exec(database, text, NULL, NULL, NULL);
    if (code != SQLITE_OK)
        return sc_store_sqlite_fail(database, code, error);
    const scrim_status status = sc_seal_begin(database, error);
    if (status != SCRIM_OK)
        return status;
    code = sqlite3_exec(database, "COMMIT", NULL, NULL, NULL);
    return code == SQLITE_OK ? SCRIM_OK : sc_store_sqlite_fail(database, code, error);
}

/* The file behind links: SQLite looks for journals beside that one. */
static scrim_status check_around(const char *path, bool has_log, scrim_error *error)
{
    char real[PATH_MAX];
    struct stat file;
    if (realpath(path, real) == NULL || stat(real, &file) != 0)
        return sc_fail(error, SCRIM_E_LEDGER, "the vault '%s' cannot be read: %s", path,
                       strerror(errno));
    scrim_status status = sc_safe_folder_check(real, file.st_uid, "the vault", error);
    return status == SCRIM_OK ? sc_beside_check(real, has_log, error) : status;
}

scrim_status sc_store_sqlite_file_create(const sc_store_sqlite_options *options,
                                         sc_store_sqlite_wait *wait, sqlite3 **out,
                                         scrim_error *error)
{
    sqlite3 *database = NULL;
    scrim_status status = check_around(options->path, false, error);
    if (status == SCRIM_OK)
        status = connect(options, wait, &database, error);
    if (status != SCRIM_OK)
        return status;
    status = journal_settle(database, error);
    if (status == SCRIM_OK)
        status = write_schema(database, error);
    if (status == SCRIM_OK)
        *out = database;
    else
        disconnect(database);
    return status;
}

static bool may(const char *path, int how)
{
    return faccessat(AT_FDCWD, path, how, AT_EACCESS) == 0;
}

scrim_status sc_store_sqlite_fail_rights(const char *path, scrim_error *error)
{
    struct stat file;
    const int failure = may(path, R_OK | W_OK) ? EACCES : errno;
    if (failure == EROFS)
        return sc_fail(
            error, SCRIM_E_LEDGER,
            "the vault '%s' is on a read-only file system: it can be read, but "
            "nothing can be charged or changed; mount it for writing",
            path);
    if (failure != EACCES)
        return sc_fail(error, SCRIM_E_LEDGER, "the vault '%s' cannot be written: %s",
                       path, strerror(failure));
    return stat(path, &file) == 0 && file.st_uid == geteuid()
               ? sc_fail(error, SCRIM_E_LEDGER,
                         "the vault '%s' cannot be written, even by its owner; chmod 600 "
                         "it",
                         path)
               : sc_fail(error, SCRIM_E_LEDGER,
                         "the vault '%s' belongs to another user; scrim-deploy(7) shows "
                         "how several people share one",
                         path);
}

/* Read-only: the file is on a read-only file system, or this process has no right to write it. */
static scrim_status check_rights(const char *path, bool *is_read_only, scrim_error *error)
{
    *is_read_only = !may(path, W_OK) && (errno == EROFS || errno == EACCES);
    return may(path, *is_read_only ? R_OK : R_OK | W_OK)
               ? SCRIM_OK
               : sc_store_sqlite_fail_rights(path, error);
}

#define LEAST_PAGE 512 /* of a database */

static scrim_status not_a_vault(scrim_status status, const char *path, scrim_error *error)
{
    return sc_fail_for(error, status, SCRIM_REASON_SYNTAX, "vault", "'%s' is not a vault",
                       path);
}

/* Looked at by name: to open the file ourselves and close it again would drop the locks that
 * another handle of this process holds on it. */
static scrim_status check_file(const char *path, bool *is_read_only, scrim_error *error)
{
    struct statx file;
    if (statx(AT_FDCWD, path, 0, STATX_BASIC_STATS, &file) != 0)
        return errno == ENOENT || errno == ENOTDIR
                   ? sc_fail_for(error, SCRIM_E_LEDGER, SCRIM_REASON_MISSING, "vault",
                                 "there is no vault at '%s'", path)
                   : sc_fail(error, SCRIM_E_LEDGER, "the vault '%s' cannot be read: %s",
                             path, sc_descriptor_why(errno, false));
    if (!S_ISREG(file.stx_mode) || file.stx_size == 0)
        return not_a_vault(S_ISREG(file.stx_mode) ? SCRIM_E_CHECK : SCRIM_E_LEDGER, path,
                           error);
    /* No vault is open to others, nor has a part of a page: a table of somebody's, named in place of the vault. */
    if ((file.stx_mode & (S_IRWXG | S_IRWXO)) != 0 && file.stx_size % LEAST_PAGE != 0)
        return not_a_vault(SCRIM_E_CHECK, path, error);
    if ((file.stx_mode & (S_IRWXG | S_IRWXO)) != 0)
        return sc_fail(
            error, SCRIM_E_LEDGER,
            "the vault '%s' is open to others than its owner; if it is your vault, "
            "chmod 600 it",
            path);
    if (file.stx_nlink != 1 || (file.stx_attributes & STATX_ATTR_MOUNT_ROOT) != 0)
        return sc_fail(error, SCRIM_E_LEDGER,
                       "the vault '%s' has a second name (a hard link or a mount); "
                       "remove one of them",
                       path);
    return check_rights(path, is_read_only, error);
}

/* The place of the first part from here on that a file of that format has. */
static size_t next_part(size_t place, int64_t format)
{
    while (place < SCHEMA_COUNT && schema[place].since > format)
        place++;
    return place;
}

static scrim_status check_schema(sqlite3 *database, int64_t format, scrim_error *error)
{
    sqlite3_stmt *rows = NULL;
    size_t place = next_part(0, format);
    bool is_ours = true;
    int code = sqlite3_prepare_v2(
        database,
        "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY type DESC, name",
        -1, &rows, NULL);
    if (code == SQLITE_OK)
        while ((code = sqlite3_step(rows)) == SQLITE_ROW) {
            is_ours = is_ours && place < SCHEMA_COUNT &&
                      sc_text_is(sc_store_sqlite_text(rows, 0), schema[place].text);
            place = next_part(place + 1, format);
        }
    (void)sqlite3_finalize(rows);
    if (code != SQLITE_DONE)
        return sc_store_sqlite_fail(database, code, error);
    if (is_ours && place == SCHEMA_COUNT)
        return SCRIM_OK;
    return sc_fail(error, SCRIM_E_CHECK, "the vault's tables are not those of a vault");
}

static scrim_status check_format(sqlite3 *database, bool is_read_only, int64_t *format,
                                 scrim_error *error)
{
    int64_t application = 0;
    int code =
        sc_store_sqlite_ask(database, "PRAGMA application_id", &application, NULL, NULL);
    if (code == SQLITE_OK)
        code = sc_store_sqlite_ask(database, "PRAGMA user_version", format, NULL, NULL);
    if (code != SQLITE_OK)
        return sc_store_sqlite_fail(database, code, error);
    if (application != SC_STORE_SQLITE_APPLICATION)
        return sc_fail(error, SCRIM_E_CHECK, "the file is not a vault");
    if (*format < 1 || *format > SC_STORE_SQLITE_FORMAT)
        return sc_fail(error, SCRIM_E_LEDGER,
                       "the vault has a format of a later version; use that version");
    if (!is_read_only && sqlite3_db_readonly(database, "main") != 0)
        return sc_fail(error, SCRIM_E_CHECK, /* as its rights do not */
                       "the vault is damaged: its first page says that it is not to be "
                       "written" SC_STORE_SQLITE_COPIES);
    return check_schema(database, *format, error);
}

/* Under one lock. */
static scrim_status check_at_once(sqlite3 *database, bool is_read_only, int64_t *format,
                                  scrim_error *error)
{
    int code = sqlite3_exec(database, "BEGIN", NULL, NULL, NULL);
    if (code != SQLITE_OK)
        return sc_store_sqlite_fail(database, code, error);
    const scrim_status status = check_format(database, is_read_only, format, error);
    code = sqlite3_exec(database, "COMMIT", NULL, NULL, NULL);
    return status == SCRIM_OK && code != SQLITE_OK
               ? sc_store_sqlite_fail(database, code, error)
               : status;
}

/* Brings a file of an earlier format up to this one. Another process may have done it before this
 * one has the lock, so the format is read again behind it. */
static scrim_status upgrade(sqlite3 *database, scrim_error *error)
{
    int64_t format = 0;
    int code = sqlite3_exec(database, "BEGIN IMMEDIATE", NULL, NULL, NULL);
    if (code != SQLITE_OK)
        return sc_store_sqlite_fail(database, code, error);
    scrim_status status = check_format(database, false, &format, error);
    if (status == SCRIM_OK && format < SC_STORE_SQLITE_FORMAT) {
        code = write_parts(database, (int)format);
        if (code == SQLITE_OK)
            status = sc_seal_begin(database, error);
        if (code == SQLITE_OK && status == SCRIM_OK)
            code = sqlite3_exec(database, "COMMIT", NULL, NULL, NULL);
        if (code != SQLITE_OK)
            status = sc_store_sqlite_fail(database, code, error);
    }
    if (!sqlite3_get_autocommit(database))
        (void)sqlite3_exec(database, "ROLLBACK", NULL, NULL, NULL);
    return status;
}

/* Under the folder's lock, so that of several who convert none has the log open while another
 * wants it gone. */
static scrim_status convert_until(const sc_store_sqlite_options *options, int64_t until,
                                  sqlite3 *database, scrim_error *error)
{
    int folder = -1;
    int64_t format = 0;
    bool has_log = false;
    scrim_status status = sc_safe_folder_lock(sqlite3_db_filename(database, "main"),
                                              options->wait_ms, &folder, error);
    if (status != SCRIM_OK)
        return status;
    status = journal_look(database, &has_log, error);
    if (status == SCRIM_OK)
        status = sc_beside_prepare(database, has_log, error);
    if (status == SCRIM_OK && has_log)
        status = check_format(database, false, &format, error);
    if (status == SCRIM_OK && has_log)
        status = journal_convert(database, folder, until, error);
    close(folder);
    return status;
}

/* It takes many locks, one after the other, and waits for all of them as long as for one. */
static scrim_status convert(const sc_store_sqlite_options *options,
                            sc_store_sqlite_wait *wait, sqlite3 *database,
                            scrim_error *error)
{
    wait->until = sc_waiting_clock_ms() + options->wait_ms;
    const scrim_status status = convert_until(options, wait->until, database, error);
    wait->until = 0;
    return status;
}

static scrim_status fail_earlier(scrim_error *error)
{
    return sc_fail(error, SCRIM_E_LEDGER,
                   "the vault has an earlier format, and cannot be converted where it is "
                   "read-only; open it once where it can be written");
}

/* Nothing beside the file is read by SQLite before it was looked at. */
static scrim_status settle(const sc_store_sqlite_options *options,
                           sc_store_sqlite_wait *wait, sqlite3 *database,
                           scrim_error *error)
{
    int64_t format = 0;
    bool has_log = false;
    scrim_status status = journal_look(database, &has_log, error);
    if (status == SCRIM_OK)
        status = check_around(options->path, has_log, error);
    if (status == SCRIM_OK && has_log && options->is_read_only)
        return fail_earlier(error);
    if (status == SCRIM_OK && has_log)
        status = convert(options, wait, database, error);
    if (status == SCRIM_OK)
        status = sc_beside_prepare(database, false, error);
    if (status == SCRIM_OK)
        status = check_at_once(database, options->is_read_only, &format, error);
    if (status == SCRIM_OK)
        status = journal_settle(database, error);
    if (status == SCRIM_OK && format < SC_STORE_SQLITE_FORMAT)
        status = options->is_read_only ? fail_earlier(error) : upgrade(database, error);
    return status;
}

scrim_status sc_store_sqlite_file_open(const sc_store_sqlite_options *options,
                                       sc_store_sqlite_wait *wait, sqlite3 **out,
                                       scrim_error *error)
{
    sqlite3 *database = NULL;
    sc_store_sqlite_options here = *options;
    scrim_status status = check_file(options->path, &here.is_read_only, error);
    if (status == SCRIM_OK)
        status = connect(&here, wait, &database, error);
    if (status != SCRIM_OK)
        return status;
    sc_store_sqlite_lock lock;
    status = sc_store_sqlite_lock_take(&lock, database, wait, error);
    if (status == SCRIM_OK) {
        status = settle(&here, wait, database, error);
        sc_store_sqlite_lock_give(&lock);
    }
    if (status == SCRIM_OK)
        *out = database;
    else
        disconnect(database);
    return status;
}
