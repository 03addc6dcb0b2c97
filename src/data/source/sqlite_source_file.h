/* A SQLite file that is read: its connection, the file behind it, and its rows. */
#ifndef SC_DATA_SQLITE_SOURCE_FILE_H
#define SC_DATA_SQLITE_SOURCE_FILE_H

#include "base/status.h"
#include "base/text.h"
#include "data/source/batch.h"
#include "data/source/source_content.h"

#include <sqlite3.h>

/* A connection as SQLite opens it, and not as the program around us has made it. A function that a
 * program registers by sqlite3_auto_extension runs on each connection of the process, on ours too: what
 * it hangs on them would see rows and the keys of noise (sqlite3_trace_v2), or leave out what we write
 * (sqlite3_set_authorizer, sqlite3_commit_hook). There is no way to open a connection without it, so that
 * all of it is taken back. Programs are trusted with their own memory: this is for accidents.
 *
 * Claim  sqlite-host.alone  nothing that a program has hung on a connection is called for a statement of
 *                           ours, and no table stands in the place of the file's (A97)
 */

/* For a connection that was just opened. SCRIM_E_STATE where there are tables on it that are not the
 * file's. What SQLite itself fails with is in code, and the status SCRIM_OK. */
SCRIM_MUST_USE scrim_status sc_sqlite_host_leave(sqlite3 *connection, int *code,
                                                 scrim_error *error);

/* A SQLite file, opened to be read and never written: no code that it contains runs, SQLite makes no file
 * beside it, and one with a log is refused, since its version cannot be known by the file. */

/* *out is set on failure too, and NULL or to be closed by the caller. The stamp is that of the file before it
 * was opened. SCRIM_E_INPUT, SCRIM_E_STATE when this program limits the memory of SQLite, SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_sqlite_file_open(sc_text path, sqlite3 **out,
                                                sc_source_stamp *stamp,
                                                scrim_error *error);
/* Bytes of the file, by SQLite's own descriptor: to close another would drop locks. A code of SQLite. */
SCRIM_MUST_USE int sc_sqlite_file_read(sqlite3 *connection, uint64_t offset, void *to,
                                       size_t bytes);
/* The failure of a code of SQLite. It speaks of the file, never of what SQLite says about its contents. */
scrim_status sc_sqlite_file_fail(int code, scrim_error *error);

/* The rows of a table of a SQLite file, one after the other, without values that are too long: of
 * a row that has one the values are read one by one, and that one is not. So no value comes into
 * memory that is longer than the limit of its connection (SQLITE_LIMIT_LENGTH).
 *
 * Rows are found again by the key that SQLite gives them (rowid). A table without rowid is read by
 * counting rows, where each row with a value that is too long takes the time of all before it.
 */

typedef struct sc_sqlite_rows {
    const sc_batch_request *request;
    sqlite3 *connection;
    sqlite3_stmt *rows;     /* the unit, the columns of the request, the row's key */
    sqlite3_stmt **cells;   /* each column of rows but the key, of one row alone */
    sqlite3_stmt *next_key; /* the key of the row that comes next */
    const char *key;        /* what a statement calls it; NULL: rows are counted */
    char *key_column;       /* the column that is read for it */
    bool is_finding_key;
    int64_t position; /* of the next row: the least that its key can be, or its number */
    bool is_last;     /* no row can come behind */
    bool is_apart;    /* the row is read value by value */
    bool *is_unread;  /* of such a row, by column: it is too long */
} sc_sqlite_rows;

/* Prepares the statements, which may read the declared columns of the one table and the keys of
 * its rows, and nothing else. connection and request are borrowed, and outlive it; rows stays where it
 * is. The result is SQLite's: SQLITE_OK, SQLITE_NOMEM, ... */
SCRIM_MUST_USE int sc_sqlite_rows_prepare(sc_sqlite_rows *rows, sqlite3 *connection,
                                          const sc_batch_request *request);
/* Also of zeros. */
void sc_sqlite_rows_clear(sc_sqlite_rows *rows);

/* Goes to the next row: SQLITE_ROW, SQLITE_DONE, or what failed. */
SCRIM_MUST_USE int sc_sqlite_rows_step(sc_sqlite_rows *rows);
/* Lets go of the lock on the file. */
void sc_sqlite_rows_end(sc_sqlite_rows *rows);

/* Where a value of the row is. */
typedef struct sc_sqlite_cell {
    sqlite3_stmt *statement; /* NULL: it is too long, and was not read */
    int column;
} sc_sqlite_cell;

/* Column 0 is the unit, those of the request come behind it. */
static inline sc_sqlite_cell sc_sqlite_rows_cell(const sc_sqlite_rows *rows,
                                                 size_t column)
{
    if (__builtin_expect(!rows->is_apart, 1))
        return (sc_sqlite_cell){rows->rows, (int)column};
    return (sc_sqlite_cell){rows->is_unread[column] ? NULL : rows->cells[column], 0};
}

/* SQLITE_NULL for what was not read. */
static inline int sc_sqlite_cell_type(sc_sqlite_cell cell)
{
    return cell.statement == NULL ? SQLITE_NULL
                                  : sqlite3_column_type(cell.statement, cell.column);
}

/* The names of the table's columns that are stored, in their order, one a line; freed by sc_free, also
 * where it fails. Before sc_sqlite_rows_prepare, which allows rows only. A code of SQLite. */
int sc_sqlite_names(sqlite3 *connection, sc_text table, char **names);
/* The same of the tables that have rows of their own, by their names. */
int sc_sqlite_tables(sqlite3 *connection, char **names);

#endif
