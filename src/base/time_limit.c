#include "base/time_limit.h"

#include <time.h>

/* When the limit of this thread ends, by its own clock; 0: there is none. The one thing of this kind
 * that is not handed down: every loop below a search would have to take it along. */
static _Thread_local uint64_t end_ns;

/* What is instrumented takes longer, and has more time. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define FACTOR 30
#else
#define FACTOR 1
#endif
#ifdef SCRIM_TESTING
#include "base/time_limit_tape.h"
uint64_t sc_time_limit_percent = 3000;
#define PERCENT (FACTOR * sc_time_limit_percent)
#else
#define PERCENT (FACTOR * UINT64_C(100))
#endif

static uint64_t now_ns(void)
{
    struct timespec now;
    if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) != 0)
        return UINT64_MAX; /* without a clock there is no time */
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

void sc_time_limit_enter(sc_time_limit *limit, uint64_t milliseconds)
{
    const uint64_t now = now_ns(), more = milliseconds * PERCENT * 10000u;
    const uint64_t own = now > UINT64_MAX - more ? now : now + more;
    limit->outer_ns = end_ns;
    if (end_ns == 0 || own < end_ns)
        end_ns = own;
}

void sc_time_limit_leave(const sc_time_limit *limit)
{
    end_ns = limit->outer_ns;
}

bool sc_time_limit_is_over(void)
{
    return end_ns != 0 && now_ns() >= end_ns;
}
