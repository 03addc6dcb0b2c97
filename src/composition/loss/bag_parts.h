/* The parts of a bag in the two forms that accountants need: as claims (epsilon, delta), or as privacy losses. */
#ifndef SC_COMPOSITION_BAG_PARTS_H
#define SC_COMPOSITION_BAG_PARTS_H

#include "composition/loss/bag.h"
#include "composition/loss/loss_step.h"

/* The claims of the parts of a bag as pairs (epsilon, delta), sampling included.
 *
 * A claim of (epsilon, delta) on a Poisson sample of rate q is one of
 * (ln(1 + q (exp(epsilon) - 1)), q delta). Parts of which only a curve is known claim no pair. A
 * release with the claim (epsilon, delta) is dominated by one that shows everything with
 * probability delta and is randomised response of epsilon otherwise. So all releases together
 * show everything with probability 1 - prod(1 - delta_i), and are pure otherwise.
 *
 * Claim  claims.amplified  the claim of a sampled part is at least the amplified one, and above it only
 *                          by rounding
 *
 * Reference  spec/mechanisms.md 8.1, 8.6; spec/local-and-accounting.md 8.5
 */

typedef struct sc_claim {
    sc_ratio epsilon, delta;
    uint64_t count;
    /* A lower bound of the part: its own pair of laws is the worst one of such a claim. */
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

/* Adds `count` times a delta to the sums, and not to the list. */
void sc_claims_join(sc_claims *claims, const sc_ratio *delta, uint64_t count);

/* From now on the sum of the deltas is the probability that everything is shown, which is more than the product says. For
 * accountants that also hold if parameters are chosen after seeing answers: the filter that enforces this counts sums, and would
 * admit one release that takes all of the sum. */
void sc_claims_add_up(sc_claims *claims);

/* Does the part claim a pair? A delta of 1 promises nothing. */
bool sc_claims_has(const sc_part *part);
/* sum += part, in short fractions and never too small. */
void sc_claims_add(sc_ratio *sum, const sc_ratio *part);

/* The delta that is left for the pure rest: d with 1 - (1 - d) prod(1 - delta_i) = delta, cut to [0, 1].
 * False when the parts' own deltas are more than delta, or may be. */
bool sc_claims_rest(const sc_claims *claims, const sc_ratio *delta, sc_ball *out);
/* The other way round: 1 - (1 - d) prod(1 - delta_i). */
void sc_claims_total(const sc_claims *claims, const sc_ball *rest, sc_ball *out);

/* The epsilon at a given delta (its ball is cut to [0, 1]) of a release that is `pure`-DP, and its delta at a smaller epsilon: those of
 * randomised response. */
void sc_claims_trade(const sc_ratio *pure, const sc_ball *delta, sc_ball *out);
void sc_claims_trade_back(const sc_ratio *pure, const sc_ratio *epsilon, sc_ball *out);

/* ln(1 + rate (exp(epsilon) - 1)), rounded up; and the inverse, rounded down. 0 < rate <= 1. */
void sc_claims_amplify(const sc_ratio *epsilon, const sc_ratio *rate, sc_ratio *out);
void sc_claims_amplify_back(const sc_ratio *epsilon, const sc_ratio *rate, sc_ratio *out);

/* A bag as the accountants of privacy losses compose it: pairs and curves with their counts.
 *
 * For upper bounds a part is represented by its pair of distributions; if only its curve of delta at epsilon is known, by that
 * curve, which also holds for a sample; or by the worst pair that its claim allows. For lower bounds it is the pair that it attains;
 * parts without such a pair are left out. A sampled part has two pairs, depending on which neighbour has the unit.
 *
 * Continuous Gaussians without sampling become one item of one release: the sum of their losses is the
 * loss of a Gaussian, whose 1/variance is the sum of theirs, an exact rational. Discrete ones never do.
 *
 * Claim  loss-items.upper  the items from above dominate the bag, but for the parts that are not taken
 * Claim  loss-items.lower  the bag dominates the items from below
 * Claim  loss-items.merged  continuous Gaussians that are merged have the delta of all of them, exactly
 *
 * Reference  spec/local-and-accounting.md 8.2, 8.5; spec/papers-additions.md 1.1, 1.2
 */

typedef struct sc_loss_items {
    sc_loss_item *list;
    sc_loss_pair *pairs; /* what the list points to */
    size_t count;
    bool is_whole;  /* every part was taken */
    bool has_curve; /* some item is a curve */
} sc_loss_items;

void sc_loss_items_init(sc_loss_items *items);
void sc_loss_items_clear(sc_loss_items *items);
/* The bag is kept. SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_loss_items_read(sc_loss_items *items, const sc_bag *bag,
                                               sc_loss_side side, sc_direction direction,
                                               scrim_error *error);

/* Has the part a loss from above? */
bool sc_loss_items_takes(const sc_part *part);
/* Are the items from below those from above, in either direction? */
bool sc_loss_items_are_attained(const sc_bag *bag);
/* Are both directions needed? */
bool sc_loss_items_is_sampled(const sc_bag *bag);

#endif
