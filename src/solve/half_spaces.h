/* An intersection of half-spaces { x : <a_i, x> <= b_i }, and the few sums that are needed of it. */
#ifndef SC_SOLVE_HALF_SPACES_H
#define SC_SOLVE_HALF_SPACES_H

#include <stddef.h>

typedef struct sc_half_spaces {
    size_t dimension, count;
    const double *a; /* row after row */
    const double *b;
} sc_half_spaces;

double sc_dot(const double *x, const double *y, size_t count);
double sc_norm(const double *x, size_t count);
/* y + factor x, into y. */
void sc_add_times(double *y, double factor, const double *x, size_t count);
/* Ax for each row. */
void sc_half_spaces_times(const sc_half_spaces *spaces, const double *x, double *out);
/* b - Ax. */
void sc_half_spaces_slack(const sc_half_spaces *spaces, const double *x, double *out);

#endif
