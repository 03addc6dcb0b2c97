#include "exact.h"
#include "mechanism/sparse/sparse_measurement.h"
#include "mechanism/sparse/sparse_vector.h"
#include "mechanism_lines.h"
#include "tape_release.h"
#include "vectors.h"

#include <math.h>
#include <stdlib.h>

/* factor D / scale: the part of epsilon that a noise costs. */
static void part_of(const sc_sparse_noise *noise, int64_t factor, sc_ratio *out)
{
    sc_ratio_set_int64(out, factor);
    sc_ratio_div(out, out, &noise->law.shape);
}

TEST(sparse_vector_with_one_threshold_spends_epsilon_exactly)
{
    CLAIM("sparse-vector.privacy");
    static const struct {
        const char *line;
        int64_t query, value; /* 2 c D or c D, and c D */
    } list[] = {
        {"epsilon=1 count=1", 2, 0},
        {"epsilon=1/3 count=5 sensitivity=2", 20, 0},
        {"epsilon=1/3 count=5 sensitivity=2 monotone=yes", 10, 0},
        {"epsilon=0.7 count=10 form=a numeric=yes", 20, 10},
        {"epsilon=0.7 count=10 numeric=yes monotone=yes", 10, 10},
        {"epsilon=1e-6 count=1000 numeric=yes sensitivity=1/2", 2000, 1000},
    };
    sc_ratio sum, part;
    sc_ratio_init(&sum);
    sc_ratio_init(&part);
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        scrim_measurement *m = mechanism_model("sparse-vector", list[i].line);
        if (m == NULL)
            continue;
        const sc_sparse_state *s = sc_sparse_state_of(m);
        part_of(&s->plan.threshold, (int64_t)s->sensitivity, &sum);
        part_of(&s->plan.query, list[i].query, &part);
        sc_ratio_add(&sum, &sum, &part);
        CHECK_INT(s->plan.is_numeric, list[i].value != 0);
        if (s->plan.is_numeric) {
            part_of(&s->plan.value, list[i].value, &part);
            sc_ratio_add(&sum, &sum, &part);
        }
        CHECK(sc_ratio_compare(&sum, sc_measurement_get(m, "epsilon")) == 0);
        CHECK(sc_ratio_compare(&m->cost.epsilon, &sum) == 0);
        CHECK(!s->plan.redraws);
        scrim_measurement_free(m);
    }
    sc_ratio_clear(&part);
    sc_ratio_clear(&sum);
}

TEST(sparse_vector_of_many_thresholds_is_as_many_runs)
{
    CLAIM("sparse-vector.privacy");
    scrim_measurement *m =
        mechanism_model("sparse-vector", "epsilon=1 count=2 form=b sensitivity=3");
    REQUIRE(m != NULL);
    const sc_sparse_state *s = sc_sparse_state_of(m);
    CHECK_RATIO(&s->plan.threshold.law.shape, "12"); /* 2cD/epsilon */
    CHECK_RATIO(&s->plan.query.law.shape, "24");
    CHECK(s->plan.redraws);
    CHECK_RATIO(&m->cost.epsilon, "1");
    scrim_measurement_free(m);
    m = mechanism_model("sparse-vector", "epsilon=1 count=2 form=b monotone=yes");
    REQUIRE(m != NULL);
    CHECK_RATIO(&sc_sparse_state_of(m)->plan.query.law.shape, "4");
    scrim_measurement_free(m);
    /* values take a third of the budget of a run when monotone */
    m = mechanism_model("sparse-vector",
                        "epsilon=1 count=2 form=b monotone=yes numeric=yes");
    REQUIRE(m != NULL);
    s = sc_sparse_state_of(m);
    CHECK_NEAR(sc_ratio_compare_int64(&s->plan.value.law.shape, 6) >= 0 ? 6 : 0, 6, 0);
    scrim_measurement_free(m);
}

TEST(sparse_vector_with_a_delta_composes_its_runs)
{
    CLAIM("sparse-vector.privacy");
    scrim_measurement *m =
        mechanism_model("sparse-vector", "epsilon=1 delta=1e-6 count=100 form=b");
    sc_ball value;
    double upper = 0;
    REQUIRE(m != NULL);
    sc_ball_init(&value);
    const sc_sparse_state *s = sc_sparse_state_of(m);
    sc_ball_set_ratio(&value, &s->run_epsilon, 128);
    CHECK_NEAR(sc_ball_upper(&value), 0.024011080397159819, 1e-12);
    CHECK_RATIO(&m->cost.epsilon, "1");
    CHECK_RATIO(&m->cost.delta, "1e-6");
    CHECK(m->cost.has_rho);
    sc_ball_set_ratio(&value, &m->cost.rho, 128);
    CHECK_NEAR(sc_ball_upper(&value), 50 * pow(0.024011080397159819, 2), 1e-12);
    /* the curve is that of the composition, at every epsilon */
    REQUIRE_OK(scrim_measurement_delta_at(m, "1", &upper, NULL));
    CHECK(upper <= 1.0000000001e-6 && upper > 0.9999e-6);
    REQUIRE_OK(scrim_measurement_delta_at(m, "1/2", &upper, NULL));
    CHECK(upper > 1e-6 && upper < 0.1);
    REQUIRE_OK(scrim_measurement_delta_at(m, "2.4011080397159819", &upper, NULL));
    CHECK(upper < 1e-30);
    sc_ball_clear(&value);
    scrim_measurement_free(m);
}

TEST(sparse_vector_refuses_what_is_outside_its_domain)
{
    static const struct {
        const char *line;
        scrim_status status;
    } list[] = {
        {"epsilon=1", SCRIM_E_PARAM}, /* without a count */
        {"epsilon=1 count=0", SCRIM_E_PARAM},
        {"epsilon=1 count=3/2", SCRIM_E_PARAM},
        {"epsilon=1 count=2^20", SCRIM_OK},
        {"epsilon=1 count=1048577", SCRIM_E_LIMIT},
        {"epsilon=1 count=2 form=c", SCRIM_E_PARAM},
        {"epsilon=1 count=2 delta=1e-6", SCRIM_E_PARAM},
        {"epsilon=1 count=2 form=b delta=1e-6", SCRIM_OK},
        {"epsilon=1 count=2 form=b delta=0", SCRIM_E_PARAM},
        {"epsilon=1 count=2 form=b delta=1", SCRIM_E_PARAM},
        {"epsilon=1 count=2 form=b delta=2^-901", SCRIM_E_LIMIT},
        {"epsilon=1 count=4097 form=b delta=1e-6", SCRIM_E_LIMIT},
        {"epsilon=1 count=2 monotone=yes neighbours=replace", SCRIM_E_PARAM},
        {"epsilon=2^-50 count=2^20", SCRIM_E_LIMIT},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        mechanism_check_status("sparse-vector", list[i].line, list[i].status);
}

TEST(sparse_vector_survives_a_lack_of_memory)
{
    mechanism_check_faults("sparse-vector epsilon=1 sensitivity=2 threshold=3 count=3 "
                           "numeric=yes neighbours=replace");
    mechanism_check_faults("sparse-vector epsilon=1 sensitivity=2 threshold=3 count=3 "
                           "form=b delta=1e-3 numeric=yes neighbours=add-remove");
}

/* The survey's NumericSparse: its answers alone cost more than it says. Ours do not. */
TEST(sparse_vector_values_cost_what_they_are_charged)
{
    CLAIM("sparse-vector.privacy");
    const json_t *given = vectors_load("mechanisms", "numeric_sparse_errata");
    const json_t *row = json_object_get(given, "missing_eps");
    /* 8/9 for the comparisons and 29/2 for an answer, where 1/9 was meant */
    CHECK_NEAR(
        8.0 / 9 + 29.0 / 2,
        strtod(json_string_value(json_object_get(given, "printed_total_eps_multiplier")),
               NULL),
        1e-12);
    const double scale =
        strtod(json_string_value(json_object_get(row, "answer_scale")), NULL);
    const double loss =
        strtod(json_string_value(json_object_get(row, "answer_loss")), NULL);
    CHECK_NEAR(1 / scale, loss, 1e-12);
    CHECK_NEAR(
        -expm1((0.001 - loss) / 2),
        strtod(json_string_value(json_object_get(row, "answer_delta_at_eps")), NULL),
        1e-12);
    CHECK(loss > 0.001);
    scrim_measurement *m = mechanism_model(
        "sparse-vector", "epsilon=0.001 delta=1e-6 count=1 form=b numeric=yes");
    REQUIRE(m != NULL);
    CHECK(sc_ratio_compare_int64(&sc_sparse_state_of(m)->plan.value.law.shape, 1000) > 0);
    scrim_measurement_free(m);
}

/* The noise of a value is that of its own law; the query is far above, so that it is shown. */
TEST(sparse_vector_values_stay_within_their_radius)
{
    CLAIM("sparse.value");
    const int draws = (int)check_count(2000, 100000);
    scrim_measurement *m = NULL;
    scrim_certificate certificate;
    sc_tape *tape;
    REQUIRE_OK(
        scrim_measurement_parse("sparse-vector epsilon=1 sensitivity=1 threshold=0 "
                                "count=1 numeric=yes neighbours=replace",
                                &m, NULL));
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    REQUIRE_OK(scrim_measurement_certify(m, "0.95", 1, &certificate, NULL));
    CHECK_INT(certificate.form, SCRIM_CERTIFICATE_PAC);
    const int64_t radius = strtoll(certificate.value_radius, NULL, 10);
    CHECK(radius > 0 && radius < strtoll(certificate.radius, NULL, 10));
    /* the smallest t with P(|Z| > t) = 2 q^(t+1) / (1 + q) at most 0.05 */
    sc_ball view;
    sc_ball_init(&view);
    sc_ball_set_ratio(&view, &sc_sparse_state_of(m)->plan.value.law.shape, 64);
    const double q = exp(-1 / sc_ball_lower(&view));
    sc_ball_clear(&view);
    CHECK(2 * pow(q, (double)radius + 1) / (1 + q) <= 0.05);
    CHECK(2 * pow(q, (double)radius) / (1 + q) > 0.05);
    int outside = 0;
    for (int i = 0; i < draws; i++) {
        const int64_t query = 1 << 20;
        scrim_answer *answer = NULL;
        int64_t shown = 0;
        REQUIRE_OK(tape_release(m, &(scrim_input){.integers = &query, .count = 1}, tape,
                                &answer, NULL, NULL));
        REQUIRE(scrim_answer_kind_at(answer, 0) == SCRIM_ANSWER_ABOVE_VALUE &&
                scrim_answer_integer(answer, 0, &shown));
        outside += llabs(shown - query) > radius;
        char low[SCRIM_ANSWER_BYTES], high[SCRIM_ANSWER_BYTES];
        if (i == 0) {
            REQUIRE_OK(scrim_answer_interval(answer, 0, &certificate, low, high, NULL));
            CHECK_INT(strtoll(low, NULL, 10), shown - radius);
            CHECK_INT(strtoll(high, NULL, 10), shown + radius);
        }
        scrim_answer_free(answer);
    }
    /* five standard deviations: one false alarm in a million seeds */
    CHECK(outside <= 0.05 * draws + 5 * sqrt(0.05 * 0.95 * draws));
    sc_tape_free(tape);
    scrim_measurement_free(m);
    m = mechanism_model("sparse-vector", "epsilon=1 count=1");
    REQUIRE(m != NULL);
    REQUIRE_OK(scrim_measurement_certify(m, "0.95", 1, &certificate, NULL));
    CHECK_STR(certificate.value_radius, "");
    scrim_measurement_free(m);
}
