#define SC_WITH_ARB
#include "check.h"
#include "composition/fast/tilt.h"

#include <math.h>

/* A thousand times 3/4 at 1/10 and 1/4 at -1/10. */
static void open_loss(sc_loss *loss)
{
    scrim_error error;
    *loss = (sc_loss){.side = SC_LOSS_UPPER, .bits = 2, .low = -1, .count = 3};
    loss->mass = _fmpz_vec_init(3);
    fmpz_init(&loss->infinite);
    fmpz_set_ui(&loss->mass[0], 1);
    fmpz_set_ui(&loss->mass[2], 3);
    sc_ratio_init(&loss->step);
    CHECK_STATUS(sc_ratio_parse(sc_text_of("1/10"), &loss->step, &error), SCRIM_OK);
}

static void close_loss(sc_loss *loss)
{
    sc_ratio_clear(&loss->step);
    fmpz_clear(&loss->infinite);
    _fmpz_vec_clear(loss->mass, 3);
}

TEST(saddle_knows_cumulants)
{
    sc_loss loss;
    sc_saddle saddle;
    sc_cumulants c;
    scrim_error error;
    open_loss(&loss);
    sc_saddle_init(&saddle);
    const sc_fast_part parts[] = {{&loss, 600}, {&loss, 400}};
    REQUIRE_OK(sc_saddle_set(&saddle, parts, 2, &error));
    const double p = 0.75 * exp(0.1 * 3), q = 0.25 * exp(-0.1 * 3), r = p / (p + q);
    sc_saddle_cumulants(&saddle, 3, &c);
    CHECK_NEAR(c.k, 1000 * log(p + q), 1e-12);
    CHECK_NEAR(c.mean, 1000 * 0.1 * (2 * r - 1), 1e-12);
    CHECK_NEAR(c.variance, 1000 * 0.04 * r * (1 - r), 1e-12);
    CHECK_NEAR(sc_saddle_log_moment(&saddle, 1, 3), log(p + q), 1e-12);
    sc_saddle_clear(&saddle);
    close_loss(&loss);
}

TEST(saddle_finds_tilts)
{
    sc_loss loss;
    sc_saddle saddle;
    sc_cumulants c;
    scrim_error error;
    open_loss(&loss);
    sc_saddle_init(&saddle);
    const sc_fast_part part = {&loss, 1000};
    REQUIRE_OK(sc_saddle_set(&saddle, &part, 1, &error));
    static const double means[] = {-60, 0, 50, 51, 80, 99};
    for (size_t i = 0; i < COUNT(means); i++) {
        sc_saddle_cumulants(&saddle, sc_saddle_tilt_to(&saddle, means[i], -saddle.cap),
                            &c);
        CHECK(fabs(c.mean - means[i]) <= 1e-2 * sqrt(c.variance));
    }
    CHECK(sc_saddle_tilt_to(&saddle, 40, 0) <= 1e-6);
    CHECK(sc_saddle_tilt_to(&saddle, 200, 0) >= 0.99 * saddle.cap);
    /* P(normal > x) exp(x^2 / 2) is about 1 / (x sqrt(2 pi)); delta as the chance of 80 more. */
    double last = 0;
    for (int power = 0; power < 8; power++) {
        const double log_delta = -ldexp(1, power),
                     tilt = sc_saddle_tilt_for(&saddle, log_delta);
        sc_saddle_cumulants(&saddle, tilt, &c);
        CHECK(tilt >= last);
        CHECK(c.k - tilt * c.mean > log_delta - 0.1 &&
              c.k - tilt * c.mean < log_delta + 6);
        last = tilt;
    }
    sc_saddle_clear(&saddle);
    close_loss(&loss);
}
