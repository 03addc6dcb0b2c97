/* The sums behind the discrete Gaussian law. */
#ifndef SC_SAMPLING_DISCRETE_GAUSSIAN_LAW_H
#define SC_SAMPLING_DISCRETE_GAUSSIAN_LAW_H

#include "base/number/ball.h"

/* sum over all integers k of exp(-tau k^2), tau > 0: directly, or by Poisson's formula
 * sqrt(pi/tau) sum exp(-pi^2 k^2/tau), whichever is short. */
void sc_theta(const sc_ball *tau, long bits, sc_ball *out);

/* sum over k >= m of exp(-k^2/(2 variance)), m >= 1: term by term from the first, or by
 * Euler and Maclaurin with a proved remainder. Two roads to one number; both are exact
 * enclosures. */
void sc_gaussian_tail_by_terms(const sc_ratio *variance, sc_int128 m, long bits,
                               sc_ball *out);
void sc_gaussian_tail_by_integral(const sc_ratio *variance, sc_int128 m, long bits,
                                  sc_ball *out);

#endif
