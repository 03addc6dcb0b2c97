/* Linear queries about the counts of public bins: their coefficients, as whole numbers of steps.
 *
 * They are given one query behind the other, or as a workload: prefix, query i is the sum of the bins 1 to i; ranges,
 * all sums of neighbouring bins; subsets, all sets of bins but the empty one; each, every bin by itself; marginals, every
 * cell of every table of this many columns, where the bins are the cells of a table of all columns, the last one fastest.
 * A step is the parameter grid, 1 unless given; a coefficient is from 0 to 1. A predicate has the coefficients 0 and 1.
 */
#ifndef SC_MECHANISM_LINEAR_MATRIX_H
#define SC_MECHANISM_LINEAR_MATRIX_H

#include "model/measurement.h"

#define SC_LINEAR_BINS 256
#define SC_LINEAR_QUERIES 4096

/* The parameters, for the lists. */
extern const char *const sc_linear_workloads[];
#define SC_LINEAR_MATRIX_PARAMETERS                                                      \
    {.name = "bins",                                                                     \
     .kind = SC_PARAMETER_INTEGER,                                                       \
     .at_least = "1",                                                                    \
     .limit_high = "256",                                                                \
     .domain = "the number of bins, an integer from 1 to 256"},                          \
        {.name = "coefficients",                                                         \
         .kind = SC_PARAMETER_RATIONALS,                                                 \
         .optional = true,                                                               \
         .at_least = "0",                                                                \
         .at_most = "1",                                                                 \
         .domain = "numbers from 0 to 1, bins of them for each query"},                  \
        SC_RULE_WORD("workload", sc_linear_workloads,                                    \
                     "prefix, ranges, subsets, each or marginals"),                      \
        {.name = "columns",                                                              \
         .kind = SC_PARAMETER_RATIONALS,                                                 \
         .optional = true,                                                               \
         .at_least = "1",                                                                \
         .limit_high = "256",                                                            \
         .domain =                                                                       \
             "of marginals: the number of values of each column, 1 to 8 integers"},      \
        SC_RULE_COUNT("ways", "8",                                                       \
                      "of marginals: how many columns each has, an integer from 1 to 8")

/* Columns of marginals, and tables of some of them. */
#define SC_LINEAR_COLUMNS 8
#define SC_LINEAR_TABLES 70

typedef struct sc_linear_matrix {
    size_t bins, queries, kind;
    /* For marginals: the sizes of the columns; tables as sets of columns, bit i for column i, and their first queries. */
    size_t column_count, sizes[SC_LINEAR_COLUMNS];
    size_t table_count, firsts[SC_LINEAR_TABLES];
    unsigned tables[SC_LINEAR_TABLES];
    int64_t one; /* the coefficient 1, in steps; 0 if it is no whole number of steps */
    int64_t
        given[SC_LINEAR_BINS]; /* in steps; at most SC_PARAMETER_ITEMS are parameters */
} sc_linear_matrix;

/* SCRIM_E_PARAM unless exactly one of coefficients and workload was given, all are multiples of the grid, and columns
 * stand with marginals and have as many cells as there are bins. */
SCRIM_MUST_USE scrim_status sc_linear_matrix_read(const scrim_measurement *measurement,
                                                  sc_linear_matrix *out,
                                                  scrim_error *error);
/* Likewise where both may be left out: then there are no queries yet. */
SCRIM_MUST_USE scrim_status sc_linear_matrix_read_any(
    const scrim_measurement *measurement, sc_linear_matrix *out, scrim_error *error);
/* One query of such a measurement, "1,0,0.5": a coefficient for each bin. SCRIM_E_PARAM, and out is
 * unchanged, if the text is not that. */
SCRIM_MUST_USE scrim_status
sc_linear_matrix_read_query(const scrim_measurement *measurement, sc_text text,
                            sc_linear_matrix *out, scrim_error *error);
/* The number of queries of a measurement that has passed its check. */
size_t sc_linear_matrix_load(const scrim_measurement *measurement, sc_linear_matrix *out);
/* The coefficient 1 in steps, 1/grid: SCRIM_E_PARAM unless it is an integer of at most `most`. */
SCRIM_MUST_USE scrim_status sc_linear_matrix_steps(const scrim_measurement *measurement,
                                                   int most, int64_t *out,
                                                   scrim_error *error);
bool sc_linear_matrix_is_given(const sc_linear_matrix *matrix);
int64_t sc_linear_matrix_at(const sc_linear_matrix *matrix, size_t query, size_t bin);

#endif
