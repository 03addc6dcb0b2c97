#include "choices.h"
#include "exact.h"
#include "mechanism/threshold/noisy_threshold.h"
#include "scrim/threshold.h"

#include <math.h>

TEST(threshold_facts_add_the_deltas)
{
    CLAIM("threshold-facts.bounds");
    static const struct {
        const char *line;
        bool has_noise;
    } list[] = {
        {"threshold-gaussian epsilon=1 delta=1e-6 neighbours=add-remove", true},
        {"threshold-gaussian epsilon=1/2 delta=1e-5 max-groups=9 neighbours=add-remove",
         true},
        {"threshold-gaussian epsilon=2 delta=1e-3 max-groups=2 neighbours=replace", true},
        {"threshold-laplace epsilon=1 delta=1e-6 max-groups=3 neighbours=add-remove",
         false},
        {"threshold-laplace epsilon=1 delta=1e-6 max-total=3 neighbours=replace", false},
        {"threshold-truncated epsilon=1 delta=1e-6 max-groups=3 neighbours=replace",
         false},
        {"stabilise sensitivity=4 epsilon=1 delta=1e-6 neighbours=replace", false}};
    for (size_t i = 0; i < COUNT(list); i++) {
        scrim_measurement *m = choices_new(list[i].line);
        scrim_threshold_facts f;
        scrim_cost cost;
        REQUIRE(m != NULL);
        REQUIRE_OK(scrim_threshold_describe(m, &f, NULL));
        REQUIRE_OK(scrim_measurement_cost(m, &cost, NULL));
        CHECK_INT(f.threshold, sc_threshold_of(m));
        CHECK_NEAR(f.added_upper, f.noise_upper + f.new_groups_upper, 1e-15);
        CHECK(f.delta_upper <= strtod(cost.delta, NULL) * (1 + 1e-15));
        CHECK(f.delta_upper <= f.added_upper * (1 + 1e-15));
        CHECK(f.new_groups_upper <= f.delta_upper * (1 + 1e-15));
        CHECK_INT(f.noise_upper > 0, list[i].has_noise);
        CHECK_INT(f.added_upper > f.delta_upper * (1 + 1e-12), list[i].has_noise);
        scrim_measurement_free(m);
    }
}

/* Both deltas add up to 1.4; a probability is at most 1. */
TEST(threshold_facts_add_up_to_1_at_most)
{
    scrim_measurement *m = choices_new(
        "threshold-gaussian epsilon=0.1 delta=0.9 max-groups=3 neighbours=add-remove");
    scrim_threshold_facts f;
    REQUIRE(m != NULL);
    REQUIRE_OK(scrim_threshold_describe(m, &f, NULL));
    CHECK(f.noise_upper + f.new_groups_upper > 1);
    CHECK(f.added_upper >= 1 && f.added_upper <= 1 + 1e-15);
    scrim_measurement_free(m);
}

TEST(threshold_facts_are_of_thresholds_alone)
{
    scrim_measurement *m =
        choices_new("partition-selection epsilon=1 delta=1e-6 neighbours=add-remove");
    scrim_threshold_facts f = {.threshold = 7};
    uint64_t units = 0;
    double upper = 0;
    REQUIRE(m != NULL);
    CHECK_STATUS(scrim_threshold_describe(m, &f, NULL), SCRIM_E_PARAM);
    CHECK_INT(f.threshold, 7);
    CHECK_STATUS(scrim_range_none_upper(m, 1, &upper, NULL), SCRIM_E_PARAM);
    REQUIRE_OK(scrim_group_size(m, "1/2", &units, NULL));
    CHECK_INT(units, 14);
    CHECK_STATUS(scrim_group_size(m, "2", &units, NULL), SCRIM_E_PARAM);
    CHECK_STATUS(scrim_group_size(m, "x", &units, NULL), SCRIM_E_SYNTAX);
    scrim_measurement_free(m);
    m = choices_new("range sensitivity=1 epsilon=1 width=5 neighbours=replace");
    REQUIRE(m != NULL);
    REQUIRE_OK(scrim_range_none_upper(m, 1, &upper, NULL));
    CHECK_NEAR(upper, 0.00362422608609947747, 1e-15);
    REQUIRE_OK(scrim_range_none_upper(m, 1000000, &upper, NULL));
    CHECK(upper == 1); /* a probability, although it is rounded up */
    CHECK_STATUS(scrim_group_size(m, "1/2", &units, NULL), SCRIM_E_PARAM);
    scrim_measurement_free(m);
}
