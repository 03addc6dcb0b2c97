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
        size_t factors; /* 0: it is not smooth */
    } list[] = {
        {"COUNT(*) * COUNT(DISTINCT person_id)", 2},
        {"-(COUNT(*) * COUNT(DISTINCT person_id)) / 7 - 3", 2},
        {"COUNT(*) FILTER (WHERE age > 3) * SUM(age) + 7 * SUM(age)", 0},
        {"(1 + COUNT(*) FILTER (WHERE age > 3)) * COUNT(DISTINCT person_id) * 5 - "
         "COUNT(*)",
         3},
        {"SUM(age) * SUM(age)", 0}, /* one sum has an exact interval */
        {"COUNT(*) * SUM(age)", 0}, /* a sum about the centre has the count too */
        {"COUNT(*) FILTER (WHERE age > 3) * AVG(age)", 0}, /* a quotient is by parts */
        {"COUNT(*) / (COUNT(DISTINCT person_id) * COUNT(*))", 0},
        {"COUNT(*) * COUNT(*)", 0},           /* one number has an exact interval */
        {"SUM(age) / COUNT(*)", 0},           /* a quotient has a rule of its own */
        {"COUNT(*) - SUM(age)", 0},           /* a sum too */
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
        if (!CHECK_INT(is_smooth ? smooth.count : 0, list[i].factors))
            CHECK_STR(list[i].expression, "");
        sc_formula_forms_clear(&forms);
        formula_close(&s);
    }
}

/* Of noise within the radii, the value lies inside wherever the first order does: reached with slopes and
 * second derivatives that are taken at the true numbers by differences here. */
static void check_reach(const char *expression, const double *truth,
                        double (*h)(const double *), uint64_t *seed)
{
    formula_scene s;
    sc_formula_forms forms = {.count = 0};
    sc_formula_smooth smooth = {.count = 0};
    sc_noise noises[SC_SMOOTH_FACTORS];
    sc_int128 numbers[SC_SMOOTH_FACTORS];
    if (CHECK(find(expression, &smooth, &s, &forms)) &&
        CHECK(smooth.count <= SC_SMOOTH_FACTORS)) {
        smooth.beta = 0.05;
        for (size_t i = 0; i < smooth.count; i++) {
            sc_noise_init(&noises[i], sc_noise_law(s.measurement));
            smooth.radii[i] = 60;
        }
        for (int run = 0; run < 400; run++) {
            double low = 0, high = 0, at[SC_SMOOTH_FACTORS] = {0}, linear = 0;
            sc_noise_sum sum = {.count = smooth.count};
            for (size_t i = 0; i < smooth.count; i++) {
                *seed = *seed * 6364136223846793005U + 1442695040888963407U;
                at[i] = truth[i] + (double)(int64_t)((*seed >> 40) % 121) - 60;
                numbers[i] = (sc_int128)at[i];
                double nearby[SC_SMOOTH_FACTORS];
                memcpy(nearby, truth, sizeof nearby);
                nearby[i] += 1e-3;
                const double slope = (h(nearby) - h(truth)) / 1e-3;
                linear += slope * (at[i] - truth[i]);
                sum.terms[i] = &noises[i];
                sum.weights[i] = fabs(slope);
            }
            if (fabs(linear) > sc_noise_sum_radius_upper(&sum, 0.05 * 2 / 3))
                continue;
            sc_formula_smooth_reach(&forms, &smooth, noises, numbers, &low, &high);
            if (!CHECK(low <= h(truth) && h(truth) <= high && low <= h(at) &&
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

TEST(formula_smooth_holds_what_the_noise_allows)
{
    CLAIM("formula-smooth.coverage");
    uint64_t seed = check_seed();
    check_reach("COUNT(*) * COUNT(DISTINCT person_id)",
                (const double[SC_SMOOTH_FACTORS]){900, 700}, two, &seed);
    check_reach("COUNT(*) * COUNT(DISTINCT person_id)",
                (const double[SC_SMOOTH_FACTORS]){70, 80}, two, &seed);
    check_reach("COUNT(*) * COUNT(DISTINCT person_id) * COUNT(*) FILTER (WHERE age > 3)",
                (const double[SC_SMOOTH_FACTORS]){900, 700, 300}, three, &seed);
    check_reach(
        "COUNT(*) * COUNT(DISTINCT person_id) - 9 * COUNT(*) FILTER (WHERE age > 3)",
        (const double[SC_SMOOTH_FACTORS]){900, 700, 300}, both, &seed);
}

TEST(formula_smooth_is_narrower_than_by_factors)
{
    CLAIM("formula-smooth.narrower");
    formula_scene s;
    char shown[FORMULA_SHOWN_BYTES];
    double value, low, high;
    if (formula_open(&s, "SELECT COUNT(*) * COUNT(DISTINCT person_id) AS v", LINE,
                     "0.95")) {
        formula_shown(&s, (const sc_int128[]){3000, 3000}, shown);
        CHECK(sscanf(shown, "%lf %lf %lf", &value, &low, &high) == 3);
        /* 0.02532 is missed at 36 by each. */
        const double factors = (3036.0 * 3036 - 2964.0 * 2964) / 2;
        if (!CHECK((high - low) / 2 < 0.7 * factors))
            CHECK_FAIL("%g of %g", (high - low) / 2, factors);
    }
    formula_close(&s);
}
