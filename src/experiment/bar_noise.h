/* The distribution functions of the noise that histogram mechanisms add to a bar.
 *
 * Two noises share an epsilon: one-sided, the shifted Laplace noise of -q..0 (stlap), and two-sided,
 * discrete Laplace noise. In long double, from closed forms; near 0 they are tabulated.
 *
 * Claim  bar-noise.exact  both agree with the laws of the samplers to some 15 digits
 *
 * Reference  spec/flexible-accuracy.md 5.1, 13.3
 */
#ifndef SC_EXPERIMENT_BAR_NOISE_H
#define SC_EXPERIMENT_BAR_NOISE_H

#include "base/status.h"

#include <stdint.h>

/* How far the tables reach, to both sides of 0. */
#define SC_NOISE_REACH 2048

typedef struct sc_bar_noise {
    long double epsilon;
    int64_t q;
    long double *one_sided, *two_sided; /* P(noise <= z), from -SC_NOISE_REACH on */
} sc_bar_noise;

/* SCRIM_E_MEMORY. Clear it in either case. */
SCRIM_MUST_USE scrim_status sc_bar_noise_init(sc_bar_noise *out, long double epsilon,
                                              int64_t q, scrim_error *error);
void sc_bar_noise_clear(sc_bar_noise *noise);

/* P(noise <= z). */
long double sc_one_sided_at_most(const sc_bar_noise *noise, int64_t z);
long double sc_two_sided_at_most(const sc_bar_noise *noise, int64_t z);
/* P(noise = z). */
long double sc_one_sided_is(const sc_bar_noise *noise, int64_t z);
long double sc_two_sided_is(const sc_bar_noise *noise, int64_t z);

#endif
