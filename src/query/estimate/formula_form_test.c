#include "check.h"
#include "formulas.h"
#include "query/estimate/formula_form.h"
#include "row_oracle.h"

#include <stdio.h>
#include <string.h>

typedef struct forming {
    query_asked asked;
    sc_statistics statistics;
    sc_formula_forms forms;
    bool is_made;
} forming;

static bool begin(forming *f, const char *expression, bool may_be_null)
{
    char query[FORMULA_TEXT_BYTES + 20];
    snprintf(query, sizeof query, "SELECT %s AS v", expression);
    if (may_be_null)
        query_ask(&f->asked, query);
    else
        query_ask_present(&f->asked, query);
    f->is_made =
        f->asked.status == SCRIM_OK &&
        CHECK_STATUS(sc_statistics_of(
                         f->asked.query,
                         &(sc_statistics_plan){.bounds = f->asked.query->schema->bounds},
                         &f->asked.arena, &f->statistics, NULL),
                     SCRIM_OK);
    return f->is_made && CHECK_STATUS(sc_formula_forms_init(
                                          &f->forms, f->asked.query->outputs[0].formula,
                                          f->asked.query, &f->statistics, NULL),
                                      SCRIM_OK);
}

static void end(forming *f)
{
    if (f->is_made)
        sc_formula_forms_clear(&f->forms);
    query_forget_asked(&f->asked);
}

/* "sum", "quotient" or "other", and the range: "quotient [0, 1]". */
static void check_form(const char *expression, bool may_be_null, const char *want)
{
    static const char *const kinds[] = {"other", "sum", "quotient"};
    char got[200], low[80] = "", high[80] = "";
    forming f;
    if (CHECK(begin(&f, expression, may_be_null))) {
        const size_t last = f.forms.formula->count - 1;
        const sc_formula_bounds *range = &f.forms.ranges[last];
        if (range->has_low)
            sc_ratio_format(&range->low, low, sizeof low);
        if (range->has_high)
            sc_ratio_format(&range->high, high, sizeof high);
        snprintf(got, sizeof got, "%s [%s, %s]", kinds[f.forms.forms[last].kind], low,
                 high);
        if (!CHECK_STR(got, want))
            CHECK_STR(expression, "");
    }
    end(&f);
}

TEST(formula_form_has_the_range_that_all_tables_give)
{
    CLAIM("formula-form.range");
    static const struct {
        const char *expression;
        bool may_be_null;
        const char *want;
    } list[] = {
        {"SUM(age) - SUM(income)", true, "sum [, ]"},
        {"COUNT(*) + COUNT(age)", true, "sum [0, ]"},
        {"COUNT(*) - COUNT(age)", true, "sum [0, ]"},
        {"COUNT(age) - COUNT(income)", true, "sum [, ]"},
        {"5 - COUNT(*)", true, "sum [, 5]"},
        {"SUM(age) * 2", true, "sum [0, ]"},
        {"SUM(age) / 10", true, "sum [0, ]"},
        {"COUNT(*) - COUNT(*)", true, "sum [0, 0]"},
        {"SUM(income) / COUNT(income)", true, "quotient [-1000, 100000]"},
        {"SUM(age) / COUNT(age)", true, "quotient [0, 120]"},
        {"SUM(CLAMP(age, 5, 9)) / COUNT(*)", true, "quotient [0, 9]"},
        {"SUM(CLAMP(age, 5, 9)) / COUNT(*)", false, "quotient [5, 9]"},
        {"SUM(CLAMP(age, 5, 9)) / COUNT(age)", true, "quotient [5, 9]"},
        {"COUNT(age) / COUNT(*)", true, "quotient [0, 1]"},
        {"COUNT(*) / COUNT(age)", true, "quotient [0, ]"},
        {"100 * COUNT(*) FILTER (WHERE age > 3) / COUNT(*)", true, "quotient [0, 100]"},
        {"1 - COUNT(age) / COUNT(*)", true, "quotient [0, 1]"},
        {"COUNT(age) / COUNT(*) - COUNT(income) / COUNT(*)", true, "quotient [-1, 1]"},
        {"COUNT(DISTINCT person_id) / COUNT(*)", true, "quotient [0, 1]"},
        {"2 * AVG(age) + 1", true, "quotient [1, 241]"},
        {"AVG(age) / AVG(weight)", false, "quotient [0, ]"},
        {"AVG(age) - AVG(weight)", false, "quotient [-200, 120]"},
        {"AVG(age) - AVG(weight)", true, "other [-200, 120]"},
        {"1 / AVG(age)", true, "quotient [0, ]"},
        {"SUM(age) / SUM(weight)", true, "quotient [0, ]"},
        {"SUM(age) / SUM(income)", true, "quotient [, ]"},
        {"COUNT(age) * COUNT(*)", true, "other [0, ]"},
        {"LEAST(COUNT(*), 40)", true, "other [0, 40]"},
        {"ABS(COUNT(*) - COUNT(age) - 7)", true, "other [0, ]"},
        {"STDDEV(age) / 2", true, "other [0, 60]"},
        {"MEDIAN(age) + MAX(age)", true, "other [0, 240]"},
        {"COUNT(*) WITH RANGE + 1", true, "other [1, ]"},
        {"ROUND(COUNT(age) / COUNT(*), 1)", true, "other [0, 1]"}};
    for (size_t i = 0; i < COUNT(list); i++)
        check_form(list[i].expression, list[i].may_be_null, list[i].want);
}

/* The steps for random numbers, each of them. */
static void check_equal(const forming *f, const char *text, uint64_t *seed)
{
    const sc_formula *formula = f->forms.formula;
    sc_formula_number all[SC_FORMULA_STEPS];
    sc_int128 numbers[64];
    SC_OWN(sc_ratio, top, bottom);
    for (size_t i = 0; i < f->statistics.number_count && i < COUNT(numbers); i++)
        numbers[i] = (sc_int128)row_random(seed, 2001) - 1000;
    for (size_t i = 0; i < formula->count; i++) {
        const sc_formula_step *step = &formula->steps[i];
        const sc_form *form = &f->forms.forms[i];
        bool is_null = form->kind == SC_FORM_OTHER;
        sc_formula_number_init(&all[i]);
        sc_ratio_set_int64(&bottom, 1);
        if (form->kind != SC_FORM_OTHER)
            sc_form_value(&f->forms, form->top, numbers, &top);
        if (form->kind == SC_FORM_QUOTIENT)
            sc_form_value(&f->forms, form->bottom, numbers, &bottom);
        is_null |= sc_ratio_sign(&bottom) == 0;
        if (!is_null)
            sc_ratio_div(&top, &top, &bottom);
        if (step->kind == SC_FORMULA_AGGREGATE) {
            sc_ratio_set(&all[i].number, &top);
            all[i].is_null = is_null;
        } else {
            sc_formula_number_of(step, all, &all[i]);
            if (!is_null && !all[i].is_null &&
                sc_ratio_compare(&all[i].number, &top) != 0)
                CHECK_FAIL("step %zu of %s is not its form", i, text);
        }
    }
    for (size_t i = 0; i < formula->count; i++)
        sc_formula_number_clear(&all[i]);
}

TEST(formula_form_is_the_formula)
{
    CLAIM("formula-form.equal");
    uint64_t seed = check_seed();
    const uint64_t count = check_count(400, 20000);
    size_t made = 0, quotients = 0;
    for (uint64_t i = 0; i < count; i++) {
        char text[FORMULA_TEXT_BYTES];
        forming f;
        formula_random(text, 1 + (unsigned)row_random(&seed, 3), &seed);
        if (begin(&f, text, row_random(&seed, 2) == 0)) {
            made++;
            quotients +=
                f.forms.forms[f.forms.formula->count - 1].kind == SC_FORM_QUOTIENT;
            for (int k = 0; k < 5; k++)
                check_equal(&f, text, &seed);
        }
        end(&f);
    }
    CHECK(made > count * 3 / 4 && quotients > count / 50);
}
