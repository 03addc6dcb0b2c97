#include "noise_list.h"
#include "query/estimate/moment_interval.h"
#include "vectors.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define BETA 0.05

/* A quotient of two noisy numbers: (a0 X + a1 Y) / (b0 X + b1 Y). */
typedef struct quotient {
    double x, y;
    double top[2], bottom[2];
} quotient;

/* How often intervals hold the truth, and how often everything is possible. */
typedef struct coverage {
    double covered, open;
} coverage;

typedef enum method { EXACT, DELTA } method;

/* -1: not, 0: everything is possible, 1: the truth is inside. */
static int look(const quotient *q, const noise_list *noise, double x, double y, method by)
{
    const sc_noise *const noises[] = {&noise->noise, &noise->noise};
    const double truth = (q->top[0] * q->x + q->top[1] * q->y) /
                         (q->bottom[0] * q->x + q->bottom[1] * q->y);
    const double bottom = q->bottom[0] * x + q->bottom[1] * y;
    const double t = (q->top[0] * x + q->top[1] * y) / bottom;
    const double off[] = {q->top[0] - t * q->bottom[0], q->top[1] - t * q->bottom[1]};
    if (by == DELTA) { /* the linear approximation, and a normal quantile of 1.96 */
        const double half =
            1.96 * sqrt(2) * noise->noise.scale * hypot(off[0], off[1]) / fabs(bottom);
        return bottom != 0 && fabs(t - truth) <= half ? 1 : -1;
    }
    const sc_quotient_sums sums = {.noises = noises,
                                   .off = off,
                                   .bottom = q->bottom,
                                   .count = 2,
                                   .divisor = fabs(bottom)};
    double below, above;
    if (bottom == 0 || !sc_quotient_reach(&sums, BETA, &below, &above))
        return 0;
    return t - below <= truth && truth <= t + above ? 1 : -1;
}

/* By drawing, with one stream for each number. */
static coverage drawn(const quotient *q, const char *line, size_t count, method by)
{
    noise_list x = {.reach = 0}, y = {.reach = 0};
    coverage all = {0, 0};
    if (noise_list_draw(&x, line, count, 1) && noise_list_draw(&y, line, count, 2))
        for (size_t i = 0; i < count; i++) {
            const int found =
                look(q, &x, q->x + (double)x.draws[i], q->y + (double)y.draws[i], by);
            all.covered += found >= 0 ? 1 / (double)count : 0;
            all.open += found == 0 ? 1 / (double)count : 0;
        }
    noise_list_clear(&x);
    noise_list_clear(&y);
    return all;
}

TEST(quotient_interval_has_its_level)
{
    CLAIM("quotient-interval.coverage");
    static const struct {
        quotient q;
        double at_most;                              /* of those that are not open */
    } list[] = {{{200, 400, {1, 0}, {0, 1}}, 0.97},  /* a mean or a share */
                {{120, 300, {1, 0}, {1, 1}}, 0.97},  /* A / (A + B) */
                {{390, 10, {1, 0}, {1, 1}}, 0.985},  /* the same, near 1 */
                {{300, 200, {1, -1}, {1, 1}}, 0.97}, /* (A - B) / (A + B) */
                {{50, -400, {2, 3}, {0, 1}}, 0.97},  /* a divisor below 0 */
                {{40, 60, {1, 0}, {0, 1}}, 1},       /* hardly above the noise */
                {{5, 20, {1, 0}, {0, 1}}, 1}};
    const size_t count = check_count(4000, 100000);
    const double slack = 5 * sqrt(0.05 * 0.95 / (double)count);
    for (size_t i = 0; i < COUNT(list); i++) {
        const coverage c = drawn(&list[i].q, "laplace epsilon=1/10", count, EXACT);
        const coverage g = drawn(&list[i].q, "gaussian sigma=10", count, EXACT);
        if (c.covered < 1 - BETA - slack || g.covered < 1 - BETA - slack)
            CHECK_FAIL("%zu: %.4f and %.4f of the intervals hold the truth", i, c.covered,
                       g.covered);
        if (c.covered > list[i].at_most + slack || g.covered > list[i].at_most + slack)
            CHECK_FAIL("%zu: padded, %.4f and %.4f", i, c.covered, g.covered);
    }
}

/* The linear approximation covers as seldom as the specification says, and this test would notice. */
TEST(quotient_interval_is_no_linear_approximation)
{
    json_t *list = vectors_load("query-semantics", "ratio_coverage");
    const size_t count = check_count(4000, 200000);
    const double slack = 5 * sqrt(0.1 * 0.9 / (double)count);
    const double near = slack + 0.01; /* how it is cut near 0 differs */
    size_t index;
    json_t *row;
    json_array_foreach(list, index, row)
    {
        char line[60];
        const quotient q = {(double)vectors_number(row, "A"),
                            (double)vectors_number(row, "B"),
                            {1, 0},
                            {0, 1}};
        snprintf(line, sizeof line, "laplace epsilon=1/%d",
                 (int)vectors_number(row, "scale"));
        /* With a divisor within its noise the approximation says little, and so does how it is cut. */
        if (q.y < (double)vectors_number(row, "scale"))
            continue;
        const double delta = drawn(&q, line, count, DELTA).covered,
                     told = strtod(vectors_text(row, "delta_method"), NULL);
        if (fabs(delta - told) > near)
            CHECK_FAIL("%s: the approximation covers %.4f, not %.4f", line, delta, told);
        CHECK(drawn(&q, line, count, EXACT).covered >= 1 - BETA - slack);
    }
    const quotient worst = {50, 30, {1, 0}, {0, 1}};
    CHECK(drawn(&worst, "laplace epsilon=1/20", count, DELTA).covered < 1 - BETA - slack);
}

/* A number over itself is 1, whatever the noise; and what may be 0 divides into everything. */
TEST(quotient_interval_of_the_same_number_is_a_point)
{
    const sc_noise noise = {.scale = 10, .within = 0.5};
    const sc_noise *const noises[] = {&noise};
    const double off[] = {0}, bottom[] = {1};
    double below = 1, above = 1;
    const sc_quotient_sums sure = {noises, off, bottom, 1, 400},
                           open = {noises, off, bottom, 1, 20};
    CHECK(sc_quotient_reach(&sure, BETA, &below, &above));
    CHECK(below == 0 && above == 0);
    CHECK(!sc_quotient_reach(&open, BETA, &below, &above));
}
