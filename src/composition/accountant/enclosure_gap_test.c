/* Both ends of epsilon are within a thousandth of each other, whatever is composed and how often. */
#include "check.h"
#include "composition/accountant/accountant.h"
#include "composition/accountant/loss_accountants.h"

#include <stdio.h>

/* The line, count times each part, by the fast implementation at delta 1e-6. */
static void check_gap(const char *line)
{
    scrim_error error;
    sc_bag bag;
    sc_ratio delta;
    sc_enclosure found;
    const char *remark = NULL;
    sc_bag_init(&bag);
    sc_ratio_init(&delta);
    sc_enclosure_init(&found);
    REQUIRE_OK(sc_ratio_parse(sc_text_of("1e-6"), &delta, &error));
    REQUIRE_OK(sc_bag_parse(line, &bag, &error));
    REQUIRE_OK(sc_accountant_fast_loss.epsilon(&bag, &delta, &found, &remark, &error));
    const double low = sc_ball_lower(&found.lower), high = sc_ball_upper(&found.upper);
    if (!CHECK(found.has_lower && found.has_upper && low <= high && high - low <= 1e-3))
        CHECK_FAIL("%s: %.9g to %.9g", line, low, high);
    sc_enclosure_clear(&found);
    sc_ratio_clear(&delta);
    sc_bag_clear(&bag);
}

/* Among them lattices whose epsilon is next to a point, where Newton's steps creep. */
SLOW_TEST(enclosure_gap_is_a_thousandth)
{
    CLAIM("fast-enclose.narrow");
    static const char *const lines[] = {
        "laplace scale=1 x10000",
        "gaussian sigma=1 x5000",
        "continuous-laplace scale=1 x10000",
        "continuous-gaussian sigma=100 x100000",
        "poisson rate=0.001 gaussian sigma=0.7 x50",
        ("laplace scale=20 x5; gaussian sigma=40 x3; poisson rate=0.01 gaussian sigma=2 "
         "x5"),
    };
    for (size_t i = 0; i < COUNT(lines); i++)
        check_gap(lines[i]);
}

TEST(enclosure_gap_is_a_thousandth_at_every_count)
{
    CLAIM("fast-enclose.narrow");
    static const unsigned counts[] = {1,    2,     3,     5,     10,    20,
                                      50,   100,   200,   500,   1000,  2000,
                                      5000, 10000, 20000, 50000, 100000};
    static const char *const lines[] = {
        "laplace scale=1",
        "laplace scale=100",
        "gaussian sigma=1",
        "gaussian sigma=30",
        "continuous-laplace scale=1",
        "continuous-laplace scale=100",
        "continuous-gaussian sigma=10",
        "continuous-gaussian sigma=100",
        "poisson rate=0.001 gaussian sigma=0.7",
        "poisson rate=0.001 continuous-gaussian sigma=1",
        "poisson rate=0.01 gaussian sigma=2",
        "poisson rate=0.1 gaussian sigma=4",
        "poisson rate=0.01 laplace scale=4",
    };
    for (size_t i = 0; i < COUNT(lines); i++)
        for (size_t j = 0; j < COUNT(counts) && (check_is_long() || i + j == 0); j++) {
            char line[100];
            snprintf(line, sizeof line, "%s x%u", lines[i], counts[j]);
            check_gap(line);
        }
}
