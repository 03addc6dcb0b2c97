/* How much a road over privacy losses may compute before it says that it is too much.
 *
 * Counted in steps and not by a clock, so that the answer to a question is the same on every machine
 * and every day. A step is about a microsecond of a processor of 2020; what a point, a product or a
 * transform costs is stated where it is paid for.
 *
 * Claim  loss-work.ends  what is paid for adds up to no more than was there at the start
 */
#ifndef SC_COMPOSITION_LOSS_WORK_H
#define SC_COMPOSITION_LOSS_WORK_H

#include <stdbool.h>
#include <stdint.h>

typedef struct sc_loss_work {
    uint64_t left;
} sc_loss_work;

/* One side of one question. */
#define SC_LOSS_WORK UINT64_C(4000000)

#define SC_LOSS_WORK_OVER "the privacy loss takes more work than it may"

/* False where so much is not left: then nothing is, and whoever asked stops. NULL has no end. */
bool sc_loss_work_spend(sc_loss_work *work, uint64_t steps);
/* times each, without overflow. */
bool sc_loss_work_spend_each(sc_loss_work *work, uint64_t times, uint64_t steps);
/* What arithmetic of so many bits costs that costs so many steps at 64: it grows, in the end, as the
 * square. */
uint64_t sc_loss_work_at(uint64_t steps, long bits);

#endif
