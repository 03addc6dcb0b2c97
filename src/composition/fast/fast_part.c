#include "composition/fast/fast_part.h"

#include "base/number/ball_double.h"

#define BITS 256
#define LOSS_BITS_MAX 1600

scrim_status sc_fast_parts_check(const sc_fast_part *parts, size_t count,
                                 scrim_error *error)
{
    if (count == 0)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, "part",
                           "nothing to compose");
    for (size_t i = 0; i < count; i++) {
        const sc_loss *loss = parts[i].loss, *first = parts[0].loss;
        if (loss->side != first->side || loss->bits != first->bits ||
            sc_ratio_compare(&loss->step, &first->step) != 0)
            return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "part",
                               "composed losses must have the same side, step and unit");
        if (parts[i].count == 0)
            return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "count",
                               "a part is composed 0 times");
        if (loss->bits > LOSS_BITS_MAX || loss->count > SC_LOSS_POINTS)
            return sc_fail(error, SCRIM_E_LIMIT, "a loss has too many bits or points");
    }
    return SCRIM_OK;
}

bool sc_fast_parts_are_empty(const sc_fast_part *parts, size_t count)
{
    bool is = false;
    SC_OWN(sc_ball, sum);
    for (size_t i = 0; i < count && !is; i++) {
        sc_ball_sum(parts[i].loss->mass, parts[i].loss->count, parts[i].loss->bits, &sum);
        is = !sc_ball_is_positive(&sum);
    }
    return is;
}

void sc_fast_parts_infinite(const sc_fast_part *parts, size_t count, sc_ball *out)
{
    bool is_any = false;
    SC_OWN(sc_ball, finite, all, one, more);
    sc_ball_set_int64(&finite, 1);
    sc_ball_set_int64(&all, 1);
    for (size_t i = 0; i < count; i++) {
        const sc_loss *loss = parts[i].loss;
        const long bits = 2 * loss->bits + 128;
        sc_ball_sum(loss->mass, loss->count, loss->bits, &one);
        sc_ball_sum(&loss->infinite, 1, loss->bits, &more);
        is_any |= sc_ball_is_positive(&more);
        sc_ball_add(&more, &more, &one, bits);
        sc_ball_power(&one, &one, parts[i].count, bits);
        sc_ball_power(&more, &more, parts[i].count, bits);
        sc_ball_mul(&finite, &finite, &one, bits);
        sc_ball_mul(&all, &all, &more, bits);
    }
    sc_ball_sub(out, &all, &finite, BITS);
    if (!is_any)
        sc_ball_set_int64(out, 0);
}
