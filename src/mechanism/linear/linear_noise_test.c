#include "mechanism/linear/linear_noise.h"
#include "noise_checks.h"

TEST(linear_noise_costs_what_it_is_given)
{
    CLAIM("counter.privacy");
    scrim_cost cost =
        noise_cost("counter steps=8 sensitivity=1 epsilon=1/10 neighbours=replace");
    CHECK_STR(cost.epsilon, "0.1");
    CHECK_STR(cost.delta, "0");
    CHECK_INT(cost.neighbours, SCRIM_REPLACE);
    cost = noise_cost("counter steps=8 sensitivity=1 rho=0.125 neighbours=add-remove");
    CHECK_STR(cost.epsilon, "");
    CHECK_STR(cost.rho, "0.125");
    cost = noise_cost(
        "counter steps=8 sensitivity=3/2 epsilon=1 delta=1e-6 neighbours=replace");
    CHECK_STR(cost.epsilon, "1");
    CHECK_STR(cost.delta, "0.000001");
}

/* Whole numbers are taken as they are; anything else counts as 0. */
TEST(linear_noise_takes_whole_numbers)
{
    CLAIM("counter.privacy");
    static const struct {
        const char *text;
        int64_t want;
    } list[] = {{"5", 5}, {"-7", -7}, {"3.0", 3}, {"1/2", 0}, {"0.5", 0}, {"1e3", 1000}};
    scrim_measurement *m =
        noise_made("counter steps=1 sensitivity=1 epsilon=1 neighbours=replace");
    REQUIRE(m != NULL);
    for (size_t i = 0; i < COUNT(list); i++) {
        sc_ratio value;
        sc_ratio_init(&value);
        if (CHECK_STATUS(sc_ratio_parse(sc_text_of(list[i].text), &value, NULL),
                         SCRIM_OK))
            CHECK_INT(sc_linear_place(m, 0, &value), list[i].want);
        sc_ratio_clear(&value);
    }
    CHECK_INT(sc_linear_place(m, 0, NULL), 0);
    scrim_measurement_free(m);
}
