/* How much each noise of an even tree with tables weighs in the estimate of a node's total, or of a cell of its table.
 *
 * A noisy count of query B at level k enters the effect A, within B, with the share V(A)/(V(B) prod_{B without A} d), and each
 * effect has the weights of noise_weights.h. In the estimate of a cell the weight depends on the columns in which the cell and
 * the noisy one agree: column m of A gives 1 - 1/d where they do and -1/d where they do not.
 *
 * Claim      table-terms.whole  the sum of c^2 V over all noisy counts is the variance of the estimate
 * Reference  spec/synthetic.md 5
 */
#ifndef SC_MICRODATA_TABLE_TERMS_H
#define SC_MICRODATA_TABLE_TERMS_H

#include "microdata/noise_weights.h"
#include "microdata/table_effects.h"

/* A query, of the table in question or of others, which enter by totals alone. */
typedef struct sc_term_query {
    size_t level;
    unsigned columns; /* of the table in question */
    size_t cells;     /* of each node */
    double variance;
    bool is_own;
} sc_term_query;

typedef struct sc_term_list {
    sc_noise_term *terms; /* level is the place of the query */
    size_t count, capacity;
} sc_term_list;

/* table is NULL for the total of a node. False without memory; the list is freed by sc_free of its terms. */
bool sc_table_terms(const sc_squares *total, const sc_table_squares *table,
                    const sc_term_query *queries, size_t count, size_t level,
                    sc_term_list *out);

#endif
