#include "base/work_limit.h"

#include "base/checked.h"

_Thread_local uint64_t sc_work_done;
_Thread_local uint64_t sc_work_end = UINT64_MAX;

void sc_work_limit_enter(sc_work_limit *limit, uint64_t units)
{
    limit->outer = sc_work_end;
    if (sc_work_end == UINT64_MAX)
        sc_work_done = 0;
    if (sc_work_done < sc_work_end && units < sc_work_end - sc_work_done)
        sc_work_end = sc_work_done + units;
}

/* The last operation may have gone beyond the limit; the outer one pays for the limit alone. */
void sc_work_limit_leave(const sc_work_limit *limit)
{
    if (sc_work_done > sc_work_end)
        sc_work_done = sc_work_end;
    sc_work_end = limit->outer;
}

/* Half of the range is beyond any limit, and leaves room for what sc_work_add adds. */
#define MUCH (UINT64_MAX / 2)

void sc_work_add_each(uint64_t times, uint64_t units)
{
    uint64_t all;
    const bool is_much =
        !sc_uint64_mul(times, units, &all) || all >= MUCH || sc_work_done >= MUCH - all;
    sc_work_done = is_much ? MUCH : sc_work_done + all;
}
