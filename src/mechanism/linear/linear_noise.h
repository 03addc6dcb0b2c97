/* Noise on integer sums of which is known how far one unit moves them: in the l1 norm, and the square
 * of it in the l2 norm. The cost decides the noise: epsilon buys discrete Laplace noise, epsilon with
 * delta, or rho, discrete Gaussian noise.
 *
 * The state of a measurement is that of mechanism/noise/additive.h. Of Gaussian noise its steps are the
 * square of the l2 norm, which need not have a root.
 */
#ifndef SC_MECHANISM_LINEAR_NOISE_H
#define SC_MECHANISM_LINEAR_NOISE_H

#include "mechanism/noise/additive.h"

/* The parameters of the cost, for the lists. */
#define SC_LINEAR_PARAMETERS                                                             \
    SC_PARAMETER_EPSILON, SC_PARAMETER_DELTA,                                            \
    {                                                                                    \
        .name = "rho", .kind = SC_PARAMETER_RATIONAL, .optional = true, .above = "0",    \
        .limit_low = "2^-120", .limit_high = "2^20",                                     \
        .domain = "a rational above 0, from 7.6e-37 to 1048576"                          \
    }
#define SC_LINEAR_TEXT_COST "epsilon=R [delta=R]|rho=R"

/* How far one unit moves the sums, in steps: whole numbers. */
typedef struct sc_linear_move {
    sc_ratio sum;    /* in the l1 norm */
    sc_ratio square; /* in the l2 norm, squared */
} sc_linear_move;

/* The check of a descriptor: the domain of that number of values, whose answers have steps of the parameter grid
 * (default 1), and the noise on the sums. */
SCRIM_MUST_USE scrim_status sc_linear_check(scrim_measurement *measurement,
                                            const sc_linear_move *move, uint64_t values,
                                            uint64_t sums, scrim_error *error);
bool sc_linear_is_gaussian(const scrim_measurement *measurement);

/* The distribution of the noisy sums, for the audit. Of Laplace noise each is brought into [low, high],
 * which loses nothing if the sums of both neighbours lie there: beyond, the ratio of their
 * probabilities is constant. */
SCRIM_MUST_USE scrim_status sc_linear_list(const scrim_measurement *measurement,
                                           const sc_private_input *sums, int64_t low,
                                           int64_t high, long bits, sc_outcomes *out,
                                           scrim_error *error);

/* Members of descriptors. */
scrim_status sc_linear_cost(const scrim_measurement *measurement, sc_exact_cost *out,
                            scrim_error *error);
int64_t sc_linear_place(const scrim_measurement *measurement, size_t index,
                        const sc_ratio *value);

#endif
