#include "base/time_limit.h"
#include "base/time_limit_tape.h"
#include "check.h"

static void compute_until_over(void)
{
    for (volatile unsigned turns = 0; !sc_time_limit_is_over(); turns++)
        for (volatile unsigned i = 0; i < 1000; i++)
            ;
}

TEST(time_limit_ends_what_computes)
{
    CLAIM("time-limit.inner");
    sc_time_limit outer, inner;
    sc_time_limit_percent = 100;
    CHECK(!sc_time_limit_is_over());
    sc_time_limit_enter(&outer, 20);
    CHECK(!sc_time_limit_is_over());
    sc_time_limit_enter(&inner, 1000000); /* no later than the outer one */
    compute_until_over();
    sc_time_limit_leave(&inner);
    CHECK(sc_time_limit_is_over());
    sc_time_limit_leave(&outer);
    CHECK(!sc_time_limit_is_over());
    sc_time_limit_enter(&outer, 1000000);
    sc_time_limit_enter(&inner, 0);
    CHECK(sc_time_limit_is_over());
    sc_time_limit_leave(&inner);
    CHECK(!sc_time_limit_is_over());
    sc_time_limit_leave(&outer);
}
