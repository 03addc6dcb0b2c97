#include "check.h"
#include "synth/model/rounded_count.h"

#include <math.h>

TEST(rounded_count_rounds_half_up)
{
    CLAIM("rounded-count.exact");
    CHECK_INT(sc_rounded_count(0.5), 1);
    CHECK_INT(sc_rounded_count(1.5), 2);
    CHECK_INT(sc_rounded_count(2.5), 3);
    /* The sum with 1/2 would round to 1. */
    CHECK_INT(sc_rounded_count(0.49999999999999994), 0);
    CHECK_INT(sc_rounded_count(7), 7);
    CHECK_INT(sc_rounded_count(0x1p40 - 0.25), (int64_t)1 << 40);
}

TEST(rounded_count_stays_in_its_range)
{
    CHECK_INT(sc_rounded_count(-3), 0);
    CHECK_INT(sc_rounded_count((double)NAN), 0);
    CHECK_INT(sc_rounded_count((double)INFINITY), (int64_t)1 << 40);
    CHECK_INT(sc_rounded_count(1e300), (int64_t)1 << 40);
    CHECK_INT(sc_rounded_count(-(double)INFINITY), 0);
}
