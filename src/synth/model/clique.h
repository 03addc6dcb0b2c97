/* Sets of columns of a synthesiser, and linear queries about them. */
#ifndef SC_SYNTH_CLIQUE_H
#define SC_SYNTH_CLIQUE_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Columns of a synthesiser, sets of them, and the order of cells in a table.
 *
 * A column takes the values 0 .. size - 1. A clique is a set of columns; bit i stands for column i.
 * The table of a clique is row-major: columns in ascending order, the last one fastest. The table
 * of the empty clique has one cell.
 */

#define SC_SYNTH_COLUMNS_MAX 64
#define SC_SYNTH_SIZE_MAX ((uint32_t)1 << 24)
/* No table of a model has more cells. */
#define SC_SYNTH_CELLS_MAX ((uint64_t)1 << 30)

typedef struct sc_synth_columns {
    size_t count;
    uint32_t sizes[SC_SYNTH_COLUMNS_MAX];
} sc_synth_columns;

typedef uint64_t sc_clique;

/* SCRIM_E_PARAM unless there are 1 to SC_SYNTH_COLUMNS_MAX columns of 1 to SC_SYNTH_SIZE_MAX values. */
SCRIM_MUST_USE scrim_status sc_synth_columns_check(const sc_synth_columns *columns,
                                                   scrim_error *error);
/* All of them. */
sc_clique sc_synth_columns_all(const sc_synth_columns *columns);

static inline sc_clique sc_clique_of(size_t column)
{
    return (sc_clique)1 << column;
}
static inline bool sc_clique_is_inside(sc_clique inner, sc_clique outer)
{
    return (inner & ~outer) == 0;
}
static inline unsigned sc_clique_count(sc_clique clique)
{
    return (unsigned)__builtin_popcountll(clique);
}
/* The lowest column; the clique is not empty. */
static inline size_t sc_clique_first(sc_clique clique)
{
    return (size_t)__builtin_ctzll(clique);
}

/* The next larger set with as many columns; 0 behind the last one of 64. */
sc_clique sc_clique_next(sc_clique clique);
/* The number of cells, or UINT64_MAX where it does not fit. */
uint64_t sc_clique_cells(const sc_synth_columns *columns, sc_clique clique);

/* A linear query about rows: a value from 0 to 1 for each cell of some columns, numerators[cell]/den. A predicate has the
 * values 0 and 1. */

typedef struct sc_linear_query {
    sc_clique clique; /* its columns */
    const uint32_t *numerators;
    uint32_t den;
} sc_linear_query;

#endif
