/* Where a privacy loss is looked at: the points of a grid that serve as dots.
 *
 * From the last point below which there is next to nothing to the first above which there is next
 * to nothing. All points between them serve where the mass is; where there is little, which for
 * sampled noise is nearly everywhere, only enough points that the curve between two of them is nearly straight;
 * of a lattice, those beside its losses, between which the curve is straight.
 * Any points would be sound: they decide how tight a bound is, and how long it takes.
 *
 * Reference  spec/local-and-accounting.md 8.2
 */
#ifndef SC_COMPOSITION_LOSS_PLACES_H
#define SC_COMPOSITION_LOSS_PLACES_H

#include "composition/loss/loss_pair.h"

typedef struct sc_loss_places {
    int64_t *at; /* count multiples of the step, increasing */
    size_t count, capacity;
} sc_loss_places;

void sc_loss_places_init(sc_loss_places *places);
void sc_loss_places_clear(sc_loss_places *places);
/* Tails are left out as loss.h says. SCRIM_E_LIMIT beyond SC_LOSS_PART points or the work,
 * SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_loss_places_find(const sc_loss_pair *pair,
                                                const sc_ratio *step, long tail,
                                                bool all_points, sc_loss_work *work,
                                                sc_loss_places *out, scrim_error *error);
/* How many steps the loss of one release spans; false beyond 2^60 or the work. */
bool sc_loss_places_span(const sc_loss_pair *pair, const sc_ratio *step, long tail,
                         sc_loss_work *work, uint64_t *out);

#endif
