/* Least squares over a tree in doubles and in rationals, and the error of whole counts. */
#ifndef SC_MICRODATA_LEAST_SQUARES_H
#define SC_MICRODATA_LEAST_SQUARES_H

#include "base/number/ratio.h"
#include "base/status.h"
#include "mechanism/microdata/projection.h"

#include <stddef.h>

/* Estimates for all nodes of a tree from one noisy count of each: weighted least squares.
 *
 * Node v has a noisy count A(v) of variance V(v). V = 0: the count is known. V = INFINITY: the node was not
 * measured. Leaves must be measured. Two passes give the best linear unbiased estimate of every node:
 *
 *     up    leaf: e = A, V' = V.   inner: s = sum e(c), S = sum V'(c); e = (A S + s V)/(S + V), V' = V S/(S + V)
 *     down  root: F = e, U = V'.   child c of v, g = V'(c)/S: F(c) = e(c) + g (F(v) - s),
 *                                  U(c) = V'(c) - g V'(c) + g^2 U(v)
 *
 * U is the variance of F. 0/0 counts as 0. In an even tree all nodes of a level have as many children and the
 * same V: then V, V', S and U are kept for each level and not for each node.
 *
 * Claim      least-squares.best      F is the minimiser of sum (x(v) - A(v))^2/V(v) over trees whose parts
 *                                    add up, and U its variance
 * Claim      least-squares.adds-up   the estimates of the children add up to that of their parent
 * Time       linear in the nodes; 16 bytes for a node, and 32 more where the tree is not even
 * Reference  spec/synthetic.md 5, spec/microdata.md 5
 */

/* Levels of a tree that are kept apart. */
#define SC_TREE_LEVELS 64

typedef struct sc_squares {
    sc_tree_shape shape;
    bool is_even;
    size_t levels; /* of an even tree */
    size_t
        starts[SC_TREE_LEVELS +
               1]; /* of an even tree: the first node of each level, and their number */
    double *measured; /* V, */
    double *up;       /* V', */
    double *below;    /* S of an inner node, */
    double *final;    /* and U; of each node, or of each level */
} sc_squares;

/* Which of its arrays a node of an even tree is in; 0 .. levels - 1. */
size_t sc_squares_level(const sc_squares *squares, size_t node);

/* Computes V', S and U. variances has one number for each node. SCRIM_E_PARAM where a leaf is not
 * measured, or a variance is negative; SCRIM_E_MEMORY. Freed by sc_squares_clear, also on failure. */
SCRIM_MUST_USE scrim_status sc_squares_init(sc_squares *squares,
                                            const sc_tree_shape *shape,
                                            const double *variances, scrim_error *error);
/* The even tree whose node of level i has fanouts[i] children; variances of each level. The shape must be
 * that tree. */
SCRIM_MUST_USE scrim_status sc_squares_init_even(sc_squares *squares,
                                                 const sc_tree_shape *shape,
                                                 const size_t *fanouts, size_t levels,
                                                 const double *variances,
                                                 scrim_error *error);
void sc_squares_clear(sc_squares *squares);

/* Replaces noisy counts by estimates; those of nodes that were not measured may be anything finite. */
void sc_squares_estimate(const sc_squares *squares, double *values);
/* U of a node. */
double sc_squares_variance(const sc_squares *squares, size_t node);
/* The variance of the sum over leaves of weight times estimate; weights has a number for each node, of which
 * those of inner nodes are overwritten. spare has room for as many. */
double sc_squares_linear(const sc_squares *squares, double *weights, double *spare);
/* To be called after it: how much the noise of each node weighs in that sum; 0 for a node
 * without noise. noise may be the same memory as spare. */
void sc_squares_noise(const sc_squares *squares, const double *weights, double *noise);

/* The passes of least_squares.h in rationals, for trees of at most SC_EXACT_NODES nodes.
 *
 * A negative variance stands for a node that was not measured.
 *
 * Claim      exact-squares.equal  variances, and those of linear functions, are the numbers of the
 *                                 specification, without rounding
 * Reference  spec/synthetic.md 5
 */

#define SC_EXACT_NODES 4096

typedef struct sc_exact_squares {
    sc_tree_shape shape;
    size_t nodes;
    sc_ratio *measured, *up, *below, *final; /* V, V', S and U of each node */
} sc_exact_squares;

/* variances has one number for each node. SCRIM_E_LIMIT for a larger tree, SCRIM_E_PARAM where a leaf is not
 * measured, SCRIM_E_MEMORY. Freed by sc_exact_squares_clear, also on failure. */
SCRIM_MUST_USE scrim_status sc_exact_squares_init(sc_exact_squares *squares,
                                                  const sc_tree_shape *shape,
                                                  const sc_ratio *variances,
                                                  scrim_error *error);
void sc_exact_squares_clear(sc_exact_squares *squares);
/* The variance of the sum over leaves of weight times estimate. weights has a number for each node, of which
 * those of inner nodes are overwritten. SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_exact_squares_linear(const sc_exact_squares *squares,
                                                    sc_ratio *weights, sc_ratio *out,
                                                    scrim_error *error);

/* `count` rationals, all 0; NULL without memory. */
sc_ratio *sc_ratios_new(size_t count);
void sc_ratios_free(sc_ratio *ratios, size_t count); /* NULL is allowed */

/* How far the whole counts of a tree are from the truth, before anything is drawn: a bound for each level.
 *
 *     rms(level l) <= rms(z_root) + sum over levels i = 1 .. l of 2 sqrt(E max over siblings z^2)
 *
 * It is for the top-down counts of the noisy counts themselves. With least squares before them the error is
 * smaller as a rule, and no closed form is claimed.
 *
 * Claim      error-bound.level  the root mean square error of every node of a level is at most its bound
 * Reference  spec/microdata.md 5
 * Proof      error_bound.md
 */

typedef enum sc_tree_noise {
    SC_TREE_LAPLACE = 1, /* of a rate */
    SC_TREE_GAUSSIAN     /* of a variance */
} sc_tree_noise;

/* The noise of one level: its rate, or its variance. */
typedef struct sc_level_noise {
    sc_tree_noise kind;
    double amount;
} sc_level_noise;

/* The variance of one noise. */
double sc_level_variance(const sc_level_noise *noise);
/* bounds has a number for each level; fanouts[i] are the most children of a node of level i, one number less. */
void sc_error_bounds(const sc_level_noise *noise, const size_t *fanouts, size_t levels,
                     double *bounds);

#endif
