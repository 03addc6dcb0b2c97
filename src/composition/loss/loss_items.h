/* A bag as what roads over privacy losses compose: pairs and curves with their counts.
 *
 * From above a part is its pair; where only delta at epsilon is known, that curve, which a sample
 * never passes; or the worst pair of what it claims. From below it is the pair that it attains, and
 * what has none is left out. A sample has two pairs, by which of the neighbours has the unit.
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
#ifndef SC_COMPOSITION_LOSS_ITEMS_H
#define SC_COMPOSITION_LOSS_ITEMS_H

#include "composition/loss/bag.h"
#include "composition/loss/loss_step.h"

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
