#include "check.h"
#include "scrim/threshold.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define PRICE " epsilon=1 delta=0.00001 max-groups=2 neighbours=replace"

static uint64_t size_of(const char *line, const char *p)
{
    scrim_measurement *m = NULL;
    uint64_t units = 0;
    CHECK_STATUS(scrim_measurement_parse_model(line, &m, NULL), SCRIM_OK);
    if (scrim_group_size(m, p, &units, NULL) != SCRIM_OK)
        units = 0;
    scrim_measurement_free(m);
    return units;
}

/* Each row by itself, from the line that it stands for. */
SLOW_TEST(group_sizes_are_those_of_each_mechanism)
{
    CLAIM("group-sizes.smallest");
    static const char *const names[] = {"partition-selection", "threshold-laplace",
                                        "threshold-truncated", "threshold-gaussian"};
    for (size_t i = 0; i < COUNT(names); i++) {
        char line[200];
        scrim_sizes_report report;
        unsigned seen = 0;
        snprintf(line, sizeof line, "%s" PRICE, names[i]);
        REQUIRE_OK(scrim_group_sizes_of(line, "0.9", NULL, &report, NULL));
        CHECK_STR(report.text, line);
        CHECK_STR(report.confidence, "0.9");
        CHECK_STR(report.cost.epsilon, "1");
        CHECK_INT(report.count, COUNT(names));
        CHECK_STR(report.rows[0].name, names[i]);
        CHECK(!report.has_universe);
        for (size_t k = 0; k < report.count; k++) {
            const scrim_sizes_row *row = &report.rows[k];
            for (size_t n = 0; n < COUNT(names); n++)
                seen |= (unsigned)(strcmp(row->name, names[n]) == 0) << n;
            snprintf(line, sizeof line, "%s" PRICE, row->name);
            CHECK(row->is_possible);
            CHECK_INT(row->kept.half, size_of(line, "1/2"));
            CHECK_INT(row->kept.likely, size_of(line, "0.9"));
            CHECK_INT(row->kept.certain, size_of(line, "1"));
            CHECK(row->kept.half < row->kept.likely);
            CHECK(row->delta_upper <= 1.0000001e-5 && row->delta_upper > 1e-6);
            CHECK_INT(row->has_threshold, strncmp(row->name, "threshold", 9) == 0);
            if (row->has_threshold) {
                CHECK(row->facts.delta_upper == row->delta_upper);
                CHECK(row->facts.added_upper >= row->delta_upper);
                CHECK_INT(row->facts.threshold, row->kept.half);
            }
        }
        CHECK_INT(seen, 15);
    }
}

/* The bound of anybody: by the number that one unit changes one group by, and below all that
 * there is. */
TEST(group_sizes_have_a_least)
{
    CLAIM("group-sizes.least");
    static const struct {
        const char *line, *step;
        size_t rows;
    } cases[] = {
        {"threshold-laplace epsilon=1/2 delta=1e-6", "1", 4},
        {"threshold-laplace epsilon=1/2 delta=1e-6 max-groups=3", "1", 4},
        {"threshold-laplace epsilon=1/2 delta=1e-6 max-groups=3 max-rows=5", "5", 1},
        {"threshold-laplace epsilon=1/2 delta=1e-6 max-total=7", "7", 1},
        {"stabilise epsilon=1/2 delta=1e-6 sensitivity=4", "4", 1}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        scrim_sizes_report report;
        uint64_t half = 0, likely = 0, certain = 0;
        REQUIRE_OK(scrim_group_sizes_of(cases[i].line, NULL, NULL, &report, NULL));
        CHECK_STR(report.confidence, "0.95");
        CHECK_INT(report.count, cases[i].rows);
        REQUIRE_OK(
            scrim_group_size_lower("1/2", "1e-6", cases[i].step, "1/2", &half, NULL));
        REQUIRE_OK(
            scrim_group_size_lower("1/2", "1e-6", cases[i].step, "0.95", &likely, NULL));
        REQUIRE_OK(
            scrim_group_size_lower("1/2", "1e-6", cases[i].step, "1", &certain, NULL));
        CHECK_INT(report.least.half, half);
        CHECK_INT(report.least.likely, likely);
        CHECK_INT(report.least.certain, certain);
        for (size_t k = 0; k < report.count; k++) {
            CHECK(report.rows[k].kept.half >= half);
            CHECK(report.rows[k].kept.likely >= likely);
            CHECK(report.rows[k].kept.certain == 0 ||
                  report.rows[k].kept.certain >= certain);
        }
    }
}

/* ln(10^9 / 0.05) / (1/2 / 6) of a unit that changes three groups here and three there. */
TEST(group_sizes_have_a_universe)
{
    scrim_sizes_report report;
    REQUIRE_OK(scrim_group_sizes_of(
        "threshold-laplace epsilon=1/2 delta=1e-6 max-groups=3 neighbours=replace", NULL,
        "1000000000", &report, NULL));
    CHECK(report.has_universe);
    CHECK_NEAR(report.universe.formula_upper, log(1e9 / 0.05) * 12, 1e-9);
    CHECK_INT(report.universe.threshold <= (uint64_t)report.universe.formula_upper, 1);
    REQUIRE_OK(scrim_group_sizes_of("stabilise epsilon=1/2 delta=1e-6 sensitivity=2",
                                    "0.99", "1000", &report, NULL));
    CHECK_NEAR(report.universe.formula_upper, log(1e3 / 0.01) * 4, 1e-9);
    REQUIRE_OK(scrim_group_sizes_of(
        "threshold-laplace epsilon=1 delta=1e-6 max-total=4 neighbours=replace", NULL,
        "10", &report, NULL));
    CHECK_NEAR(report.universe.formula_upper, log(10 / 0.05) * 8, 1e-9);
}

/* A table that would be too long is a row, and no failure of the others. */
TEST(group_sizes_tell_what_is_beyond_limits)
{
    scrim_sizes_report report;
    REQUIRE_OK(scrim_group_sizes_of("threshold-laplace epsilon=1e-6 delta=1e-9", NULL,
                                    NULL, &report, NULL));
    CHECK_INT(report.count, 4);
    CHECK_STR(report.rows[1].name, "partition-selection");
    CHECK(!report.rows[1].is_possible);
    CHECK_INT(report.rows[1].kept.half, 0);
    CHECK(report.rows[0].is_possible && report.rows[0].kept.half > 1000000);
}

TEST(group_sizes_refuse_what_has_none)
{
    static const struct {
        const char *line, *confidence, *keys, *text;
        scrim_status status;
    } bad[] = {
        {"laplace epsilon=1", NULL, NULL, "laplace is not on groups", SCRIM_E_PARAM},
        {"range epsilon=1 width=5", NULL, NULL, "range is not on groups", SCRIM_E_PARAM},
        {"threshold-laplace epsilon=1", NULL, NULL, "give delta or threshold",
         SCRIM_E_PARAM},
        {"threshold-laplace epsilon=1 delta=1e-6", "1", NULL, "confidence",
         SCRIM_E_PARAM},
        {"threshold-laplace epsilon=1 delta=1e-6", "0", NULL, "confidence",
         SCRIM_E_PARAM},
        {"threshold-laplace epsilon=1 delta=1e-6", "x", NULL, "'x'", SCRIM_E_SYNTAX},
        {"threshold-laplace epsilon=1 delta=1e-6", NULL, "0", "keys", SCRIM_E_PARAM}};
    for (size_t i = 0; i < COUNT(bad); i++) {
        scrim_sizes_report report = {.count = 77};
        scrim_error error = {.message = ""};
        CHECK_STATUS(scrim_group_sizes_of(bad[i].line, bad[i].confidence, bad[i].keys,
                                          &report, &error),
                     bad[i].status);
        if (!CHECK(strstr(error.message, bad[i].text) != NULL))
            CHECK_FAIL("%s", error.message);
        CHECK_INT(report.count, 77);
    }
}
