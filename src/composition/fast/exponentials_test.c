#include "base/number/ball_double.h"
#include "check.h"
#include "composition/fast/tilt.h"

#include <math.h>

#define BITS 200

static void check_exponentials(double offset, double slope, size_t count)
{
    sc_exponentials e;
    sc_ball at, by, x, got;
    scrim_error error;
    size_t wrong = 0, beyond = 0;
    sc_exponentials_init(&e);
    sc_ball_init(&at);
    sc_ball_init(&by);
    sc_ball_init(&x);
    sc_ball_init(&got);
    sc_ball_set_double(&at, offset);
    sc_ball_set_double(&by, slope);
    REQUIRE_OK(sc_exponentials_fill(&e, &at, &by, count, &error));
    for (size_t j = 0; j < count; j += 1 + count / 997) {
        const double value = sc_exponentials_at(&e, j);
        sc_ball_mul_int64(&x, &by, (int64_t)j, BITS);
        sc_ball_add(&x, &x, &at, BITS);
        sc_ball_exp(&x, &x, BITS);
        const double truth = sc_ball_lower(&x);
        if (value < 0x1p-900 || value > 0x1p900) {
            beyond++;
            wrong += value < 1 ? truth > 0x1p-899 : truth < 0x1p899;
            continue;
        }
        sc_ball_set_double(&got, value);
        sc_ball_div(&got, &got, &x, BITS);
        sc_ball_add_int64(&got, &got, -1, BITS);
        wrong += !(fmax(fabs(sc_ball_lower(&got)), fabs(sc_ball_upper(&got))) <=
                   SC_EXPONENTIALS_ERROR * 0x1p-53);
    }
    CHECK_INT(wrong, 0);
    CHECK(beyond == 0 || fabs(offset) + fabs(slope) * (double)count > 600);
    sc_exponentials_clear(&e);
    sc_ball_clear(&got);
    sc_ball_clear(&x);
    sc_ball_clear(&by);
    sc_ball_clear(&at);
}

TEST(exponentials_are_accurate)
{
    CLAIM("exponentials.accurate");
    check_exponentials(0, 0, 3);
    check_exponentials(0, 0.1, 1);
    check_exponentials(-3.25, 1e-5, 1 << 16);
    check_exponentials(40, -0.00123, 100001);
    check_exponentials(0.5, 7, 90);
    check_exponentials(-700, 0.3, 5000);
    check_exponentials(0, -250, 6);
}
