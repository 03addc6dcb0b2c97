/* Walks through a table with others beside it, and the sums and products that models are made of.
 *
 * A walk goes through the cells of one clique's table in their order. Each table beside it belongs to a
 * subset of the clique's columns and has a step an axis, 0 where it lacks the column. Columns that are
 * neighbours in all tables become one axis, so that inner loops are long.
 */
#ifndef SC_SYNTH_TABLE_AXES_H
#define SC_SYNTH_TABLE_AXES_H

#include "synth/model/clique.h"

#define SC_TABLE_BESIDE_MAX 3
/* Sums below this count as 0 where something is divided by them, so that no quotient overflows. */
#define SC_TABLE_TINY 0x1p-960

typedef struct sc_table_axis {
    size_t size;
    size_t steps[SC_TABLE_BESIDE_MAX];
} sc_table_axis;

typedef struct sc_table_axes {
    size_t count;
    size_t cells; /* of the walk */
    sc_table_axis list[SC_SYNTH_COLUMNS_MAX];
} sc_table_axes;

/* The walk of a clique with `count` tables beside it, whose cliques lie inside it. */
void sc_table_axes_set(const sc_synth_columns *columns, sc_clique walked,
                       const sc_clique *beside, size_t count, sc_table_axes *out);

/* A walk with one table beside it, for sums and products between the two tables: outer axes, and
 * a block of rows by columns within. */
typedef struct sc_table_fold {
    size_t outer;                       /* axes */
    size_t sizes[SC_SYNTH_COLUMNS_MAX]; /* of them */
    size_t steps[SC_SYNTH_COLUMNS_MAX]; /* of the table beside */
    size_t rows, columns;               /* of a block */
    bool is_along; /* a block's small part runs along its columns, else along its rows */
    size_t small;  /* cells of the table beside */
} sc_table_fold;

void sc_table_fold_set(const sc_synth_columns *columns, sc_clique large, sc_clique small,
                       sc_table_fold *out);

/* small[s] = sum of large[cells whose small part is s]. */
void sc_table_sum(const sc_table_fold *fold, const double *large, double *small);
/* The same, added to what is there. */
void sc_table_sum_more(const sc_table_fold *fold, const double *large, double *small);
/* large[cell] += small[its part], and *= */
void sc_table_add(const sc_table_fold *fold, const double *small, double *large);
void sc_table_multiply(const sc_table_fold *fold, const double *small, double *large);

/* The contraction out[o] = sum over the walk of a[..] b[..]: the tables beside the walk are a, b and
 * out, of out_cells cells. */
void sc_table_contract(const sc_table_axes *axes, const double *a, const double *b,
                       double *out, size_t out_cells);

/* The largest element; -inf of none. */
double sc_table_largest(const double *table, size_t cells);
double sc_table_total(const double *table, size_t cells);
/* table[i] / divisor * factor, divisor > 0: neither step overflows where the table sums up to divisor. */
void sc_table_rescale(double *table, size_t cells, double divisor, double factor);

#endif
