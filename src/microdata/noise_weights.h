/* Weights of each noise in an estimate, for even trees, other trees, and trees with tables, and
 * the intervals from them. */
#ifndef SC_MICRODATA_NOISE_WEIGHTS_H
#define SC_MICRODATA_NOISE_WEIGHTS_H

#include "microdata/combined_noise.h"
#include "microdata/table_effects.h"

/* How much each noise of an even tree weighs in the estimate of a node, and intervals that follow.
 *
 * The error of an estimate is F(v) - truth = sum over nodes u of c(u) z(u). In an even tree c(u) depends on the level
 * of u and on the level at which the ways from the root to u and to v part, so that there are few different
 * weights, each of many nodes.
 *
 * Claim      noise-weights.whole  the weights of all nodes are those of the passes, and the sum of c^2 V is the
 *                                 variance of the estimate
 * Claim      half-width.sound     the error is beyond the half width with probability at most beta
 *
 * Half widths from weights are those of combined_noise.h; trees that are not even have bounds of weights.
 *
 * Reference  spec/synthetic.md 5
 */

/* By the level at which ways part, and the level of the node. */
typedef struct sc_noise_table {
    double weight[SC_TREE_LEVELS][SC_TREE_LEVELS];
} sc_noise_table;

#define SC_NOISE_TERMS (SC_TREE_LEVELS * (SC_TREE_LEVELS + 1) / 2)

/* The terms of the nodes of a level of an even tree; returns how many there are. terms has room for
 * SC_NOISE_TERMS. */
size_t sc_noise_terms(const sc_squares *squares, size_t level, sc_noise_term *terms);

/* Terms of weights of single nodes, level by level: those within an eighth of an octave are one term of the largest of them,
 * with the sum of their squares (the part on path weights below says why that holds). Returns how many; terms has room for
 * SC_NOISE_BINS for each level. */
#define SC_NOISE_BINS 128
size_t sc_noise_collect(const double *weights, const size_t *starts, size_t levels,
                        sc_noise_term *terms);

/* How much each noise of a tree that is not even weighs in the estimate of a node, and the interval that follows.
 *
 * Below a child c of v all noises enter the estimate of any node outside of c by e(c) alone (least_squares.h), and so with the
 * weights that they have in e(c), times one number. So for each inner node three numbers of each level below it are enough: the
 * sum of the squares of the weights in the e of its children, the largest of them, the largest below the other children, and how many there are.
 * The way from the root to a node then gives its terms: for each level of each part that the way leaves aside, the sum Q of
 * squares and a bound M of the weights.
 *
 * All even cumulants of discrete Laplace noise are positive, so ln M(s c)/c^2 rises with |c|, and the moments of such a part are
 * at most those of Q/M^2 noises of weight M: noise_weights.h then gives a half width that holds.
 *
 * Claim      path-weights.whole  the sum of Q V over all terms is the variance of the estimate, and no weight is above its M
 * Time       levels squared for a node, 28 bytes for each inner node and level
 * Reference  spec/synthetic.md 5
 */

/* Levels of a tree that has such weights. */
#define SC_PATH_LEVELS 32
#define SC_PATH_TERMS (SC_PATH_LEVELS * (SC_PATH_LEVELS + 3) / 2)

typedef struct sc_path_weights {
    const sc_squares *squares; /* of a tree that is not even */
    const uint32_t *parents;
    const size_t *starts; /* the first node of each level, and their number */
    size_t levels;
    double *squares_below, *most_below, *next_below; /* of each inner node, by level */
    uint32_t *noises_below;
} sc_path_weights;

/* The arguments must outlive it. SCRIM_E_LIMIT for more than SC_PATH_LEVELS, SCRIM_E_MEMORY. Freed by sc_path_weights_clear,
 * also on failure. */
SCRIM_MUST_USE scrim_status sc_path_weights_init(sc_path_weights *weights,
                                                 const sc_squares *squares,
                                                 const uint32_t *parents,
                                                 const size_t *starts, size_t levels,
                                                 scrim_error *error);
void sc_path_weights_clear(sc_path_weights *weights);

/* The terms of a node of a level: weight is M and count is Q/M^2. Returns how many there are; terms has room for
 * SC_PATH_TERMS. */
size_t sc_path_terms(const sc_path_weights *weights, size_t node, size_t level,
                     sc_noise_term *terms);

/* The half widths of all nodes, by the noises of levels. SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_path_half_widths(const sc_path_weights *weights,
                                                const sc_level_noise *noises, double beta,
                                                double *widths, scrim_error *error);

/* How much each noise of an even tree with tables weighs in the estimate of a node's total, or of a cell of its table.
 *
 * A noisy count of query B at level k enters the effect A, within B, with the share V(A)/(V(B) prod_{B without A} d), and each
 * effect has the weights of noise_weights.h. In the estimate of a cell the weight depends on the columns in which the cell and
 * the noisy one agree: column m of A gives 1 - 1/d where they do and -1/d where they do not.
 *
 * Claim      table-terms.whole  the sum of c^2 V over all noisy counts is the variance of the estimate
 * Reference  spec/synthetic.md 5
 */

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
