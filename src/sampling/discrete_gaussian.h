/* Discrete Gaussian numbers: P(k) = exp(-k^2 / (2 variance)) / Z on the integers, any
 * rational variance (the parameter; the variance of the distribution is a little below it).
 *
 * Claim  discrete-gaussian.exact  a draw has exactly this distribution, for every rational
 *                                 variance; its tail is neither truncated nor wrapped around
 *
 * Reference (Canonne, Kamath, Steinke 2020; spec/mechanisms.md 2.3), variance a/b: y
 * discrete Laplace of scale t = floor(sigma) + 1, accepted with probability exp(-(|y| b t
 * - a)^2 / (2 a b t^2)), in the narrowest integers that hold the fraction.
 */
#ifndef SC_SAMPLING_DISCRETE_GAUSSIAN_H
#define SC_SAMPLING_DISCRETE_GAUSSIAN_H

#include "sampling/discrete_laplace.h"
#include "sampling/gaussian_ahead.h"

typedef struct sc_gaussian {
    sc_fraction variance;      /* a/b */
    sc_fraction proposal;      /* t/1, the scale of y */
    sc_integer slope;          /* b t */
    sc_integer denominator;    /* 2 a b t^2 */
    uint64_t slope64, a64;     /* b t and a; set unless width is 0 */
    sc_uint128 denominator128; /* 2 a b t^2; set unless width is 0 */
    /* Acceptance is computed in integers of this many bits. 64: 2abt^2 < 2^51; 128: 2abt^2 < 2^115, b t and a below 2^63; 0: any size. */
    unsigned width;
    sc_gaussian_ahead
        ahead; /* the fast implementation; set if width is not 0 and the proposal is small */
} sc_gaussian;

void sc_gaussian_init(sc_gaussian *gaussian, const sc_ratio *variance); /* above 0 */
void sc_gaussian_clear(sc_gaussian *gaussian);
SCRIM_MUST_USE scrim_status sc_discrete_gaussian_reference(sc_bits *bits,
                                                           const sc_gaussian *gaussian,
                                                           sc_int128 *out,
                                                           scrim_error *error);
/* The same draws as `count` calls of sc_discrete_gaussian_reference, in less time. */
SCRIM_MUST_USE scrim_status
sc_discrete_gaussian_reference_fill(sc_bits *bits, const sc_gaussian *gaussian,
                                    size_t count, sc_int128 *out, scrim_error *error);
/* Is the proposal y accepted? */
SCRIM_MUST_USE scrim_status sc_discrete_gaussian_accept(sc_bits *bits,
                                                        const sc_gaussian *gaussian,
                                                        sc_int128 y, bool *out,
                                                        scrim_error *error);

#endif
