#define SC_WITH_ARB
#include "base/number/ball_double.h"
#include "check.h"
#include "composition/fast/fast_law.h"
#include "composition/fast/tilt.h"

#include <arb_poly.h>
#include <math.h>

#define BITS 400

/* Three masses at -1, 0 and 1 steps of 1/20. */
static void open_loss(sc_loss *loss, uint64_t low, uint64_t middle, uint64_t high)
{
    scrim_error error;
    *loss = (sc_loss){.side = SC_LOSS_UPPER, .bits = 10, .low = -1, .count = 3};
    loss->mass = _fmpz_vec_init(3);
    fmpz_init(&loss->infinite);
    fmpz_set_ui(&loss->mass[0], low);
    fmpz_set_ui(&loss->mass[1], middle);
    fmpz_set_ui(&loss->mass[2], high);
    sc_ratio_init(&loss->step);
    CHECK_STATUS(sc_ratio_parse(sc_text_of("1/20"), &loss->step, &error), SCRIM_OK);
}

static void close_loss(sc_loss *loss)
{
    sc_ratio_clear(&loss->step);
    fmpz_clear(&loss->infinite);
    _fmpz_vec_clear(loss->mass, 3);
}

/* The tilted masses of all parts together, from the very doubles that are transformed. */
static void exact_tilted(const sc_fast_part *parts, size_t count, const sc_saddle *saddle,
                         double theta, arb_poly_t out)
{
    arb_poly_t one;
    arb_poly_init(one);
    arb_poly_one(out);
    for (size_t i = 0; i < count; i++) {
        sc_tilt tilt = {.x = NULL};
        scrim_error error;
        CHECK_STATUS(sc_tilt_set(&tilt, parts[i].loss, theta,
                                 sc_saddle_log_moment(saddle, i, theta), &error),
                     SCRIM_OK);
        arb_poly_zero(one);
        for (slong j = 0; j < 3; j++) {
            arb_t x;
            arb_init(x);
            arb_set_d(x, tilt.x[j]);
            arb_poly_set_coeff_arb(one, j, x);
            arb_clear(x);
        }
        sc_tilt_clear(&tilt);
        arb_poly_pow_ui(one, one, parts[i].count, BITS);
        arb_poly_mul(out, out, one, BITS);
    }
    arb_poly_clear(one);
}

static void check_law(const sc_fast_part *parts, size_t count, double theta,
                      bool is_whole)
{
    sc_saddle saddle;
    sc_fast_law law;
    sc_fft fft;
    scrim_error error;
    arb_poly_t truth;
    int64_t base = 0;
    double above = 0, below = 0, noise = 0, total = 0;
    arb_poly_init(truth);
    sc_saddle_init(&saddle);
    sc_fast_law_init(&law);
    sc_fft_init(&fft);
    REQUIRE_OK(sc_saddle_set(&saddle, parts, count, &error));
    REQUIRE_OK(sc_fast_law_set(&law, parts, count, &saddle, theta, SC_FAST_DEPTH, false,
                               &fft, NULL, &error));
    exact_tilted(parts, count, &saddle, theta, truth);
    for (size_t i = 0; i < count; i++)
        base -= (int64_t)parts[i].count;
    const int64_t from = (int64_t)law.first - base, points = (int64_t)law.points;
    for (slong j = 0; j < arb_poly_length(truth); j++) {
        const double mass =
            arf_get_d(arb_midref(arb_poly_get_coeff_ptr(truth, j)), ARF_RND_NEAR);
        total += mass;
        if (j < from)
            below += mass;
        else if (j >= from + points)
            above += mass;
    }
    sc_ball wrapped;
    sc_ball_init(&wrapped);
    for (int64_t i = 0; i < points; i++) {
        /* the point itself and, with the other sign at each turn, what wraps to it */
        sc_ball_set_int64(&wrapped, 0);
        for (int64_t j = (from + i) % points; j < arb_poly_length(truth); j += points) {
            arb_ptr mass = arb_poly_get_coeff_ptr(truth, j);
            if ((j - from - i) / points % 2 == 0)
                arb_add(wrapped.x, wrapped.x, mass, BITS);
            else
                arb_sub(wrapped.x, wrapped.x, mass, BITS);
        }
        sc_ball got;
        sc_ball_init(&got);
        sc_ball_set_double(&got, sc_fast_law_at(&law, (size_t)i));
        sc_ball_sub(&got, &got, &wrapped, BITS);
        noise += pow(arf_get_d(arb_midref(got.x), ARF_RND_NEAR), 2);
        sc_ball_clear(&got);
    }
    sc_ball_clear(&wrapped);
    CHECK(sqrt(noise) > 0 && sqrt(noise) <= sc_ball_lower(&law.noise));
    CHECK(!law.is_open);
    CHECK(above <= sc_ball_upper(&law.above) && below <= sc_ball_upper(&law.below));
    CHECK(is_whole ? above + below <= 0 : above > 0 && below > 0);
    CHECK(sc_ball_upper(&law.above) + sc_ball_upper(&law.below) < 1e-11);
    CHECK(total <= sc_ball_upper(&law.total) * (1 + 1e-15));
    sc_fft_clear(&fft);
    sc_fast_law_clear(&law);
    sc_saddle_clear(&saddle);
    arb_poly_clear(truth);
}

TEST(fast_law_is_as_near_as_it_says)
{
    CLAIM("fast-law.noise");
    CLAIM("fast-law.outside");
    sc_loss a, b;
    open_loss(&a, 300, 0, 724);
    open_loss(&b, 100, 800, 124);
    const sc_fast_part one[] = {{&a, 9}}, two[] = {{&a, 1000}, {&b, 30}};
    check_law(one, 1, 0, true);
    check_law(one, 1, 11, true);
    check_law(two, 2, 0.5, false);
    check_law(two, 2, 3, false);
    close_loss(&b);
    close_loss(&a);
}

/* All mass at one point: every value is a root of unity, whose rounding each copy repeats. */
TEST(fast_law_pays_for_roundings_of_every_copy)
{
    CLAIM("fast-law.noise");
    sc_loss a;
    open_loss(&a, 0, 1024, 0);
    const sc_fast_part parts[] = {{&a, 1000}};
    check_law(parts, 1, 0, true);
    close_loss(&a);
}

/* One copy of a wide law: the way back rounds as the way there, and is paid for as well. */
TEST(fast_law_pays_for_the_way_back)
{
    CLAIM("fast-law.noise");
    enum { POINTS = 1024 };
    sc_loss loss = {
        .side = SC_LOSS_UPPER, .bits = 10, .low = -POINTS / 2, .count = POINTS};
    const sc_fast_part part = {&loss, 1};
    sc_saddle saddle;
    sc_fast_law law;
    sc_fft fft;
    sc_ball each;
    loss.mass = _fmpz_vec_init(POINTS);
    fmpz_init(&loss.infinite);
    sc_ratio_init(&loss.step);
    for (size_t i = 0; i < POINTS; i++)
        fmpz_set_ui(&loss.mass[i], 1);
    CHECK_STATUS(sc_ratio_parse(sc_text_of("1/1000"), &loss.step, NULL), SCRIM_OK);
    sc_saddle_init(&saddle);
    sc_fast_law_init(&law);
    sc_fft_init(&fft);
    sc_ball_init(&each);
    REQUIRE_OK(sc_saddle_set(&saddle, &part, 1, NULL));
    REQUIRE_OK(sc_fast_law_set(&law, &part, 1, &saddle, 0, SC_FAST_DEPTH, false, &fft,
                               NULL, NULL));
    sc_fft_error(&fft, &each);
    CHECK(fft.levels >= 9);
    CHECK(2 * sc_ball_upper(&each) <= sc_ball_lower(&law.noise));
    sc_ball_clear(&each);
    sc_fft_clear(&fft);
    sc_fast_law_clear(&law);
    sc_saddle_clear(&saddle);
    sc_ratio_clear(&loss.step);
    fmpz_clear(&loss.infinite);
    _fmpz_vec_clear(loss.mass, POINTS);
}

/* A mass of 1023 / 1024 at 0, in a slice of 4 points, and 1 / 1024 `away` steps away. delta is to
 * be on its side of the truth. */
static void check_outlier(sc_loss_side side, int64_t away, double theta,
                          const char *epsilon)
{
    const int64_t low = away < 0 ? away : 0;
    const size_t count = (size_t)(away < 0 ? -away : away) + 1;
    sc_loss loss;
    sc_saddle saddle;
    sc_fast_law law;
    sc_fft fft;
    sc_ratio at;
    sc_ball truth, got;
    scrim_error error;
    sc_loss_init(&loss);
    sc_saddle_init(&saddle);
    sc_fast_law_init(&law);
    sc_fft_init(&fft);
    sc_ratio_init(&at);
    sc_ball_init(&truth);
    sc_ball_init(&got);
    REQUIRE_OK(sc_ratio_parse(sc_text_of("1/20"), &at, &error));
    REQUIRE_OK(sc_loss_reset(&loss, side, &at, 10, low, count, &error));
    fmpz_set_ui(&loss.mass[-low], 1023);
    fmpz_set_ui(&loss.mass[away - low], 1);
    const sc_fast_part part = {&loss, 1};
    REQUIRE_OK(sc_ratio_parse(sc_text_of(epsilon), &at, &error));
    REQUIRE_OK(sc_saddle_set(&saddle, &part, 1, &error));
    REQUIRE_OK(
        sc_fast_law_set(&law, &part, 1, &saddle, theta, 1, true, &fft, NULL, &error));
    CHECK_INT(law.points, 4);
    CHECK(law.is_open == (theta > 0));
    CHECK(sc_ball_upper(away < 0 ? &law.below : &law.above) > 0.999 / 1024);
    sc_ball_set_ratio(&truth, &at, BITS);
    sc_loss_delta(&loss, &truth, BITS, &truth);
    sc_fast_law_delta(&law, &at, &got);
    CHECK(side == SC_LOSS_UPPER ? sc_ball_is_less_equal(&truth, &got)
                                : sc_ball_is_less_equal(&got, &truth));
    sc_ball_clear(&got);
    sc_ball_clear(&truth);
    sc_ratio_clear(&at);
    sc_fft_clear(&fft);
    sc_fast_law_clear(&law);
    sc_saddle_clear(&saddle);
    sc_loss_clear(&loss);
}

TEST(fast_law_pays_for_what_is_outside)
{
    CLAIM("fast-law.outside");
    /* The next above the slice, wrapped to 0 with the other sign: delta lacks it twice, and the
     * Chernoff bound of a last point is hardly more than its mass. */
    check_outlier(SC_LOSS_UPPER, 4, 0, "-10");
    /* Two turns below the slice, wrapped to -1 with its own sign: delta has it, and must not. */
    check_outlier(SC_LOSS_LOWER, -9, 0, "-1/4");
}

/* The slice is from -3 to 0. What is below wraps to -1, above the epsilon, where it is not. */
TEST(fast_law_pays_for_what_is_folded_in)
{
    CLAIM("fast-law.open");
    check_outlier(SC_LOSS_UPPER, -5, 10, "-1/10"); /* with the other sign */
    check_outlier(SC_LOSS_LOWER, -9, 10, "-1/10"); /* with its own */
    /* An epsilon below the slice, where one point is not seen at all. */
    check_outlier(SC_LOSS_UPPER, -5, 10, "-2");
    check_outlier(SC_LOSS_LOWER, -9, 10, "-2");
}
