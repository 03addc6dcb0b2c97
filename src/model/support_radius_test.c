#include "exact.h"
#include "model/support_radius.h"
#include "vectors.h"

#include <math.h>
#include <string.h>

#define PEOPLE 80

static double radius_of(const sc_support *x, const char *beta, int64_t estimates,
                        size_t count)
{
    sc_ratio limit;
    sc_ball radius;
    exact_ratio(beta, &limit);
    sc_ball_init(&radius);
    sc_support_radius(x, estimates, &limit, count, &radius);
    const double found = sc_ball_upper(&radius);
    sc_ball_clear(&radius);
    sc_ratio_clear(&limit);
    return found;
}

/* The probability that the estimate is further from the truth than `radius` when `holders` people hold the value. */
static double missed(size_t holders, double p, double q, double radius)
{
    double mass[PEOPLE + 1] = {1}, sum = 0;
    for (size_t i = 0; i < PEOPLE; i++) {
        const double chance = i < holders ? p : q;
        for (size_t k = i + 1; k > 0; k--)
            mass[k] = mass[k] * (1 - chance) + mass[k - 1] * chance;
        mass[0] *= 1 - chance;
    }
    for (size_t k = 0; k <= PEOPLE; k++) {
        const double estimate = ((double)k / PEOPLE - q) / (p - q);
        sum += fabs(estimate - (double)holders / PEOPLE) > radius + 1e-12 ? mass[k] : 0;
    }
    return sum;
}

typedef struct chances {
    const char *p, *q;
    double p_view, q_view;
} chances;

static const chances cases[] = {{"1/2", "1/4", 0.5, 0.25},
                                {"1/2", "1/100", 0.5, 0.01},
                                {"3/4", "1/4", 0.75, 0.25},
                                {"99/100", "1/100", 0.99, 0.01},
                                {"9/10", "1/1000", 0.9, 0.001}};

/* Against the exact distribution for every number of holders: it holds, and is at most 1.65 times the smallest radius that
 * does and one report more. */
TEST(support_radius_holds_and_is_not_much_wider_than_the_exact_one)
{
    CLAIM("support-radius.bound");
    static const char *const betas[] = {"1/10", "1/20", "1/1000"};
    static const double limits[] = {0.1, 0.05, 0.001};
    for (size_t i = 0; i < COUNT(cases) * COUNT(betas); i++) {
        const chances *c = &cases[i % COUNT(cases)];
        const double beta = limits[i / COUNT(cases)];
        sc_support x;
        double worst = 0, worst_closer = 0;
        exact_ratio(c->p, &x.p);
        exact_ratio(c->q, &x.q);
        const double radius = radius_of(&x, betas[i / COUNT(cases)], 1, PEOPLE);
        const double report = 1 / (PEOPLE * (c->p_view - c->q_view));
        for (size_t holders = 0; holders <= PEOPLE; holders++) {
            worst = fmax(worst, missed(holders, c->p_view, c->q_view, radius));
            worst_closer = fmax(worst_closer, missed(holders, c->p_view, c->q_view,
                                                     radius / 1.65 - report));
        }
        CHECK(worst <= beta);
        CHECK(worst_closer > beta);
        /* Never wider than Hoeffding's, and of ten estimates as of one at a tenth of beta. */
        CHECK(radius <=
              sqrt(log(2 / beta) / (2 * PEOPLE)) / (c->p_view - c->q_view) * (1 + 1e-12));
        if (beta == 0.1)
            CHECK_NEAR(radius_of(&x, "1", 10, PEOPLE), radius, 1e-12);
        sc_support_clear(&x);
    }
}

/* Where few people's reports are wrong it is far below Hoeffding's. */
TEST(support_radius_vanishes_with_the_noise)
{
    CLAIM("support-radius.bound");
    sc_support x;
    exact_ratio("1", &x.p);
    exact_ratio("1e-9", &x.q);
    CHECK(radius_of(&x, "1/20", 1, 1000) < 0.003);
    sc_support_clear(&x);
}
