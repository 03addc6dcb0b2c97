/* The rows of a table of a SQLite file, one after the other, without values that are too long: of
 * a row that has one the values are read one by one, and that one is not. So no value comes into
 * memory that is longer than the limit of its connection (SQLITE_LIMIT_LENGTH).
 *
 * Rows are found again by the key that SQLite gives them (rowid). A table that has none is read by
 * counting rows, where each row with a value that is too long takes the time of all before it.
 */
#ifndef SC_DATA_SQLITE_SOURCE_ROWS_H
#define SC_DATA_SQLITE_SOURCE_ROWS_H

#include "data/source/batch.h"

#include <sqlite3.h>

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
