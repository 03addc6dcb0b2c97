#include "composition/loss/loss_work.h"

#include "base/checked.h"
#include "base/work_limit.h"

bool sc_loss_work_spend(sc_loss_work *work, uint64_t steps)
{
    if (work == NULL)
        return !sc_work_limit_is_over();
    const bool is_left = steps <= work->left && !sc_work_limit_is_over();
    work->left = is_left ? work->left - steps : 0;
    return is_left;
}

bool sc_loss_work_spend_each(sc_loss_work *work, uint64_t times, uint64_t steps)
{
    uint64_t all;
    return sc_loss_work_spend(work, sc_uint64_mul(times, steps, &all) ? all : UINT64_MAX);
}

uint64_t sc_loss_work_at(uint64_t steps, long bits)
{
    const uint64_t size = (uint64_t)(bits > 0 ? bits : 0) / 16;
    return steps + steps * size / 16 + steps * size * size / 512;
}
