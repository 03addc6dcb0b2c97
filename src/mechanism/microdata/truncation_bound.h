/* How far clamped Laplace noise must reach: the smallest bound B whose delta is low enough.
 *
 * A count moves by s <= B and has discrete Laplace noise of rate w, clamped to -B..B. With x = exp(-w) and
 * y = x^-s its delta at the level s w is exactly
 *
 *     delta_s(w, B) = x^B/(1+x) h_s,   h_s = x y + max(0, 1 - (1-x) y^2)
 *
 * The first part is mass that only one of the two counts can have; the second is the atom at the near end. One
 * unit has up to m rows of weight up to W: a cell that moves by s takes ceil(s/W) of them, so that by basic
 * composition over the cells, and the sum where it has noise of its own, delta is at most
 *
 *     t m max_s h_s/ceil(s/W) + max_s h_s,   s = 1..mW,   times x^B/(1+x)
 *
 * t is 1, and 2 where a unit is replaced. Then the sum moves by what the two units differ in, and with W = 1 all
 * moves together take at most 2m rows: the last term is left out.
 *
 * Claim      truncation.delta  the ball holds delta_s
 * Claim      truncation.bound  no smaller bound, from mW on, meets delta by that rule; this one does
 * Reference  spec/microdata.md 4.1 (there W = 1, t = 1)
 */
#ifndef SC_MECHANISM_MICRODATA_TRUNCATION_BOUND_H
#define SC_MECHANISM_MICRODATA_TRUNCATION_BOUND_H

#include "base/number/ball.h"

/* delta_s at the level s w; 1 <= shift <= bound. */
void sc_truncation_delta(const sc_ratio *rate, int64_t bound, uint64_t shift, long bits,
                         sc_ball *out);

#define SC_TRUNCATION_REACH ((uint64_t)1 << 16) /* the largest mW */
#define SC_TRUNCATION_BOUND ((int64_t)1 << 40)

typedef struct sc_truncation_rule {
    uint64_t rows, weight;
    bool is_replace;
    bool has_sum; /* the sum has noise of its own */
} sc_truncation_rule;

/* The delta of that rule. */
void sc_truncation_rule_delta(const sc_truncation_rule *rule, const sc_ratio *rate,
                              int64_t bound, long bits, sc_ball *out);
/* False when the bound is above SC_TRUNCATION_BOUND, or mW above SC_TRUNCATION_REACH. */
bool sc_truncation_bound(const sc_truncation_rule *rule, const sc_ratio *rate,
                         const sc_ratio *delta, int64_t *out);

#endif
