#include "exact.h"
#include "mechanism/noise/gaussian_calibration.h"
#include "mechanism/threshold/group_division.h"
#include "vectors.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The worst division of a line of a table. */
typedef struct claim {
    const char *variance, *epsilon;
    int64_t threshold;
    uint64_t groups;
    bool is_replace;
} claim;

static void delta_of(const claim *c, const sc_ball *enough, long bits, sc_ball *out)
{
    sc_ratio variance, epsilon;
    exact_ratio(c->variance, &variance);
    exact_ratio(c->epsilon, &epsilon);
    const sc_group_division division = {.variance = &variance,
                                        .threshold = c->threshold,
                                        .groups = c->groups,
                                        .is_replace = c->is_replace};
    sc_group_division_delta_upper(&division, &epsilon, enough, bits, out);
    sc_ratio_clear(&epsilon);
    sc_ratio_clear(&variance);
}

static double upper_of(const claim *c)
{
    sc_ball delta;
    sc_ball_init(&delta);
    delta_of(c, NULL, 192, &delta);
    const double upper = sc_ball_upper(&delta);
    sc_ball_clear(&delta);
    return upper;
}

/* The printed deltas of what runs, by the composition of its loss distributions. */
TEST(group_division_has_the_printed_deltas)
{
    CLAIM("group-division.bounds");
    json_t *rows = vectors_load("thresholding", "discrete_gaussian_thresholding"), *row;
    size_t r, seen = 0;
    json_array_foreach(rows, r, row)
    {
        sc_ball delta;
        sc_ball_init(&delta);
        delta_of(&(claim){json_string_value(json_object_get(row, "sigma2")),
                          json_string_value(json_object_get(row, "eps")),
                          json_integer_value(json_object_get(row, "T")),
                          (uint64_t)json_integer_value(json_object_get(row, "kappa")),
                          false},
                 NULL, EXACT_BITS, &delta);
        CHECK_PRINTED(&delta, json_string_value(json_object_get(row, "delta_exact")));
        sc_ball_clear(&delta);
        seen++;
    }
    CHECK_INT(seen, 3);
}

/* Continuous noise, by the same formula: the printed deltas, of which one is less than what runs
 * has. */

/* The curve of continuous noise at any epsilon; ratio is sqrt(s)/sigma. */
static void continuous_delta(double epsilon, const sc_ball *ratio, sc_ball *out)
{
    sc_ratio e;
    sc_ball gap;
    char text[64];
    snprintf(text, sizeof text, "%.20f", fabs(epsilon));
    exact_ratio(text, &e);
    sc_ball_init(&gap);
    sc_analytic_gaussian_delta(&e, ratio, 128, out);
    if (epsilon < 0) { /* 1 - exp(-e) (1 - delta(e)) */
        sc_ball_set_ratio(&gap, &e, 128);
        sc_ball_neg(&gap, &gap);
        sc_ball_exp(&gap, &gap, 128);
        sc_ball_neg(out, out);
        sc_ball_add_int64(out, out, 1, 128);
        sc_ball_mul(out, out, &gap, 128);
        sc_ball_neg(out, out);
        sc_ball_add_int64(out, out, 1, 128);
    }
    sc_ball_clear(&gap);
    sc_ratio_clear(&e);
}

static double continuous_curve(double epsilon, int s, double sigma)
{
    sc_ball ratio, delta;
    sc_ratio square;
    char text[64];
    if (s == 0)
        return fmax(0, -expm1(epsilon));
    snprintf(text, sizeof text, "%d/%d", s, (int)(sigma * sigma));
    exact_ratio(text, &square);
    sc_ball_init(&ratio);
    sc_ball_init(&delta);
    sc_ball_set_ratio(&ratio, &square, 512);
    sc_ball_sqrt(&ratio, &ratio, 512);
    continuous_delta(epsilon, &ratio, &delta);
    const double upper = sc_ball_upper(&delta);
    sc_ball_clear(&delta);
    sc_ball_clear(&ratio);
    sc_ratio_clear(&square);
    return upper;
}

TEST(group_division_formula_has_the_printed_continuous_deltas)
{
    CLAIM("group-division.bounds");
    json_t *rows = vectors_load("thresholding", "gaussian_thresholding"), *row;
    size_t r, seen = 0, above = 0;
    json_array_foreach(rows, r, row)
    {
        const char *eps = json_string_value(json_object_get(row, "eps"));
        const double e = strtod(eps, NULL);
        const double sigma =
            strtod(json_string_value(json_object_get(row, "sigma")), NULL);
        const double t = strtod(json_string_value(json_object_get(row, "T")), NULL);
        const int k = (int)json_integer_value(json_object_get(row, "kappa"));
        const double loss = -log1p(-erfc((t - 1) / sigma / sqrt(2)) / 2);
        double worst = 0;
        for (int s = 0; s <= k; s++) {
            const int m = k - s;
            worst = fmax(worst,
                         -expm1(-m * loss) +
                             exp(-m * loss) * continuous_curve(e + m * loss, s, sigma));
            worst = fmax(worst, continuous_curve(e - m * loss, s, sigma));
        }
        CHECK_NEAR(worst,
                   strtod(json_string_value(json_object_get(row, "delta_exact")), NULL),
                   1e-12);
        CHECK_NEAR(continuous_curve(e, k, sigma),
                   strtod(json_string_value(json_object_get(row, "delta_gauss")), NULL),
                   1e-12);
        CHECK_NEAR(
            -expm1(-k * loss),
            strtod(json_string_value(json_object_get(row, "delta_infinite")), NULL),
            1e-12);
        char square[32];
        snprintf(square, sizeof square, "%d", (int)(sigma * sigma));
        above += upper_of(&(claim){square, eps, (int64_t)t, (uint64_t)k, false}) > worst;
        seen++;
    }
    CHECK_INT(seen, 4);
    CHECK(above > 0); /* so that they are no bound */
}

/* The law itself, without formula: sums of draws in doubles, and sums over all answers. */

enum { REACH = 60, WIDTH = 12 * REACH, CENTRE = WIDTH / 2 };

static void one_draw(double v, double out[WIDTH])
{
    double sum = 0;
    memset(out, 0, WIDTH * sizeof *out);
    for (int z = -REACH; z <= REACH; z++)
        sum += out[CENTRE + z] = exp(-(double)z * z / (2 * v));
    for (int k = 0; k < WIDTH; k++)
        out[k] /= sum;
}

static void draws_sum(double v, int draws, double out[WIDTH])
{
    double one[WIDTH];
    one_draw(v, one);
    memset(out, 0, WIDTH * sizeof *out);
    out[CENTRE] = 1;
    for (int i = 0; i < draws; i++) {
        double next[WIDTH] = {0};
        for (int k = 0; k < WIDTH; k++)
            for (int z = -REACH; z <= REACH && out[k] > 0; z++)
                if (k + z >= 0 && k + z < WIDTH)
                    next[k + z] += out[k] * one[CENTRE + z];
        memcpy(out, next, sizeof next);
    }
}

/* i groups are there on the one side only, j on the other only, s on both. */
static double by_answers(double v, double epsilon, int64_t t, int i, int j, int s)
{
    double one[WIDTH], sum[WIDTH], hidden = 0;
    one_draw(v, one);
    draws_sum(v, s, sum);
    for (int z = -REACH; z < t - 1 && z <= REACH; z++)
        hidden += one[CENTRE + z];
    double total = 1 - pow(hidden, i);
    for (int k = 0; k + s < WIDTH; k++)
        total +=
            fmax(0, pow(hidden, i) * sum[k] - exp(epsilon) * pow(hidden, j) * sum[k + s]);
    return total;
}

static double worst_by_answers(const claim *c, double v, double epsilon)
{
    const int n = (int)c->groups, all = c->is_replace ? 2 * n : n;
    double worst = 0;
    for (int i = 0; i <= n; i++)
        for (int j = 0; j <= n; j++)
            if (c->is_replace || i == 0 || j == 0)
                for (int s = all - i - j; s >= 0; s--)
                    worst = fmax(worst, by_answers(v, epsilon, c->threshold, i, j, s));
    return worst;
}

TEST(group_division_is_the_worst_of_all_laws)
{
    CLAIM("group-division.bounds");
    static const struct {
        claim claim;
        double variance, epsilon;
    } cases[] = {
        {{"9", "1", 7, 1, false}, 9, 1},        {{"9", "1", 7, 1, true}, 9, 1},
        {{"9", "1", 2, 1, true}, 9, 1},         {{"4", "1/8", 1, 2, false}, 4, 0.125},
        {{"4", "0", 3, 2, false}, 4, 0},        {{"16", "1", 12, 3, false}, 16, 1},
        {{"16", "1", 9, 2, true}, 16, 1},       {{"4", "1/8", 1, 2, true}, 4, 0.125},
        {{"16", "1/8", 5, 2, true}, 16, 0.125}, {{"3", "5/2", 9, 3, false}, 3, 2.5}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        const claim *c = &cases[i].claim;
        const double truth = worst_by_answers(c, cases[i].variance, cases[i].epsilon);
        if (!CHECK_NEAR(upper_of(c), truth, 1e-9))
            CHECK_FAIL("variance %s, epsilon %s, T %d, %d groups", c->variance,
                       c->epsilon, (int)c->threshold, (int)c->groups);
    }
}

/* Halving finds what a look at every division finds. */
static double worst_by_looking(const claim *c, double loss)
{
    sc_ratio v, e;
    sc_ball delta;
    double worst = 0;
    exact_ratio(c->variance, &v);
    sc_ball_init(&delta);
    for (uint64_t m = 0; m <= c->groups; m++)
        for (int side = -1; side <= 1; side += 2) {
            char text[64];
            snprintf(text, sizeof text, "%.25f",
                     strtod(c->epsilon, NULL) + side * (double)m * loss);
            exact_ratio(text, &e);
            sc_gaussian_draws_delta_upper(&v, c->groups - m, &e, 128, &delta);
            const double own = side > 0 ? (double)m * loss : 0;
            worst = fmax(worst, -expm1(-own) + exp(-own) * sc_ball_upper(&delta));
            sc_ratio_clear(&e);
        }
    sc_ball_clear(&delta);
    sc_ratio_clear(&v);
    return worst;
}

TEST(group_division_of_many_groups_misses_none)
{
    CLAIM("group-division.bounds");
    static const claim cases[] = {{"40", "1", 20, 20, false}, /* all known */
                                  {"40", "1", 18, 20, false}, /* all new */
                                  {"250", "1", 75, 25, false},
                                  {"5", "2", 1, 20, false}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        const claim *c = &cases[i];
        sc_law noise;
        sc_ball tail;
        exact_law(&sc_discrete_gaussian_law, c->variance, 0, &noise);
        sc_ball_init(&tail);
        sc_law_at_least(&noise, c->threshold - 1, 128, &tail);
        const double loss = -log1p(-sc_ball_upper(&tail));
        CHECK_NEAR(upper_of(c), worst_by_looking(c, loss), 1e-9);
        sc_ball_clear(&tail);
        sc_law_clear(&noise);
    }
}

/* With a number that is enough the answer is on the right side of it. */
SLOW_TEST(group_division_knows_when_it_is_enough)
{
    static const claim cases[] = {{"250", "1", 75, 25, false},
                                  {"250", "1", 75, 10, true},
                                  {"14", "1", 18, 1, false}};
    for (size_t i = 0; i < COUNT(cases); i++)
        for (int k = 0; k < 2; k++) {
            sc_ball truth, enough, delta;
            sc_ball_init(&truth);
            sc_ball_init(&enough);
            sc_ball_init(&delta);
            delta_of(&cases[i], NULL, 192, &truth);
            sc_ball_mul_int64(&enough, &truth, k == 0 ? 1000001 : 999999, 192);
            sc_ball_set_int64(&delta, 1000000);
            sc_ball_div(&enough, &enough, &delta, 192);
            delta_of(&cases[i], &enough, 192, &delta);
            CHECK(k == 0 ? sc_ball_is_less_equal(&delta, &enough)
                         : sc_ball_is_less(&enough, &delta));
            sc_ball_clear(&delta);
            sc_ball_clear(&enough);
            sc_ball_clear(&truth);
        }
}
