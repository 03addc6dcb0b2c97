/* The same rows in a CSV file with its policy, in a table r of SQLite and in one of PostgreSQL. */
#ifndef SQL_TWIN_H
#define SQL_TWIN_H

#include "data/value/schema.h"
#include "dialects.h"
#include "postgres_session.h"

#include <sqlite3.h>
#include <stdio.h>

typedef struct sql_twin {
    char path[64];
    FILE *file;
    sqlite3 *sqlite;
    postgres_session *postgres; /* NULL: none */
    const sc_schema *schema;
} sql_twin;

/* columns: their names, apart by commas; those of PostgreSQL with types. */
bool sql_twin_begin(sql_twin *twin, postgres_session *postgres, const char *columns,
                    const char *postgres_columns);

/* As the file has it, and what the others take for its value. */
typedef struct sql_cell {
    char text[60], sqlite[120], postgres[60];
} sql_cell;

/* A cell whose value is the same for both. */
void sql_cell_set(sql_cell *cell, const char *text, const char *value);

/* record: what the file has for the row; NULL: its cells. */
bool sql_twin_row(sql_twin *twin, const sql_cell *cells, size_t count,
                  const char *record);
/* After all rows: lines of the policy but that of the file. */
bool sql_twin_declare(sql_twin *twin, const char *lines);
void sql_twin_end(sql_twin *twin);

bool sql_twin_ask(const sql_twin *twin, dialect of, const char *question,
                  sql_answer *out);

#endif
