/* How far noise goes, and the other way round: which noise goes no further than that.
 *
 * A certificate speaks of each value alone. Here it is count values with noise of their own, all
 * at once; count 1 is the one value again. The discrete laws are exact; the continuous forms are
 * what a plan is made with before there is a grid.
 *
 * The radius is the smallest integer a with P(max |Z_i| > a) = 1 - (1 - P(|Z| > a))^count at most
 * beta; an epsilon or sigma that is returned keeps the radius, and one that is smaller by 2^-60 of
 * itself does not.
 *
 * Reference  spec/mechanisms.md 2.1, 4.1, 4.3
 */
#ifndef NOISE_ACCURACY_H
#define NOISE_ACCURACY_H

#include "sampling/law.h"

/* P(max |Z_i| > radius), radius >= 0, count >= 1. */
void noise_failure(const sc_law *law, sc_int128 radius, uint64_t count, long bits,
                   sc_ball *out);
/* The smallest radius with a failure of at most beta, 0 < beta < 1. Errors as sc_law_radius. */
SCRIM_MUST_USE scrim_status noise_radius(const sc_law *law, const sc_ratio *beta,
                                         uint64_t count, sc_int128 *out,
                                         scrim_error *error);

/* The epsilon, for a sensitivity of 1, of discrete Laplace noise whose failure at this radius, an
 * integer from 0 on, is at most beta; rounded up. Never above ln(2/b)/(radius + 1), where b is
 * what beta leaves to each value. SCRIM_E_LIMIT when it is beyond 2^-60 to 2^10. */
SCRIM_MUST_USE scrim_status laplace_epsilon_for_radius(sc_int128 radius,
                                                       const sc_ratio *beta,
                                                       uint64_t count, sc_ratio *out,
                                                       scrim_error *error);

/* Continuous Laplace noise of a scale: the radius that fails with probability beta exactly, and
 * the larger one of the union bound, scale ln(count/beta), whose failure is 1 -
 * (1 - beta/count)^count. */
void laplace_radius_continuous(const sc_ratio *scale, const sc_ratio *beta,
                               uint64_t count, long bits, sc_ball *out);
void laplace_radius_union(const sc_ratio *scale, const sc_ratio *beta, uint64_t count,
                          long bits, sc_ball *out);

/* The x with P(N > x) = beta / (2 count) of the standard normal law, rounded up: sigma x is a
 * radius of count continuous Gaussians, and radius / x a sigma. SCRIM_E_LIMIT when it is above
 * 2^10. */
SCRIM_MUST_USE scrim_status normal_quantile_upper(const sc_ratio *beta, uint64_t count,
                                                  sc_ratio *out, scrim_error *error);

#endif
