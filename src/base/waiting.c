#include "base/waiting.h"

#include <time.h>

int64_t sc_waiting_clock_ns(void)
{
    struct timespec clock = {0};
    (void)clock_gettime(CLOCK_MONOTONIC, &clock);
    return (int64_t)clock.tv_sec * 1000000000 + clock.tv_nsec;
}

int64_t sc_waiting_clock_ms(void)
{
    return sc_waiting_clock_ns() / 1000000;
}
