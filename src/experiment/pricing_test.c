#include "check.h"
#include "scrim/worked.h"

#include <math.h>
#include <stdlib.h>

/* The survey's revenues, and weights by hand: exp(epsilon revenue / largest price). */
TEST(pricing_is_the_survey_s_sale)
{
    CLAIM("pricing.exact");
    static const double want[SCRIM_PRICING_PRICES] = {1.5, 3,    2.02, 1.5, 2, 2.5,
                                                      3,   3.01, 0,    0,   0};
    scrim_pricing p;
    REQUIRE_OK(scrim_pricing_of("1", "0.95", &p, NULL));
    CHECK_INT(p.buyers[1], 3);
    CHECK_INT(p.buyers[2], 2);
    CHECK_INT(p.buyers[7], 1);
    CHECK_INT(p.buyers[8], 0);
    for (size_t c = 0; c < SCRIM_PRICING_CROWDS; c++) {
        const scrim_pricing_crowd *crowd = &p.crowd[c];
        const double times = (double)crowd->buyers / 3;
        double total = 0, expected = 0, chances = 0;
        for (size_t i = 0; i < SCRIM_PRICING_PRICES; i++) {
            CHECK_NEAR(p.revenue[i], want[i], 1e-12);
            total += exp(times * (want[i] - 3.01) / 4);
        }
        for (size_t i = 0; i < SCRIM_PRICING_PRICES; i++) {
            const double weight = exp(times * (want[i] - 3.01) / 4) / total;
            CHECK(fabs(crowd->chance[i] - weight) <= 1e-9 * weight + 1e-300);
            CHECK(crowd->chance[i] == 0 || crowd->chance[i] >= 1e-300);
            expected += weight * want[i] * times;
            chances += crowd->chance[i];
        }
        CHECK_NEAR(chances, 1, 1e-12);
        CHECK_NEAR(crowd->expected, expected, 1e-9);
        CHECK_NEAR(crowd->best, 3.01 * times, 1e-12);
    }
    CHECK(p.crowd[3].expected > 0.99 * p.crowd[3].best);
    CHECK(p.overstep > 0.49 && p.overstep < 0.5);
}

/* Theorem 4.5, with one best price: (ln(11) + ln(20)) 4/epsilon at most is lost. */
TEST(pricing_loses_no_more_than_the_theorem_says)
{
    CLAIM("pricing.loss");
    static const char *const epsilons[] = {"0.01", "0.1", "1", "10"};
    for (size_t i = 0; i < COUNT(epsilons); i++) {
        scrim_pricing p;
        REQUIRE_OK(scrim_pricing_of(epsilons[i], "0.95", &p, NULL));
        for (size_t c = 0; c < SCRIM_PRICING_CROWDS; c++) {
            CHECK_NEAR(p.crowd[c].loss_bound,
                       (log(11) + log(20)) * 4 / strtod(epsilons[i], NULL), 1e-9);
            CHECK(p.crowd[c].loss <= p.crowd[c].loss_bound);
        }
    }
}

TEST(pricing_refuses_what_is_no_cost)
{
    CLAIM("pricing.exact");
    scrim_pricing p;
    CHECK_STATUS(scrim_pricing_of("0", "0.95", &p, NULL), SCRIM_E_PARAM);
    CHECK_STATUS(scrim_pricing_of("x", "0.95", &p, NULL), SCRIM_E_PARAM);
    CHECK_STATUS(scrim_pricing_of("1", "1", &p, NULL), SCRIM_E_PARAM);
}
