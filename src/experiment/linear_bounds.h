/* Parts of scrim_linear_bounds_of, for its tests. */
#ifndef SC_EXPERIMENT_LINEAR_BOUNDS_H
#define SC_EXPERIMENT_LINEAR_BOUNDS_H

#include "base/number/ball.h"
#include "scrim/worked.h"

/* ln C(N+m-1, m): how many multisets of m people there are. */
void sc_linear_multisets(uint64_t bins, uint64_t people, sc_ball *out);
/* The root of Theorem 6.12, rounded up by less than 1e-9. */
double sc_linear_cube_root(uint64_t queries, uint64_t bins, uint64_t people,
                           double epsilon, double beta);

#endif
