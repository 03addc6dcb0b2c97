#include "data/source/sqlite_source_file.h"

#include "base/memory.h"
#include "data/source/sqlite_source_host.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define WAIT_MS 2000

scrim_status sc_sqlite_file_fail(int code, scrim_error *error)
{
    switch (code & 0xff) {
    case SQLITE_NOMEM:
        return sc_fail(error, SCRIM_E_MEMORY, "no memory");
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return sc_fail(error, SCRIM_E_INPUT,
                       "the database is being written to; try again when it is not");
    default:
        return sc_fail(error, SCRIM_E_INPUT,
                       "the source cannot be read as a SQLite database; check the file");
    }
}

static bool configure(sqlite3 *connection)
{
    static const int off[] = {SQLITE_DBCONFIG_TRUSTED_SCHEMA, SQLITE_DBCONFIG_ENABLE_VIEW,
                              SQLITE_DBCONFIG_ENABLE_TRIGGER,
                              SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION,
                              SQLITE_DBCONFIG_DQS_DML};
    bool is_set =
        sqlite3_db_config(connection, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL) == SQLITE_OK;
    for (size_t i = 0; i < sizeof off / sizeof *off; i++)
        is_set = is_set && sqlite3_db_config(connection, off[i], 0, NULL) == SQLITE_OK;
    (void)sqlite3_limit(connection, SQLITE_LIMIT_ATTACHED, 0);
    (void)sqlite3_limit(connection, SQLITE_LIMIT_EXPR_DEPTH, 10);
    (void)sqlite3_limit(connection, SQLITE_LIMIT_TRIGGER_DEPTH, 1);
    (void)sqlite3_limit(connection, SQLITE_LIMIT_WORKER_THREADS, 0);
    return is_set && sqlite3_busy_timeout(connection, WAIT_MS) == SQLITE_OK &&
           sqlite3_exec(connection,
                        "PRAGMA query_only=1; PRAGMA cell_size_check=1;"
                        "PRAGMA mmap_size=0",
                        NULL, NULL, NULL) == SQLITE_OK;
}

static scrim_status fail_log(scrim_error *error)
{
    return sc_fail(error, SCRIM_E_INPUT,
                   "the database is in WAL mode, and its version cannot be known by "
                   "the file; set PRAGMA journal_mode=DELETE");
}

/* Is there a log beside it that SQLite would read, whatever the file says? */
static bool has_log(sqlite3 *connection)
{
    struct stat file;
    const char *path = sqlite3_db_filename(connection, "main");
    const size_t bytes = strlen(path) + sizeof "-wal";
    char *name = sc_allocate(bytes, 1);
    if (name == NULL)
        return true;
    snprintf(name, bytes, "%s-wal", path);
    const bool is_there = stat(name, &file) == 0 && file.st_size > 0;
    sc_free(name);
    return is_there;
}

/* Before SQLite runs a statement: to read a database with a log it would make files beside it, write
 * the log into it and delete the log. The two bytes are those of its file format, 2 with a log. */
static scrim_status check_log(sqlite3 *connection, scrim_error *error)
{
    unsigned char header[100] = {0};
    const int code = sc_sqlite_file_read(connection, 0, header, sizeof header);
    if (code != SQLITE_OK)
        return sc_sqlite_file_fail(code, error);
    return header[18] == 2 || header[19] == 2 || has_log(connection) ? fail_log(error)
                                                                     : SCRIM_OK;
}

/* Rows decide how much memory SQLite takes: under a limit of its own they would decide, after the charge,
 * whether there is an answer. One that is only a wish refuses nothing. */
static scrim_status check_heap(scrim_error *error)
{
    if (sqlite3_hard_heap_limit64(-1) <= 0)
        return SCRIM_OK;
    return sc_fail(error, SCRIM_E_STATE,
                   "this program limits the memory of SQLite, and rows would decide "
                   "whether it suffices; lift it by sqlite3_hard_heap_limit64(0)");
}

int sc_sqlite_file_read(sqlite3 *connection, uint64_t offset, void *to, size_t bytes)
{
    sqlite3_file *file = NULL;
    const int code = sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER,
                                          (void *)&file);
    return code == SQLITE_OK
               ? file->pMethods->xRead(file, to, (int)bytes, (sqlite3_int64)offset)
               : code;
}

scrim_status sc_sqlite_file_open(sc_text path, sqlite3 **out, sc_source_stamp *stamp,
                                 scrim_error *error)
{
    scrim_status status = check_heap(error);
    if (status == SCRIM_OK)
        status = sc_source_stamp_look(path, stamp, error);
    if (status != SCRIM_OK)
        return status;
    /* Neither "file:..." nor ":memory:" are anything but names of files here. */
    char *name = sc_allocate(path.bytes + 3, 1);
    if (name == NULL)
        return sc_fail(error, SCRIM_E_MEMORY, "no memory");
    const size_t at = path.start[0] == '/' ? 0 : 2;
    name[0] = '.';
    name[1] = '/';
    memcpy(name + at, path.start, path.bytes);
    int code = sqlite3_open_v2(name, out,
                               SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX |
                                   SQLITE_OPEN_PRIVATECACHE | SQLITE_OPEN_EXRESCODE,
                               "unix");
    sc_free(name);
    if (code == SQLITE_OK)
        status = sc_sqlite_host_leave(*out, &code, error);
    if (code != SQLITE_OK)
        return sc_sqlite_file_fail(code, error);
    if (status == SCRIM_OK)
        status = check_log(*out, error);
    if (status != SCRIM_OK)
        return status;
    return configure(*out) ? SCRIM_OK : sc_sqlite_file_fail(SQLITE_ERROR, error);
}
