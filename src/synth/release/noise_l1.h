/* How far a noisy marginal is from the true one: quantiles of the sum of absolute noises.
 *
 *     B = smallest bound that is found with Pr[ |Z_1| + ... + |Z_n| > B ] <= beta
 *
 * The distribution is convolved by a transform whose rounding is bounded and counted in. Where n or the noise
 * is too large for it, B is a Chernoff bound; noise of a deviation above 512 is first rounded up to a grid.
 *
 * Claim  noise-l1.upper  B is never below the quantile
 * Claim  noise-l1.tight  it is the quantile itself, but for ties within rounding, up to 2^22 steps of the sum
 *
 * Reference  spec/synthetic.md 7
 */
#ifndef SC_SYNTH_NOISE_L1_H
#define SC_SYNTH_NOISE_L1_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

/* The noise of a cell. */
typedef struct sc_cell_noise {
    bool is_laplace;
    double
        parameter; /* discrete Gaussian: sigma^2; discrete Laplace: its scale; above 0, at most 2^60 */
} sc_cell_noise;

/* Standard deviation, rounded up: sigma bounds that of the discrete Gaussian. */
double sc_cell_noise_deviation(const sc_cell_noise *noise);
/* cells >= 1, 0 < beta < 1. SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_noise_l1_upper(const sc_cell_noise *noise, uint64_t cells,
                                              double beta, double *out,
                                              scrim_error *error);
/* The same for cells that are each the sum of so many noises, by sub-Gaussian tails and all patterns of signs:
 * sqrt(2 members sigma^2 n (n ln 2 + ln(1/beta))). Infinite for Laplace noise. */
double sc_noise_l1_sums_upper(const sc_cell_noise *noise, double members, uint64_t cells,
                              double beta);

#endif
