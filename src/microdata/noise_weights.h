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
 * Half widths. Discrete Gaussian noise is sub-Gaussian with its variance parameter: sqrt(2 U ln(2/beta)). Discrete
 * Laplace noise of rate w, x = exp(-w), has E exp(s z) = M(s) = (1 - x)^2/((1 - x e^s)(1 - x e^-s)), so that any s
 * below all w/|c| gives (ln(2/beta) + sum ln M(s c))/s; the smallest is taken (Chernoff). Trees that are not even have
 * bounds of weights (path_weights.h). Where there are none Chebyshev's sqrt(U/beta) holds for any noise.
 *
 * Reference  spec/synthetic.md 5
 */
#ifndef SC_MICRODATA_NOISE_WEIGHTS_H
#define SC_MICRODATA_NOISE_WEIGHTS_H

#include "microdata/least_squares.h"

typedef struct sc_noise_term {
    double weight;
    double count; /* nodes of this weight */
    size_t level; /* of these nodes */
} sc_noise_term;

/* By the level at which ways part, and the level of the node. */
typedef struct sc_noise_table {
    double weight[SC_TREE_LEVELS][SC_TREE_LEVELS];
} sc_noise_table;

/* The weights in the estimate of a node of a level of an even tree. */
void sc_noise_table_find(const sc_squares *squares, size_t level, sc_noise_table *out);
/* How many nodes of level k have ways that part at level i from that of a node of a level. */
double sc_noise_nodes(const sc_squares *squares, size_t level, size_t i, size_t k);

#define SC_NOISE_TERMS (SC_TREE_LEVELS * (SC_TREE_LEVELS + 1) / 2)

/* The terms of the nodes of a level of an even tree; returns how many there are. terms has room for
 * SC_NOISE_TERMS. */
size_t sc_noise_terms(const sc_squares *squares, size_t level, sc_noise_term *terms);

double sc_half_width_gaussian(double variance, double beta);
double sc_half_width_any(double variance, double beta);
/* rates of each level. */
double sc_half_width_laplace(const sc_noise_term *terms, size_t count,
                             const double *rates, double beta);

/* The same from a slope s nearby, which is left at a better one: some turns of a search and not all of it. 0: from nowhere. */
double sc_half_width_laplace_near(const sc_noise_term *terms, size_t count,
                                  const double *rates, double beta, double *s);

/* Terms of weights of single nodes, level by level: those within an eighth of an octave are one term of the largest of them,
 * with the sum of their squares (path_weights.h says why that holds). Returns how many; terms has room for
 * SC_NOISE_BINS for each level. */
#define SC_NOISE_BINS 128
size_t sc_noise_collect(const double *weights, const size_t *starts, size_t levels,
                        sc_noise_term *terms);

/* The smallest t with Pr[|sum of c z| > t] <= beta, for whole weights c of at most 2^20 in all and Laplace noise
 * of one rate: by convolution. -1 without memory, or where it would take more than 2^24 numbers. */
int64_t sc_laplace_quantile(const int64_t *weights, size_t count, double rate,
                            double beta);

#endif
