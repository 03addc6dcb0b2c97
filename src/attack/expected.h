/* Exact chances of attacks, which their tables show beside what was measured. */
#ifndef SC_ATTACK_EXPECTED_H
#define SC_ATTACK_EXPECTED_H

#include <stdbool.h>

/* The guess from two counts with discrete Laplace noise of scale 1/epsilon each: above 0 is 1. */
double sc_difference_expected(double epsilon);
/* P(|S| < repeats/2), S the sum of so many discrete Laplace draws: their mean, rounded, is the truth.
 * False without memory. */
bool sc_average_expected(double scale, unsigned repeats, double *out);

#endif
