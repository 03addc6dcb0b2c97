/* Protocols of one draw: each value has a set of outputs of weight a, all others have weight b; the
 * sizes of the sets are equal, so that the loss is ln(a/b). */
#ifndef SL_SET_PROTOCOL_H
#define SL_SET_PROTOCOL_H

#include "local/device/kind.h"

sl_loss sl_set_loss(const scrim_local_config *config);
/* Fills all of the plan but bytes: `size` outputs in each set, and the total weight. */
void sl_set_prepare(const scrim_local_config *config, uint64_t size, uint64_t total,
                    sl_plan *plan);

/* SCRIM_LOCAL_E_PARAM unless it is a prime below 2^16. */
scrim_local_status sl_field_check(uint32_t q);

/* Which output: the place in the set, or among all others. */
typedef struct sl_set_draw {
    uint64_t inside; /* mask */
    uint64_t place;
} sl_set_draw;

static inline sl_set_draw sl_set_uniform(const sl_plan *plan, sl_bits *bits)
{
    const uint64_t u = sl_uniform(bits, &plan->total);
    const uint64_t inside = sl_mask_less(u, plan->likely);
    const sl_divisor weight = sl_divisor_select(inside, plan->a, plan->b);
    const sl_set_draw draw = {inside, sl_divide(weight, u - (plan->likely & ~inside))};
    return draw;
}

/* Randomised response over so many values: fills all of the plan; then a value's answer. */
void sl_response_prepare(const scrim_local_config *config, uint64_t values,
                         sl_plan *plan);
static inline uint64_t sl_response_draw(const sl_plan *plan, uint64_t x, sl_bits *bits)
{
    const uint64_t u = sl_uniform(bits, &plan->total), likely = plan->likely;
    const uint64_t own = sl_mask_less(u, likely);
    const uint64_t place = sl_divide(plan->b, (u - likely) & ~own);
    return sl_select(own, x, place + 1 - (sl_mask_less(place, x) & 1));
}

#endif
