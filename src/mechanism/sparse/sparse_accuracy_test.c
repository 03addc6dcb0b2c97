#include "continuous.h"
#include "exact.h"
#include "mechanism/sparse/sparse_measurement.h"
#include "sparse_plans.h"
#include "vectors.h"

#include <math.h>
#include <stdio.h>

static double number(const json_t *row, const char *name)
{
    const json_t *value = json_object_get(row, name);
    return json_is_string(value) ? strtod(json_string_value(value), NULL)
                                 : json_number_value(value);
}

static double failure(const sc_sparse_plan *plan, uint64_t queries, sc_int128 a)
{
    sc_ball value;
    sc_ball_init(&value);
    sc_sparse_failure_upper(plan, queries, a, EXACT_BITS, &value);
    double upper = sc_ball_upper(&value);
    sc_ball_clear(&value);
    return upper;
}

static double radius(const sc_sparse_plan *plan, uint64_t queries, const char *beta)
{
    sc_ratio b;
    sc_int128 a = -1;
    exact_ratio(beta, &b);
    CHECK_STATUS(sc_sparse_radius(plan, &b, queries, &a, NULL), SCRIM_OK);
    sc_ratio_clear(&b);
    return (double)a;
}

/* P(noise = k) for |k| <= FAR, as doubles. */
#define FAR 12

static void masses(const sc_sparse_noise *noise, double out[2 * FAR + 1])
{
    sc_ball value;
    sc_ball_init(&value);
    for (int k = -FAR; k <= FAR; k++) {
        sc_law_pmf(&noise->law, k, 128, &value);
        out[k + FAR] = sc_ball_upper(&value);
    }
    sc_ball_clear(&value);
}

/* The probability that two thresholds, two queries and two values stay within a, one noise
 * after the other. */
static double slow_success(const sc_sparse_plan *plan, int thresholds, int a)
{
    double t[2 * FAR + 1], q[2 * FAR + 1], v[2 * FAR + 1], sum = 0, values = 0;
    masses(&plan->threshold, t);
    masses(&plan->query, q);
    masses(&plan->value, v);
    for (int i = 0; i <= 2 * FAR; i++)
        for (int j = 0; j <= 2 * FAR; j++) {
            int far = abs(i - FAR);
            double mass = t[i];
            if (thresholds == 2) {
                far = far > abs(j - FAR) ? far : abs(j - FAR);
                mass *= t[j];
            } else if (j > 0) {
                break;
            }
            for (int k = 0; k <= 2 * FAR; k++)
                for (int l = 0; l <= 2 * FAR; l++) {
                    int largest =
                        abs(k - FAR) > abs(l - FAR) ? abs(k - FAR) : abs(l - FAR);
                    sum += far + largest <= a ? mass * q[k] * q[l] : 0;
                }
        }
    for (int k = 0; k <= 2 * FAR; k++)
        values += abs(k - FAR) <= a ? v[k] : 0;
    return sum * (thresholds == 2 ? values * values : values);
}

TEST(sparse_accuracy_bound_is_the_sum_over_all_noise)
{
    CLAIM("sparse.accuracy");
    const sparse_plan_scales scales = {"1/2", "3/5", "2/3"};
    sc_sparse_plan plan;
    REQUIRE(sparse_plan_init(&plan, &scales));
    for (int thresholds = 1; thresholds <= 2; thresholds++) {
        plan.count = plan.stage_count = (uint64_t)thresholds;
        plan.redraws = true;
        for (int a = 0; a <= 8; a++)
            CHECK_NEAR(1 - failure(&plan, 2, a), slow_success(&plan, thresholds, a),
                       1e-7);
    }
    /* thresholds, values and queries that are not there do no harm */
    plan.count = plan.stage_count = 2;
    plan.redraws = false;
    plan.stage_length = 1;
    double short_run = failure(&plan, 1000, 3);
    CHECK_NEAR(short_run, failure(&plan, 1, 3), 1e-12);
    plan.stage_length = 0;
    CHECK(failure(&plan, 2, 3) > short_run);
    plan.count = plan.stage_count = 1000;
    plan.redraws = true;
    CHECK(failure(&plan, 2, 3) < 1);
    sparse_plan_clear(&plan);
}

/* Continuous noise: 1 minus the integral of spec/mechanisms.md 9.4, written so that nothing
 * cancels. */
typedef struct goodness_question {
    double b_t, b_v, k, alpha;
} goodness_question;

static double failing_term(const void *context, double t)
{
    const goodness_question *g = context;
    return exp(-t / g->b_t) / g->b_t *
           -expm1(g->k * log1p(-exp(-(g->alpha - t) / g->b_v)));
}

static double continuous_failure(double b_t, double b_v, double k, double alpha)
{
    const goodness_question g = {b_t, b_v, k, alpha};
    const double breaks[] = {0, alpha};
    return exp(-alpha / b_t) + continuous_integral(failing_term, &g, breaks, 2, b_t / 4);
}

static double continuous_radius(double b_t, double b_v, double k, double beta)
{
    double no = 0, yes = 400 * b_v;
    for (int i = 0; i < 100; i++) {
        double middle = (no + yes) / 2;
        if (continuous_failure(b_t, b_v, k, middle) <= beta)
            yes = middle;
        else
            no = middle;
    }
    return yes;
}

SLOW_TEST(sparse_accuracy_is_that_of_the_vectors)
{
    CLAIM("sparse.accuracy");
    json_t *rows = vectors_load("mechanisms", "above_threshold_accuracy"), *row;
    const sparse_plan_scales scales = {"2", "4", NULL};
    sc_sparse_plan plan;
    size_t i;
    REQUIRE(sparse_plan_init(&plan, &scales));
    CHECK(json_array_size(rows) >= 12);
    json_array_foreach(rows, i, row)
    {
        const double k = number(row, "k"), beta = number(row, "beta"),
                     tight = number(row, "alpha_tight"),
                     printed = number(row, "alpha_printed");
        CHECK_NEAR(8 * (log(k) + log(2 / beta)), printed, 1e-12);
        CHECK_NEAR(continuous_failure(2, 4, k, printed),
                   number(row, "exact_failure_at_alpha"), 1e-11);
        CHECK_NEAR(continuous_radius(2, 4, k, beta), tight, 1e-11);
        /* integers: the radius of the discrete noise, which is the smallest there is */
        double ours =
            radius(&plan, (uint64_t)k, json_string_value(json_object_get(row, "beta")));
        CHECK(fabs(ours - tight) < 1.5);
        CHECK(failure(&plan, (uint64_t)k, (sc_int128)ours) <= beta);
        CHECK(failure(&plan, (uint64_t)k, (sc_int128)ours - 1) > beta);
    }
    sparse_plan_clear(&plan);
}

TEST(sparse_accuracy_of_wide_noise_is_close_to_the_smallest)
{
    CLAIM("sparse.accuracy");
    const sparse_plan_scales scales = {"2^40", "2^41", NULL};
    sc_sparse_plan plan;
    REQUIRE(sparse_plan_init(&plan, &scales));
    double ours = radius(&plan, 1000, "0.05"),
           tight = continuous_radius(ldexp(1, 40), ldexp(1, 41), 1000, 0.05);
    CHECK(ours >= tight * (1 - 1e-9));
    CHECK(ours <= tight * 1.003);
    sparse_plan_clear(&plan);
}

/* The values alone fail with 1 - (1 - e^(-alpha/scale))^c. */
static double value_failure(double alpha, double scale, double c)
{
    return -expm1(c * log1p(-exp(-alpha / scale)));
}

TEST(sparse_accuracy_of_the_survey_forgets_the_noise_of_values)
{
    CLAIM("sparse-vector.accuracy");
    json_t *rows = vectors_load("mechanisms", "numeric_sparse_accuracy"), *row;
    size_t i;
    CHECK(json_array_size(rows) >= 4);
    json_array_foreach(rows, i, row)
    {
        const double k = number(row, "k"), c = number(row, "c"),
                     beta = number(row, "beta"), delta = number(row, "delta"),
                     r = sqrt(512), root = sqrt(c * log(2 / delta)),
                     scale = sqrt(32) * root * (r + 1) / 2;
        const double sparse = (r + 1) * root * (log(k) + log(4 * c / beta)),
                     values = sqrt(8) * (r + 1) * root * log(2 * c / beta);
        char line[160];
        scrim_measurement *m = NULL;
        CHECK_NEAR(scale, number(row, "answer_scale"), 1e-12);
        CHECK_NEAR(sparse, number(row, "alpha_book"), 1e-12);
        CHECK_NEAR(fmax(sparse, values), number(row, "alpha_correct"), 1e-12);
        CHECK_NEAR(value_failure(number(row, "alpha_printed"), scale, c),
                   number(row, "answer_failure_at_printed"), 1e-12);
        CHECK_NEAR(value_failure(sparse, scale, c), number(row, "answer_failure_at_book"),
                   1e-12);
        CHECK(value_failure(number(row, "alpha_printed"), scale, c) > beta);
        /* ours, at the same cost, is far better */
        (void)snprintf(line, sizeof line,
                       "sparse-vector epsilon=1 delta=1e-6 count=%.0f form=b numeric=yes",
                       c);
        REQUIRE_OK(scrim_measurement_parse_model(line, &m, NULL));
        double ours = radius(&sc_sparse_state_of(m)->plan, (uint64_t)k,
                             json_string_value(json_object_get(row, "beta")));
        CHECK(ours < number(row, "alpha_correct") / 4);
        scrim_measurement_free(m);
    }
}

TEST(sparse_accuracy_fails_as_often_as_it_says)
{
    CLAIM("sparse.accuracy");
    const sparse_plan_scales scales = {"v25", "v100", NULL};
    sc_sparse_plan plan;
    REQUIRE(sparse_plan_init(&plan, &scales));
    /* 7.4: the two-sided inverses at beta/2 and beta/(2k) hold as well, and are not less */
    sc_ratio half, part;
    sc_int128 first = 0, second = 0;
    exact_ratio("1/40", &half);
    exact_ratio("1/4000", &part);
    REQUIRE_OK(sc_law_radius(&plan.threshold.law, &half, &first, NULL));
    REQUIRE_OK(sc_law_radius(&plan.query.law, &part, &second, NULL));
    double ours = radius(&plan, 100, "1/20");
    CHECK(ours <= (double)(first + second));
    CHECK(ours >= (double)(first + second) / 2);
    sc_ratio_clear(&part);
    sc_ratio_clear(&half);
    sparse_plan_clear(&plan);
}
