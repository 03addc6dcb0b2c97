/* What the parts of a bag claim as pairs (epsilon, delta), sampling included.
 *
 * A claim of (epsilon, delta) on a Poisson sample of rate q is one of
 * (ln(1 + q (exp(epsilon) - 1)), q delta). Parts of which only a curve is known claim no pair. A
 * release with the claim (epsilon, delta) is dominated by one that shows everything with
 * probability delta and is randomised response of epsilon otherwise; so in all the releases
 * everything is shown with probability 1 - prod(1 - delta_i), and else they are pure.
 *
 * Claim  claims.amplified  a sampled claim is never below the amplified one, and not above it by
 *                          more than rounding
 *
 * Reference  spec/mechanisms.md 8.1, 8.6; spec/local-and-accounting.md 8.5
 */
#ifndef SC_COMPOSITION_CLAIMS_H
#define SC_COMPOSITION_CLAIMS_H

#include "composition/loss/bag.h"

typedef struct sc_claim {
    sc_ratio epsilon, delta;
    uint64_t count;
    /* What the part has at least: its own pair of laws is the worst one of such a claim. */
    bool has_lower;
    sc_ratio lower_epsilon, lower_delta;
} sc_claim;

typedef struct sc_claims {
    sc_claim *list;
    size_t count;
    uint64_t releases; /* of the list */
    uint64_t others;   /* of parts that claim no pair */
    sc_ratio epsilon;  /* the sum, never too small */
    sc_ratio delta;    /* the sum, likewise */
    sc_ball log_kept;  /* ln prod(1 - delta_i) */
} sc_claims;

#define SC_CLAIMS_BITS 256L

void sc_claims_init(sc_claims *claims);
void sc_claims_clear(sc_claims *claims);
/* SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_claims_read(sc_claims *claims, const sc_bag *bag,
                                           scrim_error *error);

/* Counts so many times a delta in the sums, and not in the list. */
void sc_claims_join(sc_claims *claims, const sc_ratio *delta, uint64_t count);

/* From now on everything is shown with the sum of the deltas, which is more than the product says:
 * a filter holds sums, and admits one release that takes all of it. For accountants that are used
 * where the next parameters are chosen after seeing answers. */
void sc_claims_add_up(sc_claims *claims);

/* Does the part claim a pair? A delta of 1 promises nothing. */
bool sc_claims_has(const sc_part *part);
/* sum += part, in short fractions and never too small. */
void sc_claims_add(sc_ratio *sum, const sc_ratio *part);

/* What delta leaves to the pure rest: d with 1 - (1 - d) prod(1 - delta_i) = delta, cut to [0, 1].
 * False when the parts' own deltas are more than delta, or may be. */
bool sc_claims_rest(const sc_claims *claims, const sc_ratio *delta, sc_ball *out);
/* The other way round: 1 - (1 - d) prod(1 - delta_i). */
void sc_claims_total(const sc_claims *claims, const sc_ball *rest, sc_ball *out);

/* The epsilon that a pure one is worth at a delta (its ball is cut to [0, 1]), and the delta of a
 * pure one at a smaller epsilon: that of randomised response. */
void sc_claims_trade(const sc_ratio *pure, const sc_ball *delta, sc_ball *out);
void sc_claims_trade_back(const sc_ratio *pure, const sc_ratio *epsilon, sc_ball *out);

/* ln(1 + rate (exp(epsilon) - 1)) rounded up, and the epsilon that it would be had from, rounded
 * down; 0 < rate <= 1. */
void sc_claims_amplify(const sc_ratio *epsilon, const sc_ratio *rate, sc_ratio *out);
void sc_claims_amplify_back(const sc_ratio *epsilon, const sc_ratio *rate, sc_ratio *out);

#endif
