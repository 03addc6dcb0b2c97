#include "check.h"
#include "exact.h"
#include "formulas.h"
#include "row_oracle.h"

#include <stdio.h>
#include <string.h>

#define STEPS_MAX SC_FORMULA_STEPS

/* The value of a formula of COUNT(*) and SUM(age), "NULL" where it has no value. */
static void check_value(const char *formula, const char *count, const char *sum,
                        const char *want)
{
    sc_formula_number all[STEPS_MAX];
    char query[400], got[200];
    query_asked asked;
    snprintf(query, sizeof query, "SELECT %s AS v", formula);
    query_ask_present(&asked, query);
    if (!CHECK_STATUS(asked.status, SCRIM_OK)) {
        CHECK_STR(asked.error.message, formula);
        query_forget_asked(&asked);
        return;
    }
    const sc_formula *f = asked.query->outputs[0].formula;
    REQUIRE(f->count > 0 && f->count <= STEPS_MAX);
    for (size_t i = 0; i < f->count; i++) {
        const sc_formula_step *step = &f->steps[i];
        sc_formula_number_init(&all[i]);
        if (step->kind == SC_FORMULA_AGGREGATE) {
            const bool is_sum = asked.query->aggregates[step->aggregate].value != NULL;
            sc_ratio_clear(&all[i].number);
            exact_ratio(is_sum ? sum : count, &all[i].number);
        } else {
            sc_formula_number_of(step, all, &all[i]);
        }
    }
    sc_ratio_format(&all[f->count - 1].number, got, sizeof got);
    if (!CHECK_STR(all[f->count - 1].is_null ? "NULL" : got, want))
        CHECK_STR(formula, "");
    for (size_t i = 0; i < f->count; i++)
        sc_formula_number_clear(&all[i]);
    query_forget_asked(&asked);
}

TEST(formula_bounds_values_are_those_of_sql)
{
    CLAIM("formula-bounds.value");
    static const struct {
        const char *formula, *count, *sum, *want;
    } list[] = {{"SUM(age) / COUNT(*)", "3", "7", "7/3"},
                {"SUM(age) / COUNT(*)", "0", "7", "NULL"},
                {"SUM(age) / NULLIF(COUNT(*), 0)", "0", "7", "NULL"},
                {"COALESCE(SUM(age) / COUNT(*), -1)", "0", "7", "-1"},
                {"COALESCE(SUM(age) / COUNT(*), -1)", "2", "7", "3.5"},
                {"NULLIF(COUNT(*), SUM(age))", "2", "7", "2"},
                {"NULLIF(COUNT(*), SUM(age))", "7", "7", "NULL"},
                {"NULLIF(COUNT(*), SUM(age) / (COUNT(*) - COUNT(*)))", "7", "7", "7"},
                {"LEAST(COUNT(*), SUM(age), 4)", "5", "7", "4"},
                {"LEAST(COUNT(*), SUM(age) / COUNT(*))", "0", "7", "0"},
                {"GREATEST(COUNT(*), SUM(age) / COUNT(*))", "-3", "7", "-7/3"},
                {"ABS(COUNT(*) - 10)", "3", "0", "7"},
                {"-COUNT(*) * 2 + 0.5", "3", "0", "-5.5"},
                {"ROUND(SUM(age) / 2)", "3", "-5", "-2"},
                {"ROUND(SUM(age) / 2)", "3", "5", "3"},
                {"ROUND(SUM(age) / 3, 2)", "3", "5", "1.67"},
                {"ROUND(SUM(age), -2)", "3", "250", "300"},
                {"FLOOR(SUM(age) / 2)", "3", "-5", "-3"},
                {"CLAMP(SUM(age), 0, 10)", "3", "-5", "0"},
                {"CLAMP(SUM(age), 0, 10)", "3", "25", "10"},
                {"100 * COUNT(*) / SUM(age)", "1", "3", "100/3"}};
    for (size_t i = 0; i < COUNT(list); i++)
        check_value(list[i].formula, list[i].count, list[i].sum, list[i].want);
}

/* Bounds about a point, some without an end. */
static void random_bounds(sc_formula_bounds *b, sc_formula_number *inside, uint64_t *seed)
{
    SC_OWN(sc_ratio, low, high);
    const int64_t from = (int64_t)row_random(seed, 21) - 10,
                  wide = (int64_t)row_random(seed, 3) * (int64_t)row_random(seed, 8);
    sc_ratio_set_int64(&low, from);
    sc_ratio_set_int64(&high, from + wide);
    sc_formula_bounds_set_point(b, &low);
    sc_formula_bounds_reach(b, &high);
    b->has_low = row_random(seed, 6) != 0;
    b->has_high = row_random(seed, 6) != 0;
    const int64_t beyond_low = b->has_low ? 0 : (int64_t)row_random(seed, 20),
                  beyond_high = b->has_high ? 0 : (int64_t)row_random(seed, 20);
    sc_ratio_set_int64(
        &inside->number,
        from - beyond_low +
            (int64_t)row_random(seed, (uint64_t)(wide + beyond_low + beyond_high) + 1));
    b->may_be_null = row_random(seed, 8) == 0;
    inside->is_null = b->may_be_null && row_random(seed, 2) == 0;
}

static bool holds(const sc_formula_bounds *b, const sc_formula_number *x)
{
    if (b->is_open)
        return true;
    if (x->is_null)
        return b->may_be_null;
    return (!b->has_low || sc_ratio_compare(&b->low, &x->number) <= 0) &&
           (!b->has_high || sc_ratio_compare(&b->high, &x->number) >= 0);
}

static void check_formula(const sc_formula *f, const char *text, uint64_t *seed)
{
    sc_formula_number numbers[STEPS_MAX];
    sc_formula_bounds bounds[STEPS_MAX];
    for (size_t i = 0; i < f->count; i++) {
        sc_formula_number_init(&numbers[i]);
        sc_formula_bounds_init(&bounds[i]);
        if (f->steps[i].kind == SC_FORMULA_AGGREGATE) {
            random_bounds(&bounds[i], &numbers[i], seed);
        } else {
            sc_formula_number_of(&f->steps[i], numbers, &numbers[i]);
            sc_formula_bounds_of(&f->steps[i], bounds, &bounds[i]);
        }
        if (!holds(&bounds[i], &numbers[i]))
            CHECK_FAIL("step %zu of %s leaves its bounds", i, text);
    }
    for (size_t i = 0; i < f->count; i++) {
        sc_formula_number_clear(&numbers[i]);
        sc_formula_bounds_clear(&bounds[i]);
    }
}

TEST(formula_bounds_hold_all_that_is_inside)
{
    CLAIM("formula-bounds.hold");
    uint64_t seed = check_seed();
    const uint64_t count = check_count(400, 20000);
    size_t read = 0;
    for (uint64_t i = 0; i < count; i++) {
        char text[FORMULA_TEXT_BYTES], query[FORMULA_TEXT_BYTES + 20];
        query_asked asked;
        formula_random(text, 1 + (unsigned)row_random(&seed, 3), &seed);
        snprintf(query, sizeof query, "SELECT %s AS v", text);
        query_ask_present(&asked, query);
        read += asked.status == SCRIM_OK;
        for (size_t k = 0; asked.status == SCRIM_OK && k < 20; k++)
            check_formula(asked.query->outputs[0].formula, text, &seed);
        query_forget_asked(&asked);
    }
    CHECK(read > count * 3 / 4);
}
