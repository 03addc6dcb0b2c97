#define SC_WITH_ARB
#include "balls.h"
#include "base/number/ball_double.h"
#include "check.h"
#include "composition/fast/fast_law.h"
#include "composition/fast/fast_loss.h"
#include "faults.h"
#include "vectors.h"

#include <fenv.h>
#include <flint/fmpz_poly.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define BITS 400
#define MASS_BITS 192

/* Losses by hand. */

static void loss_begin(sc_loss *loss, sc_loss_side side, const char *step, int64_t low,
                       size_t count)
{
    scrim_error error;
    loss->side = side;
    loss->bits = MASS_BITS;
    loss->low = low;
    loss->count = count;
    loss->mass = _fmpz_vec_init((slong)count);
    fmpz_init(&loss->infinite);
    sc_ratio_init(&loss->step);
    CHECK_STATUS(sc_ratio_parse(sc_text_of(step), &loss->step, &error), SCRIM_OK);
}

static void loss_end(sc_loss *loss)
{
    sc_ratio_clear(&loss->step);
    fmpz_clear(&loss->infinite);
    _fmpz_vec_clear(loss->mass, (slong)loss->count);
}

/* A mass on the side of the loss. */
static void set_mass(sc_loss *loss, fmpz *mass, const sc_ball *value)
{
    sc_ball scaled;
    arf_t end;
    arf_init(end);
    sc_ball_init(&scaled);
    sc_ball_mul_power2(&scaled, value, loss->bits);
    if (loss->side == SC_LOSS_UPPER)
        arb_get_ubound_arf(end, scaled.x, BITS);
    else
        arb_get_lbound_arf(end, scaled.x, BITS);
    arf_get_fmpz(mass, end, loss->side == SC_LOSS_UPPER ? ARF_RND_CEIL : ARF_RND_FLOOR);
    if (fmpz_sgn(mass) < 0)
        fmpz_zero(mass);
    sc_ball_clear(&scaled);
    arf_clear(end);
}

static void ball_of(sc_ball *out, const char *text)
{
    CHECK(ball_set_text(out, text, BITS));
}

/* Randomised response: the loss is step or -step. */
static void response_loss(sc_loss *loss, sc_loss_side side, const char *epsilon)
{
    sc_ball p, one;
    sc_ball_init(&p);
    sc_ball_init(&one);
    loss_begin(loss, side, epsilon, -1, 3);
    sc_ball_set_ratio(&p, &loss->step, BITS);
    sc_ball_neg(&p, &p);
    sc_ball_exp(&p, &p, BITS);
    sc_ball_add_int64(&p, &p, 1, BITS);
    sc_ball_set_int64(&one, 1);
    sc_ball_div(&p, &one, &p, BITS);
    set_mass(loss, &loss->mass[2], &p);
    sc_ball_sub(&p, &one, &p, BITS);
    set_mass(loss, &loss->mass[0], &p);
    sc_ball_clear(&one);
    sc_ball_clear(&p);
}

/* delta of Gaussian noise of mu = 1 / sigma at epsilon. */
static void gaussian_delta(const sc_ball *mu, const sc_ball *epsilon, sc_ball *out)
{
    sc_ball a, b, half;
    sc_ball_init(&a);
    sc_ball_init(&b);
    sc_ball_init(&half);
    sc_ball_mul_power2(&half, mu, -1);
    sc_ball_div(&a, epsilon, mu, BITS);
    sc_ball_add(&b, &a, &half, BITS);
    sc_ball_sub(&a, &a, &half, BITS);
    sc_ball_set_int64(&half, 2);
    sc_ball_sqrt(&half, &half, BITS);
    sc_ball_div(&a, &a, &half, BITS);
    sc_ball_div(&b, &b, &half, BITS);
    sc_ball_erfc(&a, &a, BITS);
    sc_ball_erfc(&b, &b, BITS);
    sc_ball_exp(&half, epsilon, BITS);
    sc_ball_mul(&b, &b, &half, BITS);
    sc_ball_sub(out, &a, &b, BITS);
    sc_ball_mul_power2(out, out, -1);
    sc_ball_clear(&half);
    sc_ball_clear(&b);
    sc_ball_clear(&a);
}

/* Connected dots of Gaussian noise from -points steps to points steps. */
static void gaussian_loss(sc_loss *loss, const char *sigma, const char *step,
                          int64_t points)
{
    enum { E, T, D, NEXT_T, NEXT_D, W, LAST_W, X, MU, BALLS };
    sc_ball *b = sc_balls_new(BALLS);
    loss_begin(loss, SC_LOSS_UPPER, step, -points, (size_t)(2 * points + 1));
    ball_of(&b[X], sigma);
    sc_ball_set_int64(&b[MU], 1);
    sc_ball_div(&b[MU], &b[MU], &b[X], BITS);
    for (int64_t j = -points - 1; j <= points; j++) {
        /* the dot after j, and the slope between */
        sc_ball_set_ratio(&b[E], &loss->step, BITS);
        sc_ball_mul_int64(&b[E], &b[E], j + 1, BITS);
        sc_ball_exp(&b[NEXT_T], &b[E], BITS);
        gaussian_delta(&b[MU], &b[E], &b[NEXT_D]);
        if (j < -points) {
            sc_ball_set_int64(&b[X], 1);
            sc_ball_sub(&b[W], &b[X], &b[NEXT_D], BITS);
            sc_ball_div(&b[W], &b[W], &b[NEXT_T], BITS);
        } else if (j < points) {
            sc_ball_sub(&b[W], &b[D], &b[NEXT_D], BITS);
            sc_ball_sub(&b[X], &b[NEXT_T], &b[T], BITS);
            sc_ball_div(&b[W], &b[W], &b[X], BITS);
        } else {
            sc_ball_set_int64(&b[W], 0);
            set_mass(loss, &loss->infinite, &b[D]);
        }
        if (j >= -points) {
            sc_ball_sub(&b[X], &b[LAST_W], &b[W], BITS);
            sc_ball_mul(&b[X], &b[X], &b[T], BITS);
            set_mass(loss, &loss->mass[j + points], &b[X]);
        }
        sc_ball_set(&b[LAST_W], &b[W]);
        sc_ball_set(&b[T], &b[NEXT_T]);
        sc_ball_set(&b[D], &b[NEXT_D]);
    }
    sc_balls_free(b, BALLS);
}

/* The truth. */

/* All masses together, as one exact polynomial in units of 2^-(bits times). */
static void exact_product(const sc_fast_part *parts, size_t count, fmpz_poly_t out)
{
    fmpz_poly_t one;
    fmpz_poly_init(one);
    fmpz_poly_one(out);
    for (size_t i = 0; i < count; i++) {
        fmpz_poly_zero(one);
        for (size_t j = 0; j < parts[i].loss->count; j++)
            fmpz_poly_set_coeff_fmpz(one, (slong)j, &parts[i].loss->mass[j]);
        fmpz_poly_pow(one, one, parts[i].count);
        fmpz_poly_mul(out, out, one);
    }
    fmpz_poly_clear(one);
}

static void exact_delta(const sc_fast_part *parts, size_t count,
                        const fmpz_poly_t product, const sc_ratio *epsilon, sc_ball *out)
{
    int64_t low = 0;
    long places = 0;
    fmpz_t mass;
    sc_ball e, t, step;
    fmpz_init(mass);
    sc_ball_init(&e);
    sc_ball_init(&t);
    sc_ball_init(&step);
    for (size_t i = 0; i < count; i++) {
        low += parts[i].loss->low * (int64_t)parts[i].count;
        places += parts[i].loss->bits * (long)parts[i].count;
    }
    sc_ball_set_ratio(&e, epsilon, BITS);
    sc_ball_set_ratio(&step, &parts[0].loss->step, BITS);
    sc_ball_set_int64(out, 0);
    for (slong j = 0; j < fmpz_poly_length(product); j++) {
        sc_ball_mul_int64(&t, &step, low + j, BITS);
        sc_ball_sub(&t, &e, &t, BITS);
        sc_ball_expm1(&t, &t, BITS);
        sc_ball_neg(&t, &t);
        if (!sc_ball_is_positive(&t))
            continue;
        fmpz_poly_get_coeff_fmpz(mass, product, j);
        arb_mul_fmpz(t.x, t.x, mass, BITS);
        sc_ball_add(out, out, &t, BITS);
    }
    sc_ball_mul_power2(out, out, -places);
    sc_fast_parts_infinite(parts, count, &t);
    sc_ball_add(out, out, &t, BITS);
    sc_ball_clear(&step);
    sc_ball_clear(&t);
    sc_ball_clear(&e);
    fmpz_clear(mass);
}

/* Is the bound on its side of the truth? Where both are the same sum of infinite masses they differ
 * by the last bits of balls. Returns how far it is from the truth, relatively. */
static double check_side(sc_loss_side side, const sc_ball *bound, const sc_ball *truth)
{
    sc_ball ratio;
    sc_ball_init(&ratio);
    sc_ball_div(&ratio, bound, truth, BITS);
    sc_ball_add_int64(&ratio, &ratio, -1, BITS);
    if (side == SC_LOSS_LOWER)
        sc_ball_neg(&ratio, &ratio);
    const double low = sc_ball_lower(&ratio), high = sc_ball_upper(&ratio);
    if (!CHECK(low >= -0x1p-250)) {
        char text[60];
        sc_ball_format(truth, 20, text, sizeof text);
        CHECK_FAIL("%s side is off by %g for %s",
                   side == SC_LOSS_UPPER ? "upper" : "lower", low, text);
    }
    sc_ball_clear(&ratio);
    return high;
}

/* Tests. */

TEST(fast_loss_vectors)
{
    CLAIM("fast-loss.upper");
    json_t *rows = vectors_load("local-and-accounting", "pld_tilted_fft"), *row;
    sc_loss loss;
    sc_ball got, wanted;
    sc_ratio epsilon;
    size_t i;
    sc_ball_init(&got);
    sc_ball_init(&wanted);
    sc_ratio_init(&epsilon);
    gaussian_loss(&loss, "10", "0.005", 250);
    const sc_fast_part part = {&loss, 100};
    json_array_foreach(rows, i, row)
    {
        scrim_error error;
        const char *integer = json_string_value(json_object_get(row, "upper_integer"));
        const char *fft = json_string_value(json_object_get(row, "upper_fft"));
        const char *at = json_string_value(json_object_get(row, "eps"));
        REQUIRE_OK(sc_ratio_parse(sc_text_of(at), &epsilon, &error));
        REQUIRE_OK(sc_fast_loss_delta(&part, 1, &epsilon, NULL, &got, &error));
        /* At most what is printed with its larger envelope, and at least the exact value. */
        CHECK_NEAR(sc_ball_upper(&got), strtod(integer, NULL), 1e-10);
        CHECK(sc_ball_upper(&got) <= strtod(fft, NULL) * (1 + 1e-12));
        CHECK(sc_ball_upper(&got) >= strtod(integer, NULL) * (1 - 1e-13));
    }
    CHECK_INT(i, 4);
    loss_end(&loss);
    sc_ratio_clear(&epsilon);
    sc_ball_clear(&wanted);
    sc_ball_clear(&got);
}

/* The same product by a transform that is not tilted: bins below 0 are its error, which no delta below it survives.
 * The tilted one bounds such a delta within a millionth. Two transforms round differently: within a factor of ten. */
TEST(fast_loss_is_below_the_noise_of_a_plain_transform)
{
    CLAIM("fast-loss.upper");
    enum { LOG = 16, TIMES = 100 };
    const double noise =
        strtod(vectors_text(vectors_load("local-and-accounting", "pld_plain_fft_noise"),
                            "sum_of_negative_bins"),
               NULL);
    json_t *rows = vectors_load("local-and-accounting", "pld_tilted_fft"), *row;
    static double bins[1 << LOG];
    double below = 0, least = 1;
    size_t i;
    sc_loss loss;
    sc_fft fft;
    scrim_error error;
    SC_BALL_SCOPE(scope);
    gaussian_loss(&loss, "10", "0.005", 250);
    REQUIRE(loss.count * TIMES <= 1 << LOG);
    for (i = 0; i < loss.count; i++)
        bins[i] = ldexp(fmpz_get_d(&loss.mass[i]), -MASS_BITS);
    sc_fft_init(&fft);
    REQUIRE_OK(sc_fft_prepare(&fft, LOG, &error));
    sc_fft_forward(&fft, bins);
    sc_fft_power(&fft, bins, TIMES);
    sc_fft_inverse(&fft, bins);
    for (i = 0; i < 1 << LOG; i++)
        below += bins[i] < 0 ? -bins[i] : 0;
    CHECK(below > noise / 10 && below < noise * 10);
    json_array_foreach(rows, i, row)
    {
        least = fmin(least, strtod(vectors_text(row, "upper_integer"), NULL));
    }
    CHECK(least < noise); /* fast_loss_vectors has it to ten digits */
    sc_fft_clear(&fft);
    loss_end(&loss);
}

static uint64_t next(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

/* Masses that add up to about 1, with holes, of any shape. */
static void random_loss(sc_loss *loss, sc_loss_side side, const char *step,
                        uint64_t *seed)
{
    const size_t count = 1 + next(seed) % 12;
    fmpz_t sum;
    loss_begin(loss, side, step, -(int64_t)(next(seed) % 10), count);
    for (size_t j = 0; j < count; j++) {
        fmpz_set_ui(&loss->mass[j], next(seed) % 3 == 0 ? 0 : 1 + next(seed) % 1000);
        fmpz_mul_2exp(&loss->mass[j], &loss->mass[j], next(seed) % 40);
    }
    fmpz_set_ui(&loss->mass[next(seed) % count], 1 + next(seed) % 1000);
    fmpz_init(sum);
    _fmpz_vec_sum(sum, loss->mass, (slong)count);
    for (size_t j = 0; j < count; j++) {
        fmpz_mul_2exp(&loss->mass[j], &loss->mass[j], MASS_BITS);
        fmpz_fdiv_q(&loss->mass[j], &loss->mass[j], sum);
    }
    if (next(seed) % 3 == 0)
        fmpz_ui_pow_ui(&loss->infinite, 2, 60 + next(seed) % 100);
    fmpz_clear(sum);
}

/* Returns how many of BAG_POINTS bounds are further than 1e-6 from the truth. */
#define BAG_POINTS 7
static uint64_t check_bag(sc_loss_side side, uint64_t seed)
{
    uint64_t far_off = 0;
    static const char *const steps[] = {"1/3", "0.01", "1/1000", "5", "1"};
    sc_loss losses[3];
    sc_fast_part parts[3];
    const size_t count = 1 + next(&seed) % 3;
    const char *step = steps[next(&seed) % COUNT(steps)];
    fmpz_poly_t product;
    sc_ball got, truth;
    sc_ratio epsilon, part;
    sc_ball_init(&got);
    sc_ball_init(&truth);
    sc_ratio_init(&epsilon);
    sc_ratio_init(&part);
    int64_t top = 0, points = 0;
    for (size_t i = 0; i < count; i++) {
        random_loss(&losses[i], side, step, &seed);
        parts[i] = (sc_fast_part){&losses[i], 1 + next(&seed) % 7};
        top += (losses[i].low + (int64_t)losses[i].count - 1) * (int64_t)parts[i].count;
        points += ((int64_t)losses[i].count - 1) * (int64_t)parts[i].count;
    }
    fmpz_poly_init(product);
    exact_product(parts, count, product);
    for (int64_t i = -1; i < BAG_POINTS - 1; i++) {
        scrim_error error;
        /* from above the last point down to below the first, between points */
        sc_ratio_set_int64(&epsilon, 7 * top - points * i - (int64_t)(next(&seed) % 3));
        sc_ratio_set_int64(&part, 7);
        sc_ratio_div(&epsilon, &epsilon, &part);
        sc_ratio_mul(&epsilon, &epsilon, &losses[0].step);
        CHECK_STATUS(sc_fast_loss_delta(parts, count, &epsilon, NULL, &got, &error),
                     SCRIM_OK);
        exact_delta(parts, count, product, &epsilon, &truth);
        if (sc_ball_is_positive(&truth))
            far_off += check_side(side, &got, &truth) > 1e-6;
        else
            CHECK(sc_ball_upper(&got) <= 0);
    }
    fmpz_poly_clear(product);
    for (size_t i = 0; i < count; i++)
        loss_end(&losses[i]);
    sc_ratio_clear(&part);
    sc_ratio_clear(&epsilon);
    sc_ball_clear(&truth);
    sc_ball_clear(&got);
    return far_off;
}

/* Each bound is on its side. One in 500 may be far off: laws with large holes and steps of several
 * e-folds have no saddle that a tilt could find. */
static void check_bags(sc_loss_side side)
{
    const uint64_t rounds = check_count(60, 20000);
    uint64_t far_off = 0;
    for (uint64_t i = 0; i < rounds; i++)
        far_off += check_bag(side, check_seed() * 1000003 + i);
    CHECK(far_off * 500 <= rounds * BAG_POINTS);
}

SLOW_TEST(fast_loss_bags_upper)
{
    CLAIM("fast-loss.upper");
    check_bags(SC_LOSS_UPPER);
}

SLOW_TEST(fast_loss_bags_lower)
{
    CLAIM("fast-loss.lower");
    check_bags(SC_LOSS_LOWER);
}

/* The k-fold loss of randomised response is binomial. */
static void response_delta(const sc_loss *loss, uint64_t k, const sc_ratio *epsilon,
                           sc_ball *out)
{
    sc_ball term, t, ratio, e, step;
    sc_ball *const balls[] = {&term, &t, &ratio, &e, &step};
    for (size_t i = 0; i < COUNT(balls); i++)
        sc_ball_init(balls[i]);
    sc_ball_sum(&loss->mass[2], 1, loss->bits, &term);
    sc_ball_sum(&loss->mass[0], 1, loss->bits, &ratio);
    sc_ball_div(&ratio, &ratio, &term, BITS);
    sc_ball_power(&term, &term, k, BITS);
    sc_ball_set_ratio(&e, epsilon, BITS);
    sc_ball_set_ratio(&step, &loss->step, BITS);
    sc_ball_set_int64(out, 0);
    /* i of k have the loss -step */
    for (uint64_t i = 0; 2 * i <= k; i++) {
        sc_ball_mul_int64(&t, &step, (int64_t)(k - 2 * i), BITS);
        sc_ball_sub(&t, &e, &t, BITS);
        sc_ball_expm1(&t, &t, BITS);
        sc_ball_neg(&t, &t);
        if (!sc_ball_is_positive(&t))
            break;
        sc_ball_mul(&t, &t, &term, BITS);
        sc_ball_add(out, out, &t, BITS);
        sc_ball_mul(&term, &term, &ratio, BITS);
        sc_ball_mul_int64(&term, &term, (int64_t)(k - i), BITS);
        arb_div_ui(term.x, term.x, i + 1, BITS);
    }
    for (size_t i = 0; i < COUNT(balls); i++)
        sc_ball_clear(balls[i]);
}

/* From 1e-2 to 1e-30, on both sides: epsilon is proved at the bound, and not much is lost. */
static void check_response(const char *epsilon0, uint64_t k)
{
    static const char *const deltas[] = {"0.01", "1e-6", "1e-15", "1e-30"};
    for (int side = 0; side < 2; side++) {
        sc_loss loss;
        sc_ball at, truth;
        sc_ratio delta, epsilon;
        sc_ball_init(&at);
        sc_ball_init(&truth);
        sc_ratio_init(&delta);
        sc_ratio_init(&epsilon);
        response_loss(&loss, side == 0 ? SC_LOSS_UPPER : SC_LOSS_LOWER, epsilon0);
        const sc_fast_part part = {&loss, k};
        for (size_t i = 0; i < COUNT(deltas); i++) {
            scrim_error error;
            bool is_finite = false;
            REQUIRE_OK(sc_ratio_parse(sc_text_of(deltas[i]), &delta, &error));
            REQUIRE_OK(
                sc_fast_loss_epsilon(&part, 1, &delta, NULL, &at, &is_finite, &error));
            CHECK(is_finite);
            CHECK(sc_ball_round_up(&at, 200, &epsilon));
            response_delta(&loss, k, &epsilon, &truth);
            sc_ball_set_ratio(&at, &delta, BITS);
            /* Rounded up to the last point of all, there is nothing left. */
            if (sc_ball_is_positive(&truth) || loss.side == SC_LOSS_LOWER)
                CHECK(check_side(loss.side, &at, &truth) <= 1e-4);
        }
        loss_end(&loss);
        sc_ratio_clear(&epsilon);
        sc_ratio_clear(&delta);
        sc_ball_clear(&truth);
        sc_ball_clear(&at);
    }
}

TEST(fast_loss_epsilon_of_responses)
{
    CLAIM("fast-loss.upper");
    CLAIM("fast-loss.lower");
    check_response("0.5", 300);
    check_response("0.1", 1000);
    check_response("0.01", 10000);
    if (check_is_long()) {
        check_response("0.01", 100000);
        check_response("0.001", 1000000);
    }
}

/* Attack A11: in whatever mode the caller computes, the same comes out, and the mode stays. */
TEST(fast_loss_ignores_the_rounding_mode)
{
    static const int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    double first[2] = {0, 0};
    sc_loss loss;
    sc_ratio delta;
    sc_ball got;
    scrim_error error;
    sc_ball_init(&got);
    sc_ratio_init(&delta);
    response_loss(&loss, SC_LOSS_UPPER, "0.1");
    REQUIRE_OK(sc_ratio_parse(sc_text_of("1e-9"), &delta, &error));
    const sc_fast_part part = {&loss, 777};
    for (size_t i = 0; i < COUNT(modes); i++) {
        bool is_finite = false;
        fesetround(modes[i]);
        scrim_status status =
            sc_fast_loss_epsilon(&part, 1, &delta, NULL, &got, &is_finite, &error);
        CHECK_INT(fegetround(), modes[i]);
        fesetround(FE_TONEAREST);
        REQUIRE_OK(status);
        const double epsilon = sc_ball_lower(&got);
        fesetround(modes[i]);
        status = sc_fast_loss_delta(&part, 1, &delta, NULL, &got, &error);
        fesetround(FE_TONEAREST);
        REQUIRE_OK(status);
        const double both[2] = {epsilon, sc_ball_lower(&got)};
        if (i == 0)
            memcpy(first, both, sizeof first);
        CHECK_BYTES(both, first, sizeof first);
    }
    loss_end(&loss);
    sc_ratio_clear(&delta);
    sc_ball_clear(&got);
}

TEST(fast_loss_refuses)
{
    sc_loss a, b;
    sc_ratio delta;
    sc_ball got;
    bool is_finite;
    scrim_error error;
    sc_ball_init(&got);
    sc_ratio_init(&delta);
    REQUIRE_OK(sc_ratio_parse(sc_text_of("1e-9"), &delta, &error));
    response_loss(&a, SC_LOSS_UPPER, "0.001");
    response_loss(&b, SC_LOSS_LOWER, "0.001");
    const sc_fast_part mixed[] = {{&a, 1}, {&b, 1}}, none = {&a, 0};
    const sc_fast_part wide = {&a, 10000000000000}, endless = {&a, UINT64_MAX};
    CHECK_STATUS(sc_fast_loss_epsilon(mixed, 2, &delta, NULL, &got, &is_finite, &error),
                 SCRIM_E_PARAM);
    CHECK_STATUS(sc_fast_loss_epsilon(&none, 1, &delta, NULL, &got, &is_finite, &error),
                 SCRIM_E_PARAM);
    CHECK_STATUS(sc_fast_loss_epsilon(mixed, 0, &delta, NULL, &got, &is_finite, &error),
                 SCRIM_E_PARAM);
    CHECK_STATUS(sc_fast_loss_epsilon(&wide, 1, &delta, NULL, &got, &is_finite, &error),
                 SCRIM_E_LIMIT);
    CHECK_STATUS(sc_fast_loss_delta(&endless, 1, &delta, NULL, &got, &error),
                 SCRIM_E_LIMIT);
    loss_end(&b);
    loss_end(&a);
    sc_ratio_clear(&delta);
    sc_ball_clear(&got);
}

/* A mass at infinity of 1e-9 or so: below, no delta is reached, above, it is only added. */
TEST(fast_loss_with_infinite_mass)
{
    static const char *const deltas[] = {"1e-10", "1e-7"};
    sc_ratio delta;
    sc_ball got;
    scrim_error error;
    bool is_finite;
    sc_ball_init(&got);
    sc_ratio_init(&delta);
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < 2; i++) {
            sc_loss loss;
            response_loss(&loss, side == 0 ? SC_LOSS_UPPER : SC_LOSS_LOWER, "0.1");
            fmpz_ui_pow_ui(&loss.infinite, 2, MASS_BITS - 33);
            const sc_fast_part part = {&loss, 10};
            is_finite = i == 0;
            REQUIRE_OK(sc_ratio_parse(sc_text_of(deltas[i]), &delta, &error));
            REQUIRE_OK(
                sc_fast_loss_epsilon(&part, 1, &delta, NULL, &got, &is_finite, &error));
            CHECK_INT(is_finite, i);
            if (i == 1) /* of ten steps of 1/10 the last has a chance of 0.0016 */
                CHECK(sc_ball_lower(&got) > 0.999 && sc_ball_lower(&got) < 1);
            /* Nothing but infinity. */
            fmpz_zero(&loss.mass[0]);
            fmpz_zero(&loss.mass[2]);
            REQUIRE_OK(sc_fast_loss_delta(&part, 1, &delta, NULL, &got, &error));
            CHECK_NEAR(sc_ball_lower(&got), exp2(-330), 1e-12);
            loss_end(&loss);
        }
    sc_ratio_clear(&delta);
    sc_ball_clear(&got);
}

TEST(fast_loss_survives_lack_of_memory)
{
    sc_loss loss;
    sc_ratio delta;
    sc_ball got;
    scrim_error error;
    sc_ball_init(&got);
    sc_ratio_init(&delta);
    response_loss(&loss, SC_LOSS_UPPER, "0.1");
    REQUIRE_OK(sc_ratio_parse(sc_text_of("1e-9"), &delta, &error));
    const sc_fast_part parts[] = {{&loss, 7}, {&loss, 5}};
    FAULT_LOOP(fault)
    {
        bool is_finite;
        const scrim_status status =
            sc_fast_loss_epsilon(parts, 2, &delta, NULL, &got, &is_finite, &error);
        CHECK_STATUS(status, fault_hit() ? SCRIM_E_MEMORY : SCRIM_OK);
    }
    loss_end(&loss);
    sc_ratio_clear(&delta);
    sc_ball_clear(&got);
}
