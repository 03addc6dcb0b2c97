#include "check.h"
#include "query/answer/quantum.h"

#include <time.h>

#define MS UINT64_C(1000000)

TEST(quantum_multiples)
{
    CLAIM("quantum.multiples");
    CHECK_INT(sc_quantum_next(0, 7), 7);
    CHECK_INT(sc_quantum_next(1, 7), 7);
    CHECK_INT(sc_quantum_next(7, 7), 7);
    CHECK_INT(sc_quantum_next(8, 7), 14);
    CHECK_INT(sc_quantum_next(14, 7), 14);
    const uint64_t far = UINT64_C(1) << 61;
    CHECK_INT(sc_quantum_next(far + 1, far), 2 * (sc_int128)far);
    for (uint64_t elapsed = 0; elapsed < 200; elapsed++)
        for (uint64_t length = 1; length < 30; length++) {
            const uint64_t next = sc_quantum_next(elapsed, length);
            CHECK(next % length == 0 && next > 0 && next >= elapsed);
            CHECK(next < elapsed + length || next == length);
        }
}

static uint64_t clock_ns(void)
{
    struct timespec time;
    CHECK(clock_gettime(CLOCK_MONOTONIC, &time) == 0);
    return (uint64_t)time.tv_sec * 1000 * MS + (uint64_t)time.tv_nsec;
}

TEST(quantum_waits)
{
    CLAIM("quantum.multiples");
    const uint64_t before = clock_ns();
    const sc_quantum none = sc_quantum_start(0), some = sc_quantum_start(20 * MS);
    sc_quantum_wait(&none);
    sc_quantum_wait(&some);
    CHECK(clock_ns() - before >= 20 * MS);
    CHECK(clock_ns() >= some.start_ns + 20 * MS);
    /* Who comes after the first is let through at the second. */
    sc_quantum late = some;
    late.start_ns = clock_ns() - 21 * MS;
    sc_quantum_wait(&late);
    CHECK(clock_ns() >= late.start_ns + 40 * MS);
}

/* However much was done before. */
TEST(A73_processor_time_is_a_multiple_too)
{
    CLAIM("quantum.processor");
    const uint64_t length = 20000000;
    for (unsigned i = 0; i < 4; i++) {
        struct timespec time;
        volatile uint64_t work = 0;
        for (uint64_t j = 0; j < (uint64_t)i * 3000000; j++)
            work += j;
        CHECK(work < UINT64_MAX);
        const sc_quantum quantum = sc_quantum_start(length);
        sc_quantum_wait(&quantum);
        REQUIRE(clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) == 0);
        const uint64_t spent =
            (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
        CHECK(spent >= length && spent % length < 1000000);
    }
}
