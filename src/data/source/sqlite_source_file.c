#include "data/source/sqlite_source_file.h"

#include "base/memory.h"

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

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

#define WAIT_MS 2000

scrim_status sc_sqlite_file_fail(int code, scrim_error *error)
{
    switch (code & 0xff) {
    case SQLITE_NOMEM:
        return sc_fail(error, SCRIM_E_MEMORY, "no memory");
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return sc_fail_for(error, SCRIM_E_INPUT, SCRIM_REASON_LOCKED, "",
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
 * whether there is an answer. A limit that is advisory refuses nothing. */
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

/* The actions that statements may take. */

/* Notes which column the key of a row is. */
static int note_key(sc_sqlite_rows *rows, const char *name)
{
    const size_t bytes = strlen(name) + 1;
    sc_free(rows->key_column);
    rows->key_column = sc_allocate(bytes, 1);
    if (rows->key_column == NULL)
        return SQLITE_DENY;
    memcpy(rows->key_column, name, bytes);
    return SQLITE_OK;
}

/* Reading the declared columns of the one table, and the keys of its rows. */
static int allow(void *context, int action, const char *first, const char *second,
                 const char *schema_name, const char *trigger)
{
    sc_sqlite_rows *rows = context;
    const sc_schema *schema = rows->request->schema;
    if (action == SQLITE_SELECT)
        return SQLITE_OK;
    if (action != SQLITE_READ || trigger != NULL || schema_name == NULL ||
        strcmp(schema_name, "main") != 0 || !sc_text_is(schema->table, first))
        return SQLITE_DENY;
    if (rows->is_finding_key && second[0] != '\0')
        return note_key(rows, second);
    if (rows->key_column != NULL && strcmp(second, rows->key_column) == 0)
        return SQLITE_OK;
    /* A table of which no column is asked for is read with no name. */
    const sc_text column = sc_text_of(second);
    return column.bytes == 0 || sc_text_equal(column, schema->unit) ||
                   sc_schema_column(schema, column) != NULL
               ? SQLITE_OK
               : SQLITE_DENY;
}

/* Statements. */

/* A name between double quotes. */
static void put_name(sc_text_sink *sink, sc_text name)
{
    sc_text_put(sink, sc_text_of("\""));
    for (size_t i = 0; i < name.bytes; i++)
        sc_text_put_times(sink, name.start[i], name.start[i] == '"' ? 2 : 1);
    sc_text_put(sink, sc_text_of("\""));
}

static void put_column(sc_text_sink *sink, const sc_sqlite_rows *rows, size_t column)
{
    const sc_batch_request *request = rows->request;
    const sc_schema *schema = request->schema;
    if (column > request->column_count)
        sc_text_put(sink, sc_text_of(rows->key == NULL ? "1" : rows->key));
    else if (column > 0)
        put_name(sink, schema->columns[request->columns[column - 1]].name);
    else if (schema->unit.bytes > 0)
        put_name(sink, schema->unit);
    else
        sc_text_put(sink, sc_text_of("1"));
}

/* These columns of the rows from a position on, or of the first row there. */
static void put_statement(sc_text_sink *sink, const sc_sqlite_rows *rows, size_t from,
                          size_t to, bool is_one)
{
    sc_text_put(sink, sc_text_of("SELECT "));
    for (size_t i = from; i < to; i++) {
        sc_text_put(sink, sc_text_of(i > from ? "," : ""));
        put_column(sink, rows, i);
    }
    sc_text_put(sink, sc_text_of(" FROM main."));
    put_name(sink, rows->request->schema->table);
    sc_text_put(sink, sc_text_of(" NOT INDEXED"));
    if (rows->key == NULL) {
        sc_text_put(sink, sc_text_of(is_one ? " LIMIT 1" : " LIMIT -1"));
        sc_text_put(sink, sc_text_of(" OFFSET ?1"));
        return;
    }
    sc_text_put(sink, sc_text_of(" WHERE "));
    sc_text_put(sink, sc_text_of(rows->key));
    sc_text_put(sink, sc_text_of(">=?1 ORDER BY "));
    sc_text_put(sink, sc_text_of(rows->key));
    sc_text_put(sink, sc_text_of(is_one ? " LIMIT 1" : ""));
}

static int prepare_columns(const sc_sqlite_rows *rows, size_t from, size_t to,
                           bool is_one, sqlite3_stmt **out)
{
    sc_text_sink sink;
    sc_text_sink_init(&sink, NULL, 0);
    put_statement(&sink, rows, from, to, is_one);
    char *text = sc_allocate(sink.length + 1, 1);
    if (text == NULL)
        return SQLITE_NOMEM;
    sc_text_sink_init(&sink, text, sink.length + 1);
    put_statement(&sink, rows, from, to, is_one);
    const int code = sqlite3_prepare_v2(rows->connection, text, -1, out, NULL);
    sc_free(text);
    return code;
}

/* Has the table a column of that name? */
static int has_column(const sc_sqlite_rows *rows, const char *name, bool *has)
{
    static const char question[] = "SELECT 1 FROM pragma_table_xinfo(?1) "
                                   "WHERE name = ?2 COLLATE NOCASE";
    const sc_text table = rows->request->schema->table;
    sqlite3_stmt *statement = NULL;
    int code = sqlite3_prepare_v2(rows->connection, question, -1, &statement, NULL);
    if (code == SQLITE_OK)
        code =
            sqlite3_bind_text(statement, 1, table.start, (int)table.bytes, SQLITE_STATIC);
    if (code == SQLITE_OK)
        code = sqlite3_bind_text(statement, 2, name, -1, SQLITE_STATIC);
    if (code == SQLITE_OK)
        code = sqlite3_step(statement);
    *has = code != SQLITE_DONE;
    (void)sqlite3_finalize(statement);
    return code == SQLITE_ROW || code == SQLITE_DONE ? SQLITE_OK : code;
}

/* A name for the key of a row that no column has taken; none where the table has no such keys. */
static int find_key(sc_sqlite_rows *rows)
{
    static const char *const names[] = {"rowid", "_rowid_", "oid"};
    const size_t last = rows->request->column_count + 1;
    int code = SQLITE_OK;
    for (size_t i = 0; code == SQLITE_OK && rows->key == NULL && i < 3; i++) {
        bool is_taken;
        code = has_column(rows, names[i], &is_taken);
        if (code == SQLITE_OK && !is_taken)
            rows->key = names[i];
    }
    if (code == SQLITE_OK)
        code = sqlite3_set_authorizer(rows->connection, allow, rows);
    if (code != SQLITE_OK || rows->key == NULL)
        return code;
    rows->is_finding_key = true;
    code = prepare_columns(rows, last, last + 1, true, &rows->next_key);
    rows->is_finding_key = false;
    if ((code & 0xff) != SQLITE_ERROR)
        return code;
    rows->key = NULL; /* a table WITHOUT ROWID */
    return SQLITE_OK;
}

int sc_sqlite_rows_prepare(sc_sqlite_rows *rows, sqlite3 *connection,
                           const sc_batch_request *request)
{
    const size_t columns = request->column_count + 1;
    *rows = (sc_sqlite_rows){.request = request, .connection = connection};
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers */
    rows->cells = sc_allocate(columns, sizeof *rows->cells);
    rows->is_unread = sc_allocate(columns, sizeof *rows->is_unread);
    if (rows->cells == NULL || rows->is_unread == NULL)
        return SQLITE_NOMEM;
    int code = find_key(rows);
    rows->position = rows->key == NULL ? 0 : INT64_MIN;
    if (code == SQLITE_OK)
        code = prepare_columns(rows, 0, columns + 1, false, &rows->rows);
    for (size_t i = 0; code == SQLITE_OK && i < columns; i++)
        code = prepare_columns(rows, i, i + 1, true, &rows->cells[i]);
    if (code == SQLITE_OK)
        code = sqlite3_bind_int64(rows->rows, 1, rows->position);
    return code;
}

void sc_sqlite_rows_clear(sc_sqlite_rows *rows)
{
    (void)sqlite3_finalize(rows->rows);
    (void)sqlite3_finalize(rows->next_key);
    for (size_t i = 0; rows->cells != NULL && i <= rows->request->column_count; i++)
        (void)sqlite3_finalize(rows->cells[i]);
    sc_free(rows->cells);
    sc_free(rows->is_unread);
    sc_free(rows->key_column);
    *rows = (sc_sqlite_rows){.request = NULL};
}

/* Rows. */

static void end_cells(const sc_sqlite_rows *rows)
{
    for (size_t i = 0; i <= rows->request->column_count; i++)
        (void)sqlite3_reset(rows->cells[i]);
}

/* Where the row is that comes next. */
static int find_next(sc_sqlite_rows *rows)
{
    if (rows->key == NULL)
        return SQLITE_ROW;
    int code = sqlite3_bind_int64(rows->next_key, 1, rows->position);
    if (code == SQLITE_OK)
        code = sqlite3_step(rows->next_key);
    if (code == SQLITE_ROW)
        rows->position = sqlite3_column_int64(rows->next_key, 0);
    (void)sqlite3_reset(rows->next_key);
    return code;
}

/* Notes that the row at the position was read. */
static void pass_row(sc_sqlite_rows *rows)
{
    rows->is_last = rows->position == INT64_MAX;
    rows->position += !rows->is_last;
}

static int step_cell(const sc_sqlite_rows *rows, size_t column)
{
    const int code = sqlite3_bind_int64(rows->cells[column], 1, rows->position);
    return code == SQLITE_OK ? sqlite3_step(rows->cells[column]) : code;
}

/* Reads the next row, which has a value that is too long, value by value. All are tried before any
 * is held: when a statement fails, SQLite copies the keys of rows that others are reading, and of
 * a table WITHOUT ROWID that is the whole row. */
static int step_apart(sc_sqlite_rows *rows)
{
    const size_t columns = rows->request->column_count + 1;
    int code = find_next(rows);
    for (size_t i = 0; code == SQLITE_ROW && i < columns; i++) {
        code = step_cell(rows, i);
        (void)sqlite3_reset(rows->cells[i]);
        rows->is_unread[i] = (code & 0xff) == SQLITE_TOOBIG;
        if (rows->is_unread[i])
            code = SQLITE_ROW;
    }
    for (size_t i = 0; code == SQLITE_ROW && i < columns; i++)
        if (!rows->is_unread[i])
            code = step_cell(rows, i);
    rows->is_apart = true;
    pass_row(rows);
    return code == SQLITE_DONE ? SQLITE_ERROR : code; /* it was there a moment ago */
}

int sc_sqlite_rows_step(sc_sqlite_rows *rows)
{
    int code = SQLITE_OK;
    if (rows->is_apart) {
        rows->is_apart = false;
        end_cells(rows);
        code = sqlite3_bind_int64(rows->rows, 1, rows->position);
    }
    if (rows->is_last)
        return SQLITE_DONE;
    if (code == SQLITE_OK)
        code = sqlite3_step(rows->rows);
    if ((code & 0xff) == SQLITE_TOOBIG) {
        (void)sqlite3_reset(rows->rows);
        return step_apart(rows);
    }
    if (code == SQLITE_ROW) {
        if (rows->key != NULL)
            rows->position =
                sqlite3_column_int64(rows->rows, (int)rows->request->column_count + 1);
        pass_row(rows);
    }
    return code;
}

void sc_sqlite_rows_end(sc_sqlite_rows *rows)
{
    rows->is_apart = false;
    end_cells(rows);
    (void)sqlite3_reset(rows->rows);
}

/* Names. */

/* One that breaks its line, or that no policy can say, is not among them. */
static int put_names(sqlite3_stmt *statement, sc_text_sink *sink)
{
    int code;
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
        const char *bytes = (const char *)sqlite3_column_text(statement, 0);
        const sc_text name = {bytes, (size_t)sqlite3_column_bytes(statement, 0)};
        if (bytes == NULL)
            return SQLITE_NOMEM;
        if (!sc_column_is_name(name))
            continue;
        sc_text_put(sink, name);
        sc_text_put(sink, sc_text_of("\n"));
    }
    return code == SQLITE_DONE ? sqlite3_reset(statement) : code;
}

static int list_names(sqlite3 *connection, const char *question, sc_text table,
                      char **names)
{
    sc_text_sink sink;
    sqlite3_stmt *statement = NULL;
    int code = sqlite3_prepare_v2(connection, question, -1, &statement, NULL);
    if (code == SQLITE_OK && table.bytes > 0)
        code =
            sqlite3_bind_text(statement, 1, table.start, (int)table.bytes, SQLITE_STATIC);
    sc_text_sink_init(&sink, NULL, 0);
    if (code == SQLITE_OK)
        code = put_names(statement, &sink);
    if (code == SQLITE_OK && (*names = sc_allocate(sink.length + 1, 1)) == NULL)
        code = SQLITE_NOMEM;
    if (code == SQLITE_OK) {
        sc_text_sink_init(&sink, *names, sink.length + 1);
        code = put_names(statement, &sink);
    }
    (void)sqlite3_finalize(statement);
    return code;
}

int sc_sqlite_names(sqlite3 *connection, sc_text table, char **names)
{
    return list_names(connection,
                      "SELECT name FROM pragma_table_xinfo(?1) "
                      "WHERE hidden IN (0, 3) ORDER BY cid",
                      table, names);
}

int sc_sqlite_tables(sqlite3 *connection, char **names)
{
    return list_names(connection,
                      "SELECT name FROM main.sqlite_master WHERE type = 'table' AND "
                      "rootpage > 0 AND substr(name, 1, 7) <> 'sqlite_' ORDER BY name",
                      (sc_text){NULL, 0}, names);
}
