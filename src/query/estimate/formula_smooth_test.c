/* Coverage is held against drawn noise in formula_estimate_test.c. */
#include "check.h"
#include "formulas.h"
#include "query/estimate/formula_smooth.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define LINE "laplace epsilon=1/10"

/* The forms of a question, and whether its output is smooth. */
static bool find(const char *expression, sc_formula_smooth *out, formula_scene *s,
                 sc_formula_forms *forms)
{
    char query[400];
    snprintf(query, sizeof query, "SELECT %s AS v", expression);
    if (!formula_open(s, query, LINE, "0.95"))
        return false;
    const sc_formula *formula = s->asked.query->outputs[0].formula;
    return CHECK_STATUS(sc_formula_forms_init(forms, formula, s->asked.query,
                                              &s->statistics, NULL),
                        SCRIM_OK) &&
           sc_formula_smooth_find(forms, formula->count - 1, out);
}

TEST(formula_smooth_steps_are_products_and_quotients)
{
    static const struct {
        const char *expression;
        size_t numbers; /* 0: it is not smooth */
    } list[] = {
        {"COUNT(*) * COUNT(DISTINCT person_id)", 2},
        {"-(COUNT(*) * COUNT(DISTINCT person_id)) / 7 - 3", 2},
        {"COUNT(*) FILTER (WHERE age > 3) * SUM(age) + 7 * SUM(age)", 2},
        {"(1 + COUNT(*) FILTER (WHERE age > 3)) * COUNT(DISTINCT person_id) * 5 - "
         "COUNT(*)",
         3},
        {"COUNT(*) * SUM(age)", 2}, /* a sum about the centre has the count too */
        {"COUNT(*) FILTER (WHERE age > 3) * AVG(age)", 3},
        {"AVG(age) FILTER (WHERE weight > 3) - AVG(age)", 4},
        {"COUNT(*) / (COUNT(DISTINCT person_id) * COUNT(*))", 2},
        {"SUM(age) * SUM(age)", 0},           /* one sum has an exact interval */
        {"AVG(age) * AVG(age)", 0},           /* one quotient too */
        {"COUNT(*) * COUNT(*)", 0},           /* and one number */
        {"SUM(age) / COUNT(*)", 0},           /* a quotient has a rule of its own */
        {"COUNT(*) - SUM(age)", 0},           /* a sum too */
        {"COUNT(*) * AVG(age)", 0},           /* which is a sum */
        {"ABS(COUNT(*) * SUM(age))", 0},      /* its part is */
        {"COUNT(*) * LEAST(SUM(age), 7)", 0}, /* not smooth */
        {"STDDEV(age) * COUNT(*)", 0},        /* an interval of its own */
        {"COUNT(*) * ROUND(AVG(age), 1)", 0},
    };
    for (size_t i = 0; i < COUNT(list); i++) {
        formula_scene s;
        sc_formula_forms forms = {.count = 0};
        sc_formula_smooth smooth = {.count = 0};
        const bool is_smooth = find(list[i].expression, &smooth, &s, &forms);
        if (!CHECK_INT(is_smooth ? smooth.count : 0, list[i].numbers))
            CHECK_STR(list[i].expression, "");
        sc_formula_forms_clear(&forms);
        formula_close(&s);
    }
}

/* With noise within the radii, the value lies inside wherever the first order does: reached with slopes and
 * second derivatives that are taken at the true numbers by differences here. */
static void check_reach(const char *expression, const double *truth,
                        double (*h)(const double *), uint64_t *seed)
{
    formula_scene s;
    sc_formula_forms forms = {.count = 0};
    sc_formula_smooth smooth = {.count = 0};
    sc_noise noises[SC_SMOOTH_NUMBERS];
    sc_int128 numbers[SC_SMOOTH_NUMBERS];
    if (CHECK(find(expression, &smooth, &s, &forms)) &&
        CHECK(smooth.count <= SC_SMOOTH_NUMBERS)) {
        smooth.beta = 0.05;
        for (size_t i = 0; i < smooth.count; i++) {
            sc_noise_init(&noises[i], sc_noise_law(s.measurement));
            smooth.radii[i] = 60;
        }
        for (int run = 0; run < 400; run++) {
            double low = 0, high = 0, at[SC_SMOOTH_NUMBERS] = {0}, linear = 0;
            sc_noise_sum sum = {.count = smooth.count};
            for (size_t i = 0; i < smooth.count; i++) {
                *seed = *seed * 6364136223846793005U + 1442695040888963407U;
                at[i] = truth[i] + (double)(int64_t)((*seed >> 40) % 121) - 60;
                numbers[forms.statistics->list[forms.numbers[smooth.numbers[i]]].first] =
                    (sc_int128)at[i];
                double nearby[SC_SMOOTH_NUMBERS];
                memcpy(nearby, truth, sizeof nearby);
                nearby[i] += 1e-3;
                const double slope = (h(nearby) - h(truth)) / 1e-3;
                linear += slope * (at[i] - truth[i]);
                sum.terms[i] = &noises[i];
                sum.weights[i] = fabs(slope);
            }
            if (fabs(linear) > sc_noise_sum_radius_upper(&sum, 0.05 * 2 / 3))
                continue;
            if (!CHECK(sc_formula_smooth_reach(&forms, &smooth, noises, numbers, &low,
                                               &high)) ||
                !CHECK(low <= h(truth) && h(truth) <= high && low <= h(at) &&
                       h(at) <= high))
                CHECK_FAIL("%s: %g to %g", expression, low, high);
        }
    }
    sc_formula_forms_clear(&forms);
    formula_close(&s);
}

static double two(const double *x)
{
    return x[0] * x[1];
}
static double three(const double *x)
{
    return x[0] * x[1] * x[2];
}
static double both(const double *x)
{
    return x[0] * x[1] - 9 * x[2];
}

/* Means that are counted from 60 on: rows and sum of each. */
static double means(const double *x)
{
    return x[1] / x[0] - x[3] / x[2];
}
static double times_mean(const double *x)
{
    return x[0] * (60 + x[2] / x[1]);
}
static double by_product(const double *x)
{
    return x[0] / (x[1] * x[2]);
}

SLOW_TEST(formula_smooth_holds_what_the_noise_allows)
{
    CLAIM("formula-smooth.coverage");
    uint64_t seed = check_seed();
    check_reach("COUNT(*) * COUNT(DISTINCT person_id)",
                (const double[SC_SMOOTH_NUMBERS]){900, 700}, two, &seed);
    check_reach("COUNT(*) * COUNT(DISTINCT person_id)",
                (const double[SC_SMOOTH_NUMBERS]){70, 80}, two, &seed);
    check_reach("COUNT(*) * COUNT(DISTINCT person_id) * COUNT(*) FILTER (WHERE age > 3)",
                (const double[SC_SMOOTH_NUMBERS]){900, 700, 300}, three, &seed);
    check_reach(
        "COUNT(*) * COUNT(DISTINCT person_id) - 9 * COUNT(*) FILTER (WHERE age > 3)",
        (const double[SC_SMOOTH_NUMBERS]){900, 700, 300}, both, &seed);
    check_reach("AVG(age) FILTER (WHERE weight > 3) - AVG(age)",
                (const double[SC_SMOOTH_NUMBERS]){900, 5000, 700, -3000}, means, &seed);
    check_reach("AVG(age) FILTER (WHERE weight > 3) - AVG(age)",
                (const double[SC_SMOOTH_NUMBERS]){150, 5000, 160, -3000}, means, &seed);
    check_reach("COUNT(*) FILTER (WHERE age > 3) * AVG(age)",
                (const double[SC_SMOOTH_NUMBERS]){900, 700, -3000}, times_mean, &seed);
    check_reach(
        "COUNT(*) FILTER (WHERE age > 3) / (COUNT(*) * COUNT(DISTINCT person_id))",
        (const double[SC_SMOOTH_NUMBERS]){300, 900, 400}, by_product, &seed);
}

/* Where a divisor may be 0 nothing is known. */
TEST(formula_smooth_ends_where_a_divisor_may_be_zero)
{
    CLAIM("formula-smooth.coverage");
    static const char *const list[] = {
        "AVG(age) FILTER (WHERE weight > 3) - AVG(age)",
        "COUNT(*) FILTER (WHERE age > 3) / (COUNT(*) * COUNT(DISTINCT person_id))"};
    for (size_t i = 0; i < COUNT(list); i++) {
        formula_scene s;
        sc_formula_forms forms = {.count = 0};
        sc_formula_smooth smooth = {.count = 0};
        sc_noise noises[SC_SMOOTH_NUMBERS];
        sc_int128 numbers[SC_SMOOTH_NUMBERS];
        double low = 0, high = 0;
        if (CHECK(find(list[i], &smooth, &s, &forms))) {
            smooth.beta = 0.05;
            for (size_t k = 0; k < SC_SMOOTH_NUMBERS; k++) {
                sc_noise_init(&noises[k], sc_noise_law(s.measurement));
                numbers[k] = 61;
                smooth.radii[k] = 60;
            }
            CHECK(sc_formula_smooth_reach(&forms, &smooth, noises, numbers, &low, &high));
            for (size_t k = 0; k < SC_SMOOTH_NUMBERS; k++)
                smooth.radii[k] = 61;
            CHECK(
                !sc_formula_smooth_reach(&forms, &smooth, noises, numbers, &low, &high));
        }
        sc_formula_forms_clear(&forms);
        formula_close(&s);
    }
}

/* Half of the interval that is shown. */
static double half_shown(const char *expression, const char *confidence,
                         const sc_int128 *numbers)
{
    formula_scene s;
    char query[400], shown[FORMULA_SHOWN_BYTES];
    double value = 0, low = 0, high = 0;
    snprintf(query, sizeof query, "SELECT %s AS v", expression);
    if (formula_open(&s, query, LINE, confidence)) {
        formula_shown(&s, numbers, shown);
        CHECK(sscanf(shown, "%lf %lf %lf", &value, &low, &high) == 3);
    }
    formula_close(&s);
    return (high - low) / 2;
}

TEST(formula_smooth_is_narrower_than_by_parts)
{
    CLAIM("formula-smooth.narrower");
    const sc_int128 numbers[] = {3000, 3000, 3000, 3000};
    /* Each factor or mean is missed with probability 0.02532: a count at 36. */
    const double factors = (3036.0 * 3036 - 2964.0 * 2964) / 2,
                 mean = half_shown("AVG(age) * 1", "0.97468", numbers);
    const double product =
                     half_shown("COUNT(*) * COUNT(DISTINCT person_id)", "0.95", numbers),
                 difference = half_shown("AVG(age) FILTER (WHERE weight > 3) - AVG(age)",
                                         "0.95", numbers);
    if (!CHECK(product < 0.7 * factors) || !CHECK(difference < 0.8 * 2 * mean))
        CHECK_FAIL("%g of %g, %g of %g", product, factors, difference, 2 * mean);
}
