/* How much each noise of a tree that is not even weighs in the estimate of a node, and the interval that follows.
 *
 * Below a child c of v all noises enter the estimate of any node outside of c by e(c) alone (least_squares.h), and so with the
 * weights that they have in e(c), times one number. So for each inner node three numbers of each level below it are enough: the
 * sum of the squares of the weights in the e of its children, the largest of them, and the largest below the other children.
 * The way from the root to a node then gives its terms: for each level of each part that the way leaves aside, the sum Q of
 * squares and a bound M of the weights.
 *
 * All even cumulants of discrete Laplace noise are positive, so ln M(s c)/c^2 rises with |c|, and the moments of such a part are
 * at most those of Q/M^2 noises of weight M: noise_weights.h then gives a half width that holds.
 *
 * Claim      path-weights.whole  the sum of Q V over all terms is the variance of the estimate, and no weight is above its M
 * Time       levels squared for a node, 24 bytes for each inner node and level
 * Reference  spec/synthetic.md 5
 */
#ifndef SC_MICRODATA_PATH_WEIGHTS_H
#define SC_MICRODATA_PATH_WEIGHTS_H

#include "microdata/noise_weights.h"

/* Levels of a tree that has such weights. */
#define SC_PATH_LEVELS 32
#define SC_PATH_TERMS (SC_PATH_LEVELS * (SC_PATH_LEVELS + 3) / 2)

typedef struct sc_path_weights {
    const sc_squares *squares; /* of a tree that is not even */
    const uint32_t *parents;
    const size_t *starts; /* the first node of each level, and their number */
    size_t levels;
    double *squares_below, *most_below, *next_below; /* of each inner node, by level */
} sc_path_weights;

/* What is given must outlive it. SCRIM_E_LIMIT for more than SC_PATH_LEVELS, SCRIM_E_MEMORY. Freed by sc_path_weights_clear,
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

/* The half widths of all nodes, where noise is Laplace's of these rates of levels. SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_path_half_widths(const sc_path_weights *weights,
                                                const double *rates, double beta,
                                                double *widths, scrim_error *error);

#endif
