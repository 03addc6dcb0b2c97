#include "base/cancel.h"
#include "check.h"

#include <time.h>

TEST(waiting_clock_goes_forward)
{
    CLAIM("waiting.forward");
    const int64_t began_ms = sc_waiting_clock_ms();
    int64_t last = sc_waiting_clock_ns();
    for (int i = 0; i < 1000; i++) {
        const int64_t now = sc_waiting_clock_ns();
        CHECK(now >= last);
        last = now;
    }
    (void)nanosleep(&(struct timespec){.tv_nsec = 3000000}, NULL);
    CHECK(sc_waiting_clock_ns() >= last + 3000000);
    CHECK(sc_waiting_clock_ms() >= began_ms + 3);
}
