/* Which grid a bag of releases is composed on, and how finely masses are counted.
 *
 * Where all losses lie on one lattice that is not too fine, that lattice: nothing is lost then. Else
 * a step so small against the deviation of the whole that the dots add little to it; at the points
 * where losses can lie, as far as one step can serve all of them. Any step is sound.
 *
 * Reference  spec/local-and-accounting.md 8.2, 8.3
 */
#ifndef SC_COMPOSITION_LOSS_STEP_H
#define SC_COMPOSITION_LOSS_STEP_H

#include "composition/loss/loss.h"

/* One part of a bag: a pair, or a curve where no pair is known. */
typedef struct sc_loss_item {
    const sc_loss_pair *pair;
    const sc_curve *curve;
    uint64_t count;
} sc_loss_item;

/* How many points the composed loss may have, unless the caller knows better. */
#define SC_LOSS_STEP_POINTS ((size_t)1 << 17)

/* The search for a step may take so much work, beside the work of the accountant that asks for it: what a bag of a
 * few hundred different parts needs. */
#define SC_LOSS_STEP_WORK (SC_LOSS_WORK / 4)

/* A step for which the sum of all items needs about `points` points or fewer. *is_lattice: every
 * loss of every item lies on it, and both sides are exact but for rounding. SCRIM_E_LIMIT beyond
 * SC_LOSS_STEP_WORK. */
SCRIM_MUST_USE scrim_status sc_loss_step(const sc_loss_item *items, size_t count,
                                         size_t points, sc_ratio *out, bool *is_lattice,
                                         scrim_error *error);

/* Bits and tail for `count` releases in all, such that rounding and trimming change a delta of this
 * size by less than 2^-30 of it; delta 0 stands for SC_LOSS_DELTA. */
#define SC_LOSS_DELTA "1e-30"
void sc_loss_precision(const sc_ratio *delta, uint64_t count, long *bits, long *tail);

/* The loss of one release of an item: of its pair, or upper only of its curve. */
SCRIM_MUST_USE scrim_status sc_loss_from_item(const sc_loss_item *item, sc_loss_side side,
                                              const sc_loss_grid *grid,
                                              sc_loss_work *work, sc_loss *out,
                                              scrim_error *error);

#endif
