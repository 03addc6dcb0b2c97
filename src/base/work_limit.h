/* How much a question about public numbers may compute. Searches whose steps cost more than anybody can say
 * beforehand ask now and then whether the limit is reached, and end with SCRIM_E_LIMIT.
 *
 * Work is counted and never measured by a clock: the same question has the same answer on every machine, busy
 * or not. A unit is about a nanosecond of a processor of 2020. Operations on balls count themselves by their kind
 * and precision (base/number/ball.c); loops over integers and doubles call sc_work_add.
 *
 * Claim  work-limit.inner  a limit within a limit never ends later than the outer one
 */
#ifndef SC_BASE_WORK_LIMIT_H
#define SC_BASE_WORK_LIMIT_H

#include <stdbool.h>
#include <stdint.h>

typedef struct sc_work_limit {
    uint64_t outer; /* the limit that held before; UINT64_MAX: no limit */
} sc_work_limit;

/* Limits the work of this thread from here on, until sc_work_limit_leave. */
void sc_work_limit_enter(sc_work_limit *limit, uint64_t units);
void sc_work_limit_leave(const sc_work_limit *limit);
/* The work of this thread so far, and where its limit ends (UINT64_MAX: nowhere); for the functions below
 * alone. They are not handed down as parameters: every operation on a ball below a search would have to take
 * them along. */
extern _Thread_local uint64_t sc_work_done, sc_work_end;
/* Inline, since sums of balls hardly take longer than a call. 64 bits hold the work of centuries. */
static inline void sc_work_add(uint32_t units)
{
    sc_work_done += units;
}
/* times each; a product beyond 64 bits ends any limit. */
void sc_work_add_each(uint64_t times, uint64_t units);
/* False outside of any limit. */
static inline bool sc_work_limit_is_over(void)
{
    return sc_work_done >= sc_work_end;
}

#endif
