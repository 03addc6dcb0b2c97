#include "check.h"
#include "faults.h"
#include "model/curve.h"
#include "query/plan/plan_model.h"

#include <string.h>

#define OPTIONS(...) SCRIM_OPTIONS(scrim_query_options, __VA_ARGS__)

static void check_refused(const scrim_query_options *given, scrim_status status,
                          const char *message)
{
    sc_plan_options options;
    scrim_error error = {.status = SCRIM_OK};
    sc_plan_options_init(&options);
    CHECK_STATUS(sc_plan_options_read(given, &options, &error), status);
    CHECK_STR(error.message, message);
    sc_plan_options_clear(&options);
}

static void check_ratio(const sc_ratio *x, const char *want)
{
    char text[SC_RATIO_TEXT_BYTES];
    sc_ratio_format(x, text, sizeof text);
    CHECK_STR(text, want);
}

TEST(plan_options_are_read_exactly)
{
    sc_plan_options o;
    sc_plan_options_init(&o);
    if (CHECK_STATUS(sc_plan_options_read(OPTIONS(.epsilon = "1/3"), &o, NULL),
                     SCRIM_OK)) {
        CHECK(o.has_epsilon && !o.has_expect && o.noise == SC_PLAN_ANY_NOISE);
        check_ratio(&o.epsilon, "1/3");
        check_ratio(&o.delta, "0");
        check_ratio(&o.confidence, "0.95");
        check_ratio(&o.expect, "1000");
    }
    sc_plan_options_clear(&o);
    sc_plan_options_init(&o);
    if (CHECK_STATUS(sc_plan_options_read(OPTIONS(.target_error = "2.5", .delta = "1e-9",
                                                  .confidence = "0.9", .expect = "50.5",
                                                  .mechanism = "gaussian", .workers = 3,
                                                  .memory_bytes = 77),
                                          &o, NULL),
                     SCRIM_OK)) {
        CHECK(!o.has_epsilon && o.has_expect && o.noise == SC_PLAN_GAUSSIAN);
        check_ratio(&o.target, "2.5");
        check_ratio(&o.delta, "0.000000001");
        check_ratio(&o.confidence, "0.9");
        check_ratio(&o.expect, "50.5");
        CHECK(o.workers == 3 && o.memory_bytes == 77);
        CHECK_STR(sc_plan_noise_name(o.noise), "gaussian");
    }
    sc_plan_options_clear(&o);
    sc_plan_options_init(&o);
    /* A value that is taken anyway is no other question. */
    if (CHECK_STATUS(sc_plan_options_read(OPTIONS(.epsilon = "1000", .expect = "1e3",
                                                  .mechanism = "laplace"),
                                          &o, NULL),
                     SCRIM_OK)) {
        CHECK(!o.has_expect && o.noise == SC_PLAN_LAPLACE);
        CHECK_STR(sc_plan_noise_name(o.noise), "laplace");
    }
    sc_plan_options_clear(&o);
    CHECK(sc_plan_noise_name(SC_PLAN_ANY_NOISE) == NULL);
}

/* However they were written, options have one text each; without memory they have no text. */
TEST(plan_options_have_one_text_each)
{
    sc_plan_options o;
    sc_plan_options_init(&o);
    if (CHECK_STATUS(sc_plan_options_read(OPTIONS(.epsilon = "5e-1", .delta = "1e-9",
                                                  .expect = "50.50,age=38.60:13.6"),
                                          &o, NULL),
                     SCRIM_OK)) {
        FAULT_LOOP(copied)
        {
            sc_plan_option_texts texts;
            sc_arena arena;
            sc_arena_init(&arena);
            if (sc_plan_options_copy_texts(&o, &arena, &texts)) {
                CHECK_STR(texts.epsilon.start, "0.5");
                CHECK_STR(texts.delta.start, "0.000000001");
                CHECK_STR(texts.expect.start, "50.5,age=38.6:13.6");
                CHECK_INT(texts.expect.bytes, strlen(texts.expect.start));
                CHECK(!fault_hit());
            } else {
                CHECK(fault_hit());
            }
            sc_arena_clear(&arena);
        }
    }
    sc_plan_options_clear(&o);
}

TEST(plan_options_epsilon_and_delta_are_required)
{
    CLAIM("plan-options.required");
    static const char missing[] = "epsilon is missing and has no default";
    check_refused(NULL, SCRIM_E_PARAM, missing);
    check_refused(OPTIONS(.delta = "1e-6"), SCRIM_E_PARAM, missing);
    check_refused(OPTIONS(.epsilon = "1", .target_error = "1"), SCRIM_E_PARAM,
                  "give epsilon or the error that is wanted, not both: one follows from "
                  "the other");
}

/* The epsilon is that of the curve of rho, rounded up, which is below rho + 2 sqrt(rho ln(1/delta)) = 1.0714. */
TEST(plan_options_take_a_total_in_rho)
{
    CLAIM("plan-options.rho");
    sc_plan_options o;
    SC_OWN(sc_curve, curve);
    SC_OWN(sc_ratio, least, most);
    sc_plan_options_init(&o);
    if (CHECK_STATUS(
            sc_plan_options_read(OPTIONS(.rho = "1/50", .delta = "1e-6"), &o, NULL),
            SCRIM_OK)) {
        CHECK(o.has_epsilon && o.noise == SC_PLAN_GAUSSIAN);
        check_ratio(&o.rho, "0.02");
        sc_curve_set_concentrated(&curve, &o.rho);
        CHECK(sc_curve_epsilon_upper(&curve, &o.delta, &least));
        CHECK(sc_ratio_compare(&least, &o.epsilon) <= 0);
        sc_ratio_set_quotient(&most, 1, 1000000);
        sc_ratio_add(&most, &most, &least);
        CHECK(sc_ratio_compare(&o.epsilon, &most) <= 0);
        sc_ratio_set_quotient(&most, 10714, 10000);
        CHECK(sc_ratio_compare(&o.epsilon, &most) < 0);
    }
    sc_plan_options_clear(&o);
    check_refused(OPTIONS(.rho = "1", .delta = "1e-6", .epsilon = "1"), SCRIM_E_PARAM,
                  "give epsilon or rho, not both");
    check_refused(OPTIONS(.rho = "1", .delta = "1e-6", .target_error = "1"),
                  SCRIM_E_PARAM, "give epsilon or rho, not both");
    check_refused(OPTIONS(.rho = "1"), SCRIM_E_PARAM,
                  "rho needs a delta above 0, for example 1e-7: epsilon at this delta is "
                  "shown and charged beside it");
    check_refused(OPTIONS(.rho = "1", .delta = "1e-6", .mechanism = "laplace"),
                  SCRIM_E_PARAM,
                  "a total in rho is spent by gaussian noise; leave laplace out, or give "
                  "epsilon");
    check_refused(OPTIONS(.rho = "0", .delta = "1e-6"), SCRIM_E_PARAM,
                  "rho must be above 0");
    check_refused(OPTIONS(.rho = "x", .delta = "1e-6"), SCRIM_E_PARAM,
                  "rho: 'x' is not an exact number such as 0.5, 1/3 or 1e-9");
    check_refused(OPTIONS(.rho = "1e-30", .delta = "1e-6"), SCRIM_E_LIMIT,
                  "rho: it has more than 62 bits in its numerator or denominator; write "
                  "a shorter number");
    check_refused(OPTIONS(.rho = "900", .delta = "1e-6"), SCRIM_E_LIMIT,
                  "epsilon must be between 8.7e-19 and 1000");
}

TEST(plan_options_have_domains)
{
    CLAIM("plan-options.required");
    check_refused(OPTIONS(.epsilon = "0"), SCRIM_E_PARAM, "epsilon must be above 0");
    check_refused(OPTIONS(.epsilon = "-1"), SCRIM_E_PARAM, "epsilon must be above 0");
    check_refused(OPTIONS(.epsilon = "1001"), SCRIM_E_LIMIT,
                  "epsilon must be between 8.7e-19 and 1000");
    check_refused(OPTIONS(.epsilon = "2^-61"), SCRIM_E_LIMIT,
                  "epsilon must be between 8.7e-19 and 1000");
    check_refused(OPTIONS(.epsilon = "nan"), SCRIM_E_PARAM,
                  "epsilon: 'nan' is not an exact number such as 0.5, 1/3 or 1e-9");
    check_refused(OPTIONS(.epsilon = ""), SCRIM_E_PARAM,
                  "epsilon: '' is not an exact number such as 0.5, 1/3 or 1e-9");
    check_refused(OPTIONS(.epsilon = "1e-40"), SCRIM_E_LIMIT,
                  "epsilon: it has more than 120 bits in its numerator or denominator; "
                  "write a shorter number");
    check_refused(OPTIONS(.epsilon = "1e-5000"), SCRIM_E_LIMIT,
                  "epsilon: it has more than 120 bits in its numerator or denominator; "
                  "write a shorter number");
    check_refused(OPTIONS(.target_error = "0"), SCRIM_E_PARAM,
                  "target-error must be above 0");
    check_refused(OPTIONS(.target_error = "0%"), SCRIM_E_PARAM,
                  "target-error must be above 0");
    check_refused(OPTIONS(.target_error = "%"), SCRIM_E_PARAM,
                  "target-error: '' is not an exact number such as 0.5, 1/3 or 1e-9");
    check_refused(OPTIONS(.target_error = "100%"), SCRIM_E_PARAM,
                  "target-error: a percentage of the value must be below 100 %");
    check_refused(OPTIONS(.epsilon = "1", .delta = "1"), SCRIM_E_PARAM,
                  "delta must be at least 0 and less than 1");
    check_refused(OPTIONS(.epsilon = "1", .delta = "-1e-9"), SCRIM_E_PARAM,
                  "delta must be at least 0 and less than 1");
    check_refused(OPTIONS(.epsilon = "1", .delta = "1e-60"), SCRIM_E_LIMIT,
                  "delta: it has more than 160 bits in its numerator or denominator; "
                  "write a shorter number");
    check_refused(OPTIONS(.epsilon = "1", .confidence = "1"), SCRIM_E_PARAM,
                  "confidence must be above 0 and below 1, such as 0.95");
    check_refused(OPTIONS(.epsilon = "1", .confidence = "0"), SCRIM_E_PARAM,
                  "confidence must be above 0 and below 1, such as 0.95");
    check_refused(OPTIONS(.epsilon = "1", .confidence = "95%"), SCRIM_E_PARAM,
                  "confidence: '95%' is not an exact number such as 0.5, 1/3 or 1e-9");
    check_refused(OPTIONS(.epsilon = "1", .expect = "0.99"), SCRIM_E_PARAM,
                  "expect must be the expected rows per group, at least 1");
    check_refused(OPTIONS(.epsilon = "1", .mechanism = "laplce"), SCRIM_E_PARAM,
                  "mechanism: unknown noise 'laplce'; did you mean 'laplace'?");
    check_refused(OPTIONS(.epsilon = "1", .mechanism = "quantile"), SCRIM_E_PARAM,
                  "mechanism: unknown noise 'quantile'; use laplace, gaussian or stlap");
}

TEST(plan_model_finds_the_part_of_a_statistic)
{
    const sc_drawn_part parts[] = {
        {.statistic = SC_STATISTIC_NONE}, {.statistic = 0}, {.statistic = 2}};
    const sc_planned_statement all = {.parts = parts, .part_count = COUNT(parts)},
                               numbers = {.parts = parts + 1, .part_count = 2};
    CHECK_INT(sc_plan_part_of(&all, SC_STATISTIC_NONE), 0);
    CHECK_INT(sc_plan_part_of(&all, 0), 1);
    CHECK_INT(sc_plan_part_of(&all, 2), 2);
    CHECK(sc_plan_part_of(&all, 1) == SC_STATISTIC_NONE);
    CHECK(sc_plan_part_of(&numbers, SC_STATISTIC_NONE) == SC_STATISTIC_NONE);
}

/* Each row is a unit, or a unit has one row in a group; and groups are those of units. */
TEST(plan_model_knows_where_rows_are_units)
{
    const sc_schema rows = {.column_count = 0}, units = {.unit = sc_text_of("id")};
    const sc_bounds one = {3, 1, 0}, many = {1, 2, 0}, total = {3, 0, 1};
    CHECK(sc_plan_rows_are_units(&rows, &many, SC_PLAN_DISCOVERED));
    CHECK(sc_plan_rows_are_units(&units, &one, SC_PLAN_DISCOVERED));
    CHECK(!sc_plan_rows_are_units(&units, &many, SC_PLAN_DISCOVERED));
    CHECK(sc_plan_rows_are_units(&units, &total, SC_PLAN_DISCOVERED));
    CHECK(!sc_plan_rows_are_units(&units, &one, SC_PLAN_PUBLIC_KEYS));
    CHECK(!sc_plan_rows_are_units(&units, &one, SC_PLAN_NO_KEYS));
}
