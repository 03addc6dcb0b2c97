#include "exact.h"
#include "goodness.h"
#include "mechanism/noise/gaussian_calibration.h"
#include "vectors.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* How far one draw is followed; and a sum of up to five, with what it moves by. */
enum { REACH = 80, WIDTH = 10 * REACH, CENTRE = WIDTH / 2 };

/* The law of one draw of variance v, in doubles, by its definition. */
static void one_draw(double v, double out[WIDTH])
{
    double sum = 0;
    memset(out, 0, WIDTH * sizeof *out);
    for (int z = -REACH; z <= REACH; z++)
        sum += out[CENTRE + z] = exp(-(double)z * z / (2 * v));
    for (int k = 0; k < WIDTH; k++)
        out[k] /= sum;
}

/* sum becomes that of one draw more. */
static void add_draw(double sum[WIDTH], const double one[WIDTH])
{
    static double next[WIDTH];
    memset(next, 0, sizeof next);
    for (int k = 0; k < WIDTH; k++)
        for (int z = -REACH; z <= REACH && sum[k] > 0; z++)
            if (k + z >= 0 && k + z < WIDTH)
                next[k + z] += sum[k] * one[CENTRE + z];
    memcpy(sum, next, sizeof next);
}

/* The hockey stick of a sum against itself moved by s. */
static double stick(const double sum[WIDTH], int s, double e)
{
    double total = 0;
    for (int k = 0; k + s < WIDTH; k++)
        total += fmax(0, sum[k] - exp(e) * sum[k + s]);
    return total;
}

static double moved_delta(const char *variance, uint64_t draws, uint64_t move,
                          const char *epsilon)
{
    sc_ratio v, e;
    sc_ball delta;
    exact_ratio(variance, &v);
    exact_ratio(epsilon, &e);
    sc_ball_init(&delta);
    if (move == 1)
        sc_gaussian_draws_delta_upper(&v, draws, &e, 192, &delta);
    else
        sc_gaussian_draws_moved_upper(&v, draws, move, &e, 192, &delta);
    const double upper = sc_ball_upper(&delta);
    sc_ball_clear(&delta);
    sc_ratio_clear(&e);
    sc_ratio_clear(&v);
    return upper;
}

static double delta_of(const char *variance, uint64_t draws, const char *epsilon)
{
    return moved_delta(variance, draws, 1, epsilon);
}

/* ((1 + E)/(1 - E))^2, by the sum itself; not finite where E is 1/2 or more. */
static double slack(double v, int draws)
{
    const double pi = acos(-1);
    double theta = 1;
    for (int m = 1; m < 9; m++)
        theta += 2 * exp(-pi * pi * v * m * m);
    const double e = draws == 1 ? 0 : pow(theta, draws) - 1;
    return e < 0.5 ? pow((1 + e) / (1 - e), 2) : HUGE_VAL;
}

/* Against sums of draws, one after the other; also below 0, and where the variance is so small that
 * the sum is no Gaussian at all. */
TEST(gaussian_draws_bound_the_sum_of_draws)
{
    CLAIM("gaussian-draws.bounds");
    static const struct {
        const char *text;
        double value;
    } variances[] = {{"1/8", 0.125}, {"1/3", 1.0 / 3}, {"1/2", 0.5},
                     {"1", 1},       {"3", 3},         {"9", 9}},
      epsilons[] = {{"-3", -3},     {"-1/2", -0.5}, {"-1/1000", -0.001}, {"0", 0},
                    {"1/8", 0.125}, {"1", 1},       {"5/2", 2.5},        {"6", 6}};
    for (size_t i = 0; i < COUNT(variances); i++) {
        double one[WIDTH], sum[WIDTH];
        one_draw(variances[i].value, one);
        memcpy(sum, one, sizeof sum);
        for (int s = 1; s <= 5; s++) {
            for (size_t k = 0; k < COUNT(epsilons); k++) {
                const double truth = stick(sum, s, epsilons[k].value);
                const double got =
                    delta_of(variances[i].text, (uint64_t)s, epsilons[k].text);
                /* what doubles lose of a sum of probabilities */
                if (got < truth - 1e-13 ||
                    got > truth * slack(variances[i].value, s) + 1e-13)
                    CHECK_FAIL("variance %s, %d draws, epsilon %s: %.17g, not %.17g",
                               variances[i].text, s, epsilons[k].text, got, truth);
            }
            add_draw(sum, one);
        }
    }
    CHECK_NEAR(slack(9, 5), 1, 1e-12); /* there the two roads agree */
}

/* The same of integers that move by two or five each. */
TEST(gaussian_draws_bound_the_sum_of_larger_moves)
{
    CLAIM("gaussian-draws.moved");
    static const struct {
        const char *text;
        double value;
    } variances[] = {{"1/3", 1.0 / 3}, {"2", 2}, {"9", 9}, {"40", 40}},
      epsilons[] = {{"-1/2", -0.5}, {"0", 0}, {"1", 1}, {"5/2", 2.5}};
    static const uint64_t moves[] = {1, 2, 5};
    for (size_t i = 0; i < COUNT(variances); i++) {
        double one[WIDTH], sum[WIDTH];
        one_draw(variances[i].value, one);
        memcpy(sum, one, sizeof sum);
        for (uint64_t s = 1; s <= 4; s++) {
            for (size_t k = 0; k < COUNT(moves) * COUNT(epsilons); k++) {
                const uint64_t move = moves[k % COUNT(moves)];
                const double e = epsilons[k / COUNT(moves)].value;
                const double truth = stick(sum, (int)(s * move), e);
                const double got = moved_delta(variances[i].text, s, move,
                                               epsilons[k / COUNT(moves)].text);
                if (got < truth - 1e-13 ||
                    got > truth * slack(variances[i].value, (int)s) + 1e-13)
                    CHECK_FAIL(
                        "variance %s, %d draws by %d, epsilon %g: %.17g, not %.17g",
                        variances[i].text, (int)s, (int)move, e, got, truth);
            }
            add_draw(sum, one);
        }
    }
    CHECK_NEAR(slack(40, 4), 1, 1e-12);
}

/* Two draws by their pairs: the one up and the other down has the delta of both up. */
TEST(gaussian_draws_have_no_direction)
{
    CLAIM("gaussian-draws.bounds");
    double one[WIDTH];
    one_draw(2, one);
    for (int e = -1; e <= 2; e++) {
        double alike = 0, against = 0;
        for (int a = -REACH + 1; a < REACH; a++)
            for (int b = -REACH + 1; b < REACH; b++) {
                const double p = one[CENTRE + a] * one[CENTRE + b];
                alike += fmax(0, p - exp(e) * one[CENTRE + a - 1] * one[CENTRE + b - 1]);
                against +=
                    fmax(0, p - exp(e) * one[CENTRE + a - 1] * one[CENTRE + b + 1]);
            }
        char text[16];
        snprintf(text, sizeof text, "%d", e);
        CHECK_NEAR(against, alike, 1e-12);
        CHECK_NEAR(delta_of("2", 2, text), alike, 1e-7);
    }
}

TEST(gaussian_draws_of_none_only_count_what_is_gone)
{
    CHECK_NEAR(delta_of("2", 0, "-1/2"), -expm1(-0.5), 1e-12);
    CHECK(delta_of("2", 0, "0") == 0 && delta_of("2", 0, "1") == 0);
}

/* The composed delta that is printed for what runs; the continuous one is smaller. */
TEST(gaussian_draws_have_the_printed_deltas)
{
    CLAIM("gaussian-draws.bounds");
    json_t *rows = vectors_load("thresholding", "discrete_gaussian_thresholding"), *row;
    size_t r, seen = 0;
    json_array_foreach(rows, r, row)
    {
        sc_ratio v, e;
        sc_ball delta, ratio, continuous;
        const int64_t draws = json_integer_value(json_object_get(row, "kappa"));
        exact_ratio(json_string_value(json_object_get(row, "sigma2")), &v);
        exact_ratio(json_string_value(json_object_get(row, "eps")), &e);
        sc_ball_init(&delta);
        sc_ball_init(&ratio);
        sc_ball_init(&continuous);
        sc_gaussian_draws_delta_upper(&v, (uint64_t)draws, &e, EXACT_BITS, &delta);
        CHECK_PRINTED(&delta, json_string_value(json_object_get(row, "delta_noise")));
        sc_ball_set_ratio(&ratio, &v, 2 * EXACT_BITS);
        sc_ball_set_int64(&delta, draws);
        sc_ball_div(&ratio, &delta, &ratio, 2 * EXACT_BITS);
        sc_ball_sqrt(&ratio, &ratio, 2 * EXACT_BITS);
        sc_analytic_gaussian_delta(&e, &ratio, EXACT_BITS, &continuous);
        sc_gaussian_draws_delta_upper(&v, (uint64_t)draws, &e, EXACT_BITS, &delta);
        CHECK(sc_ball_is_less(&continuous, &delta));
        sc_ball_clear(&continuous);
        sc_ball_clear(&ratio);
        sc_ball_clear(&delta);
        sc_ratio_clear(&e);
        sc_ratio_clear(&v);
        seen++;
    }
    CHECK_INT(seen, 3);
}

/* The variance holds, and of one draw it is at most that of the mechanism with one value. */
SLOW_TEST(gaussian_draws_variance_is_tested)
{
    CLAIM("gaussian-draws.variance");
    static const char *const epsilons[] = {"1/10", "1", "7", "300"};
    static const char *const deltas[] = {"1e-12", "1e-5", "1/3"};
    static const uint64_t draws[] = {1, 2, 9, 1000000};
    for (size_t i = 0; i < COUNT(epsilons) * COUNT(deltas) * COUNT(draws); i++) {
        const char *epsilon = epsilons[i % 4];
        const char *delta = deltas[i / 4 % 3];
        const uint64_t s = draws[i / 12];
        sc_ratio e, d, v, same;
        char text[SC_RATIO_TEXT_BYTES];
        exact_ratio(epsilon, &e);
        exact_ratio(delta, &d);
        sc_ratio_init(&v);
        sc_ratio_init(&same);
        REQUIRE_OK(sc_gaussian_draws_variance(&e, &d, s, &v, NULL));
        sc_ratio_format(&v, text, sizeof text);
        const double wanted = i / 4 % 3 == 2 ? 1.0 / 3 : strtod(delta, NULL);
        if (!CHECK(delta_of(text, s, epsilon) <= wanted))
            CHECK_FAIL("epsilon %s, delta %s, %d draws", epsilon, delta, (int)s);
        if (s == 1) {
            REQUIRE_OK(sc_gaussian_variance_exact(&e, &d, 1, &same, NULL));
            CHECK(sc_ratio_compare(&v, &same) <= 0);
        }
        /* A 64th less is too little, where there is one. */
        sc_ratio_clear(&same);
        exact_ratio("1/64", &same);
        sc_ratio_sub(&v, &v, &same);
        sc_ratio_format(&v, text, sizeof text);
        if (sc_ratio_sign(&v) > 0 && !CHECK(delta_of(text, s, epsilon) > wanted))
            CHECK_FAIL("epsilon %s, delta %s, %d draws", epsilon, delta, (int)s);
        sc_ratio_clear(&same);
        sc_ratio_clear(&v);
        sc_ratio_clear(&d);
        sc_ratio_clear(&e);
    }
}
