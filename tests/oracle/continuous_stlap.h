/* Shifted truncated Laplace noise on the real line: the law alone, to compare with. Nothing draws
 * it.
 *
 *     density   (epsilon/2) e^(-epsilon |z + q/2|) / (1 - e^(-epsilon q/2)),   -q <= z <= 0, q > 0 real
 *
 * Against a shift of 1 the ratio of densities is at most e^epsilon, and attained, so that delta at
 * epsilon is the mass P(Z > -1): expm1(epsilon) / (2 expm1(epsilon q/2)) from q = 2 on, more than
 * that formula below, and 1 up to q = 1. The sum of a count and of this noise was meant to be
 * rounded to the nearest integer; from a fraction q on that loses round(q) elements, more than q.
 *
 * With epsilon = 1/sqrt(q) it was published as private with delta (4/sqrt q) e^(-sqrt(q)/2), which
 * holds and is about eight times too large. With q = tau n, n the size of the data, it was
 * published as private with the delta of a fixed q, which is false: what is true is below.
 *
 * The balls hold the distribution and that of the rounded noise, its delta for any q, the delta that
 * was published for epsilon = 1/sqrt(q), and the epsilon and delta that a q of tau n can be shown to
 * have.
 *
 * Reference  spec/flexible-accuracy.md 6, 7
 */
#ifndef CONTINUOUS_STLAP_H
#define CONTINUOUS_STLAP_H

#include "base/number/ball.h"

/* P(Z <= z). epsilon > 0 and q > 0 may be any real numbers. */
void continuous_stlap_at_most(const sc_ball *epsilon, const sc_ratio *q,
                              const sc_ratio *z, long bits, sc_ball *out);
/* P(Z rounds to -lost), to the nearest integer. */
void continuous_stlap_rounded(const sc_ball *epsilon, const sc_ratio *q, uint64_t lost,
                              long bits, sc_ball *out);
/* delta at epsilon, of a count that moves by 1. */
void continuous_stlap_delta(const sc_ball *epsilon, const sc_ratio *q, long bits,
                            sc_ball *out);
/* The formula, which is the delta from q = 2 on; and the q that has this delta by it. */
void continuous_stlap_formula(const sc_ball *epsilon, const sc_ball *q, long bits,
                              sc_ball *out);
void continuous_stlap_q(const sc_ball *epsilon, const sc_ball *delta, long bits,
                        sc_ball *out);
/* For epsilon = 1/sqrt(q): that epsilon, and the published delta. */
void continuous_stlap_published(uint64_t q, long bits, sc_ball *epsilon, sc_ball *delta);
/* For q = tau n on data of at least n elements in at most `bars` bars: what holds instead. */
void continuous_stlap_corrected(const sc_ball *epsilon, const sc_ratio *tau, uint64_t n,
                                uint64_t bars, long bits, sc_ball *epsilon_out,
                                sc_ball *delta_out);

#endif
