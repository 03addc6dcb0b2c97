#include "exact.h"
#include "mechanism/threshold/keep_table.h"
#include "mechanism/threshold/kept_size.h"
#include "scrim/threshold.h"
#include "vectors.h"

#include <math.h>
#include <stdio.h>

/* The printed bounds on v: sensitivity (k - 1), of which v itself is the next integer. Where p is
 * rounded, so is the bound. */
TEST(least_size_has_the_printed_bounds)
{
    CLAIM("least-size.bound");
    json_t *rows = vectors_load("thresholding", "theorem4"), *row;
    size_t r, wrong = 0;
    json_array_foreach(rows, r, row)
    {
        const char *const texts[] = {
            json_string_value(json_object_get(row, "eps")),
            json_string_value(json_object_get(row, "delta")),
            json_string_value(json_object_get(row, "publish_probability"))};
        const int64_t v = json_integer_value(json_object_get(row, "v"));
        sc_ratio values[3];
        sc_ball steps;
        for (size_t i = 0; i < 3; i++)
            exact_ratio(texts[i], &values[i]);
        sc_ball_init(&steps);
        sc_least_steps(&values[0], &values[1], &values[2], 256, &steps);
        CHECK(fabs(sc_ball_upper(&steps) - (double)v) < 1e-14 * (double)v);
        /* A little less than what was printed is published by v, and a little more is not. */
        for (int i = 0; i < 2; i++) {
            char p[64];
            uint64_t units = 0;
            snprintf(p, sizeof p, "%.12e",
                     strtod(texts[2], NULL) * (i == 0 ? 1 - 1e-9 : 1 + 1e-9));
            REQUIRE_OK(scrim_group_size_lower(texts[0], texts[1], "1", p, &units, NULL));
            CHECK_INT(units, v + i);
            REQUIRE_OK(scrim_group_size_lower(texts[0], texts[1], "5", p, &units, NULL));
            CHECK_INT(units, 5 * (v + i - 1) + 1);
        }
        const double paper = strtod(
            json_string_value(json_object_get(row, "paper_lower_bound_on_v")), NULL);
        CHECK_INT((double)v < paper,
                  json_is_true(json_object_get(row, "paper_violated")));
        wrong += (double)v < paper;
        sc_ball_clear(&steps);
        for (size_t i = 0; i < 3; i++)
            sc_ratio_clear(&values[i]);
    }
    CHECK_INT(r, 6);
    CHECK(wrong > 2); /* F4 */
}

/* The optimal mechanism meets it everywhere. */
TEST(least_size_is_met_by_the_best_mechanism)
{
    CLAIM("least-size.bound");
    CLAIM("least-size.tight");
    static const struct {
        const char *epsilon, *delta;
    } list[] = {{"1", "1e-5"}, {"1/10", "1e-6"}, {"3", "1e-2"}};
    for (size_t i = 0; i < COUNT(list); i++) {
        sc_keep_table table;
        sc_ratio epsilon, delta;
        exact_ratio(list[i].epsilon, &epsilon);
        exact_ratio(list[i].delta, &delta);
        REQUIRE_OK(sc_keep_table_init(&table, &epsilon, &delta, 1, NULL));
        for (size_t n = 1; n <= table.certain; n++) {
            char p[64];
            uint64_t units = 0;
            snprintf(p, sizeof p, "%.12e",
                     fmin(1, ldexp((double)table.keep[n], -126) * (1 - 1e-9)));
            REQUIRE_OK(scrim_group_size_lower(list[i].epsilon, list[i].delta, "1", p,
                                              &units, NULL));
            CHECK_INT(units, n);
        }
        uint64_t certain = 0;
        REQUIRE_OK(scrim_group_size_lower(list[i].epsilon, list[i].delta, "1", "1",
                                          &certain, NULL));
        CHECK_INT(certain, table.certain);
        sc_keep_table_clear(&table);
        sc_ratio_clear(&delta);
        sc_ratio_clear(&epsilon);
    }
}

TEST(least_size_at_the_ends)
{
    CLAIM("least-size.bound");
    uint64_t units = 7;
    REQUIRE_OK(scrim_group_size_lower("1", "1e-5", "1", "1e-5", &units, NULL));
    CHECK_INT(units, 1);
    REQUIRE_OK(scrim_group_size_lower("1", "1e-5", "9", "1e-7", &units, NULL));
    CHECK_INT(units, 1);
    REQUIRE_OK(scrim_group_size_lower("1", "1e-5", "1", "1", &units, NULL));
    CHECK_INT(units, 23); /* as the recursion of partition selection */
    static const char *const wrong[][4] = {
        {"0", "1e-5", "1", "1/2"}, {"1", "0", "1", "1/2"},   {"1", "1", "1", "1/2"},
        {"1", "1e-5", "0", "1/2"}, {"1", "1e-5", "1", "0"},  {"1", "1e-5", "1", "2"},
        {"1", "1e-5", "1/2", "1"}, {NULL, "1e-5", "1", "1"}, {"1001", "1e-5", "1", "1"}};
    units = 7;
    for (size_t i = 0; i < COUNT(wrong); i++)
        CHECK_STATUS(scrim_group_size_lower(wrong[i][0], wrong[i][1], wrong[i][2],
                                            wrong[i][3], &units, NULL),
                     SCRIM_E_PARAM);
    CHECK_STATUS(scrim_group_size_lower("x", "1e-5", "1", "1", &units, NULL),
                 SCRIM_E_SYNTAX);
    CHECK_STATUS(scrim_group_size_lower("2^-80", "1e-30", "1", "1", &units, NULL),
                 SCRIM_E_LIMIT);
    CHECK_INT(units, 7);
}
