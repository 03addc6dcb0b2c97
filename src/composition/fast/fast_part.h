/* The input of the fast implementation: losses of one side, step and bits, each so many times.
 *
 * Claim  fast-part.infinite  the mass at infinity of the parts together is the product of their
 *                            whole masses less the product of their finite masses
 */
#ifndef SC_COMPOSITION_FAST_PART_H
#define SC_COMPOSITION_FAST_PART_H

#include "composition/loss/loss.h"

typedef struct sc_fast_part {
    const sc_loss *loss;
    uint64_t count;
} sc_fast_part;

/* SCRIM_E_PARAM where there is none, where sides, steps or bits differ and where a count is 0;
 * SCRIM_E_LIMIT where a loss has too many bits or points. */
SCRIM_MUST_USE scrim_status sc_fast_parts_check(const sc_fast_part *parts, size_t count,
                                                scrim_error *error);
/* Has some part no finite mass? Then all together have none. */
bool sc_fast_parts_are_empty(const sc_fast_part *parts, size_t count);
/* The mass at infinity of all parts together. */
void sc_fast_parts_infinite(const sc_fast_part *parts, size_t count, sc_ball *out);

#endif
