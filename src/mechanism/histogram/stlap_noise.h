/* The numbers behind shifted truncated Laplace noise on the bars of a histogram: which delta an
 * epsilon and a q have, and which q, or which epsilon, has a delta.
 *
 * A unit owns up to group elements, and on one side of a change it moves so many; under add-remove
 * there is one side, under replace there are two, what it takes away and what it brings. The noise
 * of epsilon, on a bar that moves by b, has the loss b epsilon at most, but for the mass P(Z > -b)
 * that only the larger count can give. All of a side in one bar is the worst: P(Z <= -a-b) is at
 * most P(Z <= -a) P(Z <= -b), the law being log-concave. So at sides group epsilon
 *
 *     delta = 1 - (1 - P(Z > -group))^sides
 *
 * which of one element is P(Z = 0), and attained.
 *
 * Claim  stlap-noise.delta    the ball holds that number
 * Claim  stlap-noise.least-q  q_of finds the least q whose delta is certainly at most the wanted
 *                             one
 * Claim  stlap-noise.epsilon  epsilon_of finds an epsilon with at most the wanted delta, less than
 *                             2^-40 of it above the least one
 *
 * Reference  spec/flexible-accuracy.md 5.1, 5.3, 5.5
 */
#ifndef SC_MECHANISM_HISTOGRAM_STLAP_NOISE_H
#define SC_MECHANISM_HISTOGRAM_STLAP_NOISE_H

#include "base/number/ball.h"
#include "base/status.h"

#define SC_STLAP_Q_MAX ((uint64_t)INT32_MAX)
#define SC_STLAP_BITS 256

/* 1 - (1 - d)^sides, sides 1 or 2. */
void sc_stlap_sides(const sc_ball *d, unsigned sides, long bits, sc_ball *out);

/* The delta at sides group epsilon of noise of epsilon > 0 and q; 1 where group is above q. */
void sc_stlap_delta(const sc_ratio *epsilon, uint64_t q, uint64_t group, unsigned sides,
                    long bits, sc_ball *out);

/* The least q with at most this delta, 0 < delta < 1; SCRIM_E_LIMIT when it is above
 * SC_STLAP_Q_MAX. epsilon is that of the noise. */
SCRIM_MUST_USE scrim_status sc_stlap_q_of(const sc_ratio *epsilon, const sc_ratio *delta,
                                          uint64_t group, unsigned sides, uint64_t *q,
                                          scrim_error *error);
/* The least epsilon, for one element and one side, rounded up; 0 where every epsilon will do, which
 * no noise can have. SCRIM_E_PARAM where none will: q is 1 and delta below 1/2. */
SCRIM_MUST_USE scrim_status sc_stlap_epsilon_of(uint64_t q, const sc_ratio *delta,
                                                sc_ratio *epsilon, scrim_error *error);

#endif
