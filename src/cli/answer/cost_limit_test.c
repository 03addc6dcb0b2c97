#include "check.h"
#include "cli/answer/cost_limit.h"

TEST(cap_of_a_query_is_a_decimal_or_a_fraction)
{
    static const struct {
        const char *text;
        double most;
    } rows[] = {{"epsilon=2", 2},
                {"epsilon=0.25", 0.25},
                {"epsilon=1/4", 0.25},
                {"epsilon=1e-3", 1e-3}};
    double most = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        CHECK(sc_cost_limit_read(rows[i].text, &most));
        CHECK(most == rows[i].most);
    }
}

TEST(cap_of_a_query_is_nothing_else)
{
    static const char *const texts[] = {
        "",           "2",          "epsilon",     "epsilon=",      "epsilon=0",
        "epsilon=x",  "epsilon=-1", "epsilon=1/0", "epsilon=2e",    "epsilon=1/",
        "epsilon=1 ", "rho=1",      "epsilon=inf", "epsilon=1/2/3", "epsilon=0x1p3"};
    double most = 0;
    CHECK(!sc_cost_limit_read(NULL, &most));
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (sc_cost_limit_read(texts[i], &most))
            CHECK_FAIL("'%s' was read", texts[i]);
}
