/* From pairs to an enclosure of epsilon: discretise, compose by the fast implementation, and again on a finer
 * grid until both sides are as near as wanted.
 *
 * The gap is of second order in the step, so that the next step is known after the first. Where a
 * limit is in the way, what has been reached is returned.
 *
 * Claim  fast-enclose.holds    the epsilon of the pairs lies between both ends
 * Claim  fast-enclose.narrow  and they are no further apart than asked, unless a limit is reached
 */
#ifndef SC_COMPOSITION_FAST_ENCLOSE_H
#define SC_COMPOSITION_FAST_ENCLOSE_H

#include "composition/fast/fast_loss.h"
#include "composition/loss/loss_step.h"

/* One direction. upper dominates what is released, lower is dominated by it; they may be the same
 * items, or lower fewer of them. */
typedef struct sc_fast_bag {
    const sc_loss_item *upper;
    size_t upper_count;
    const sc_loss_item *lower; /* with pairs only */
    size_t lower_count;
} sc_fast_bag;

typedef struct sc_fast_ends {
    bool has_upper;       /* a finite epsilon was found above */
    bool is_infinite;     /* no finite epsilon exists */
    sc_ball upper, lower; /* points; lower is 0 where nothing is known */
    size_t grids;         /* how many were tried */
    sc_ratio step;        /* the last of them */
} sc_fast_ends;

void sc_fast_ends_init(sc_fast_ends *ends);
void sc_fast_ends_clear(sc_fast_ends *ends);

/* epsilon at 0 < delta < 1, both ends within tolerance > 0 if that is to be had with the work.
 * SCRIM_E_LIMIT when not even the first grid is possible, SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_fast_enclose_epsilon(const sc_fast_bag *bag,
                                                    const sc_ratio *delta,
                                                    const sc_ratio *tolerance,
                                                    sc_loss_work *work, sc_fast_ends *out,
                                                    scrim_error *error);

#endif
