#include "query/answer/quantum.h"

#include <time.h>

#define SECOND_NS UINT64_C(1000000000)

static uint64_t read_clock(clockid_t clock)
{
    struct timespec time = {0, 0};
    (void)clock_gettime(clock, &time); /* cannot fail: Linux has both clocks */
    return (uint64_t)time.tv_sec * SECOND_NS + (uint64_t)time.tv_nsec;
}

static uint64_t now(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

/* Uses the processor until its time is a multiple. */
static void spend_time(uint64_t length_ns)
{
    const uint64_t goal =
        sc_quantum_next(read_clock(CLOCK_PROCESS_CPUTIME_ID), length_ns);
    while (read_clock(CLOCK_PROCESS_CPUTIME_ID) < goal)
        ;
}

sc_quantum sc_quantum_start(uint64_t length_ns)
{
    return (sc_quantum){.start_ns = now(), .length_ns = length_ns};
}

uint64_t sc_quantum_next(uint64_t elapsed_ns, uint64_t length_ns)
{
    const uint64_t whole = elapsed_ns / length_ns;
    const uint64_t count = elapsed_ns % length_ns == 0 && whole > 0 ? whole : whole + 1;
    return count * length_ns;
}

void sc_quantum_wait(const sc_quantum *quantum)
{
    if (quantum->length_ns == 0)
        return;
    spend_time(quantum->length_ns);
    const uint64_t end = quantum->start_ns +
                         sc_quantum_next(now() - quantum->start_ns, quantum->length_ns);
    const struct timespec until = {.tv_sec = (time_t)(end / SECOND_NS),
                                   .tv_nsec = (long)(end % SECOND_NS)};
    while (now() < end)
        (void)clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
}
