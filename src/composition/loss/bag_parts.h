/* The parts of a bag as accountants take them: claims (epsilon, delta), or losses. */
#ifndef SC_COMPOSITION_BAG_PARTS_H
#define SC_COMPOSITION_BAG_PARTS_H

#include "composition/loss/bag.h"
#include "composition/loss/loss_step.h"

/* The claims of the parts of a bag as pairs (epsilon, delta), sampling included.
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

/* From now on everything is shown with the sum of the deltas, which is more than the product says:
 * a filter holds sums, and admits one release that takes all of it. For accountants that are used
 * where the next parameters are chosen after seeing answers. */
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

/* The epsilon that a pure one is worth at a delta (its ball is cut to [0, 1]), and the delta of a
 * pure one at a smaller epsilon: that of randomised response. */
void sc_claims_trade(const sc_ratio *pure, const sc_ball *delta, sc_ball *out);
void sc_claims_trade_back(const sc_ratio *pure, const sc_ratio *epsilon, sc_ball *out);

/* ln(1 + rate (exp(epsilon) - 1)) rounded up, and the epsilon that it would be had from, rounded
 * down; 0 < rate <= 1. */
void sc_claims_amplify(const sc_ratio *epsilon, const sc_ratio *rate, sc_ratio *out);
void sc_claims_amplify_back(const sc_ratio *epsilon, const sc_ratio *rate, sc_ratio *out);

/* A bag as the accountants of privacy losses compose it: pairs and curves with their counts.
 *
 * From above a part is its pair; where only delta at epsilon is known, that curve, which a sample
 * never passes; or the worst pair of what it claims. From below it is the pair that it attains;
 * parts without such a pair are left out. A sample has two pairs, by which of the neighbours has the unit.
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
