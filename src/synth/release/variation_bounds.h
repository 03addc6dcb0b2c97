/* Bounds of the total variation between the true data and synthetic rows, for one marginal, from releases.
 *
 * x are the true counts of n rows, y = x + noise, s the counts of m synthetic rows, N the released total, s' = s N/m.
 *
 *     sum |x - s'| is within sum |y - s'| +- B with B >= sum |noise|
 *     TV(x/n, s/m) is within (sum |x - s'| +- |N - n|)/(2N)
 *
 * since sum |x/n - x/N| = |N - n|/N. Both hold for any s, also one that was fitted to y.
 *
 * Claim  variation.interval  the interval holds whenever sum |noise| <= B and |N - n| <= slack
 * Claim  variation.upper     so does the bound by selection whenever also the selection's inequality does
 *
 * Reference  spec/synthetic.md 7
 */
#ifndef SC_SYNTH_VARIATION_BOUNDS_H
#define SC_SYNTH_VARIATION_BOUNDS_H

#include "synth/release/noise_l1.h"

#include <stddef.h>
#include <stdint.h>

typedef struct sc_variation {
    double lower, upper; /* of the total variation, from 0 to 1 */
} sc_variation;

/* The released total, and what bounds |N - n|. */
typedef struct sc_variation_total {
    double total; /* N, above 0 */
    double slack; /* >= |N - n| */
} sc_variation_total;

/* |N - n| <= slack but for probability beta, where N is n with such noise, rounded to an integer of at least 1.
 * Gaussian: any sub-Gaussian noise of that variance. A parameter of 0: N is n. */
double sc_variation_slack_upper(const sc_cell_noise *noise, double beta);

/* sum |y - s'|; noisy and synthetic have the cells of one marginal, rows > 0. */
double sc_variation_distance(const int64_t *noisy, const int64_t *synthetic, size_t cells,
                             double total, uint64_t rows);
/* From a distance to y and B. */
sc_variation sc_variation_interval(double distance, double noise_l1,
                                   const sc_variation_total *total);

/* What a round of selection by the exponential mechanism says of a candidate that was not chosen. Scores are
 * W (sum |x - model| - penalty); with probability 1 - beta every candidate of the round satisfies
 * score <= chosen score + (ln candidates + ln(1/beta))/h. */
typedef struct sc_selection_round {
    uint64_t candidates;
    double h;
    double chosen_weight, chosen_penalty;
    double
        chosen_upper; /* of sum |x - model| of the chosen marginal: sum |y - model| + B */
} sc_selection_round;

/* An upper bound of sum |x - model| for a candidate of this weight > 0 and penalty. */
double sc_selection_upper(const sc_selection_round *round, double weight, double penalty,
                          double beta);
/* The total variation is at most this: an upper bound of sum |x - model|, and sum |model - s'|. */
double sc_variation_upper(double from_model, double model_distance,
                          const sc_variation_total *total);

#endif
