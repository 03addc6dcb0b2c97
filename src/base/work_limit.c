#include "base/work_limit.h"

#include "base/checked.h"

/* The work of this thread so far, and where its limit ends. These are not handed down as parameters: every
 * operation on a ball below a search would have to take them along. */
static _Thread_local uint64_t done;
static _Thread_local uint64_t end = UINT64_MAX;

void sc_work_limit_enter(sc_work_limit *limit, uint64_t units)
{
    limit->outer = end;
    if (end == UINT64_MAX)
        done = 0;
    if (units < end - done)
        end = done + units;
}

void sc_work_limit_leave(const sc_work_limit *limit)
{
    end = limit->outer;
}

void sc_work_add(uint64_t units)
{
    done = units < end - done ? done + units : end;
}

void sc_work_add_each(uint64_t times, uint64_t units)
{
    uint64_t all;
    sc_work_add(sc_uint64_mul(times, units, &all) ? all : UINT64_MAX);
}

bool sc_work_limit_is_over(void)
{
    return end != UINT64_MAX && done >= end;
}
