/* Random tables as texts of cells, with a type of Arrow for each column that can hold them: the same rows
 * for a CSV file, a table of SQLite and a feed. The columns are
 *
 *     p  the unit      x  whole numbers     y  decimals      b  true or false
 *     d  dates         e  timestamps        t  text          k  text with public keys
 */
#ifndef FEED_CELLS_H
#define FEED_CELLS_H

#include "arrow_batch.h"
#include "random/bits.h"

#include <sqlite3.h>
#include <stdio.h>

#define FEED_COLUMNS 8

typedef struct feed_cells {
    arrow_cells columns[FEED_COLUMNS];
    const char **texts[FEED_COLUMNS];
    size_t rows;
    char *memory;
} feed_cells;

/* The lines of a policy for the columns, without source, unit and bounds. */
extern const char feed_cells_policy[];

/* False, with a failed check, without memory or bits. */
bool feed_cells_make(feed_cells *cells, sc_bits *bits, size_t rows);
void feed_cells_clear(feed_cells *cells);
/* Rows in another order. */
void feed_cells_shuffle(feed_cells *cells, sc_bits *bits);

/* A CSV file of them, and a table t in a database file. */
bool feed_cells_csv(const feed_cells *cells, const char *path);
bool feed_cells_sqlite(const feed_cells *cells, const char *path);

#endif
