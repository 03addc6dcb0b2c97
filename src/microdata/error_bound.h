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
#ifndef SC_MICRODATA_ERROR_BOUND_H
#define SC_MICRODATA_ERROR_BOUND_H

#include <stddef.h>

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
