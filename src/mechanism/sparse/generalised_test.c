#include "exact.h"
#include "mechanism/sparse/generalised.h"
#include "mechanism_lines.h"

#include <math.h>

TEST(generalised_takes_noise_as_it_is_given)
{
    CLAIM("generalised-sparse-vector.privacy");
    scrim_measurement *m = mechanism_model(
        "generalised-sparse-vector",
        "threshold-variance=25 query-scale=7/2 sensitivity=2 count=3 resample=yes");
    REQUIRE(m != NULL);
    const sc_sparse_plan *plan = &sc_sparse_state_of(m)->plan;
    CHECK_INT(plan->threshold.kind, SC_SPARSE_GAUSSIAN);
    CHECK_INT(plan->query.kind, SC_SPARSE_LAPLACE);
    CHECK_RATIO(&plan->threshold.law.shape, "25");
    CHECK_RATIO(&plan->query.law.shape, "7/2");
    CHECK(plan->redraws && plan->count == 3 && plan->stage_length == 0);
    CHECK(!m->cost.has_epsilon && !m->cost.has_rho);
    /* 3 (order D^2/(2 25) + 2 D/(7/2)), D = 2 */
    double upper = 0;
    REQUIRE_OK(scrim_measurement_renyi_at(m, "2", &upper, NULL));
    CHECK_NEAR(upper, 3 * (2 * 4.0 / 50 + 8.0 / 7), 1e-12);
    scrim_measurement_free(m);
}

TEST(generalised_is_charged_by_its_delta)
{
    CLAIM("generalised-sparse-vector.privacy");
    scrim_measurement *m = mechanism_model(
        "generalised-sparse-vector", "threshold-variance=400 query-variance=1600 count=5 "
                                     "length=1000 delta=1e-6");
    double upper = 0;
    sc_ball epsilon;
    REQUIRE(m != NULL);
    sc_ball_init(&epsilon);
    CHECK(m->cost.has_epsilon);
    CHECK_RATIO(&m->cost.delta, "1e-6");
    sc_ball_set_ratio(&epsilon, &m->cost.epsilon, 128);
    /* the first row of v:svt_9_12_eps is 1.1507 by the weaker conversion */
    CHECK(sc_ball_upper(&epsilon) < 1.1507 && sc_ball_upper(&epsilon) > 1);
    REQUIRE_OK(scrim_measurement_epsilon_at(m, "1e-6", &upper, NULL));
    CHECK(upper <= sc_ball_upper(&epsilon) * (1 + 1e-12));
    sc_ball_clear(&epsilon);
    scrim_measurement_free(m);
}

TEST(generalised_brings_queries_above_zero)
{
    scrim_measurement *m = mechanism_model(
        "generalised-sparse-vector",
        "threshold-variance=25 query-variance=100 threshold=10 nonnegative=yes");
    double upper = 0;
    REQUIRE(m != NULL);
    CHECK_INT(m->domain.grid.low, 0);
    CHECK_INT(sc_domain_clamp(&m->domain, -5), 0);
    CHECK_INT(sc_domain_clamp(&m->domain, 5), 5);
    /* at most what g = 2 gives: (2 a - 1)/(2 25) + 2 a/100 + ln(308.26)/(2 (a-1)) */
    REQUIRE_OK(scrim_measurement_renyi_at(m, "3", &upper, NULL));
    CHECK(upper <= 5.0 / 50 + 6.0 / 100 + log(308.2626888195452) / 4 + 1e-12);
    scrim_measurement_free(m);
}

TEST(generalised_refuses_what_is_outside_its_domain)
{
    static const struct {
        const char *line;
        scrim_status status;
    } list[] = {
        {"", SCRIM_E_PARAM},
        {"threshold-scale=1", SCRIM_E_PARAM},
        {"threshold-scale=1 threshold-variance=1 query-scale=1", SCRIM_E_PARAM},
        {"threshold-scale=1 query-scale=1", SCRIM_OK},
        {"threshold-scale=1 query-scale=0", SCRIM_E_PARAM},
        {"threshold-scale=1 query-scale=2^61", SCRIM_E_LIMIT},
        {"threshold-variance=2^121 query-scale=1", SCRIM_E_LIMIT},
        {"threshold-variance=1 query-scale=1", SCRIM_OK},
        /* Gaussian queries need a length, whatever the threshold has */
        {"threshold-scale=1 query-variance=1", SCRIM_E_PARAM},
        {"threshold-scale=1 query-variance=1 length=10", SCRIM_OK},
        {"threshold-scale=1 query-variance=100 nonnegative=yes", SCRIM_E_PARAM},
        {"threshold-variance=1 query-variance=100", SCRIM_E_PARAM},
        {"threshold-variance=1 query-variance=100 nonnegative=yes", SCRIM_OK},
        {"threshold-variance=1 query-variance=1 nonnegative=yes", SCRIM_E_PARAM},
        {"threshold-variance=25 query-variance=100 nonnegative=yes count=4",
         SCRIM_E_PARAM},
        {"threshold-variance=25 query-variance=100 nonnegative=yes count=3", SCRIM_OK},
        {"threshold-variance=25 query-variance=100 nonnegative=yes count=4 resample=yes",
         SCRIM_OK},
        {"threshold-variance=1 query-variance=100 nonnegative=yes threshold=-1",
         SCRIM_E_PARAM},
        {"threshold-scale=1 query-variance=1 length=0", SCRIM_E_PARAM},
        {"threshold-scale=1 query-variance=1 length=2^41", SCRIM_E_LIMIT},
        {"threshold-scale=1 query-scale=1 delta=1", SCRIM_E_PARAM},
        {"threshold-scale=1 query-scale=1 epsilon=1", SCRIM_E_PARAM},
        {"threshold-scale=1 query-scale=1 numeric=yes", SCRIM_E_PARAM},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        mechanism_check_status("generalised-sparse-vector", list[i].line, list[i].status);
}

SLOW_TEST(generalised_certifies_its_radius)
{
    CLAIM("generalised-sparse-vector.accuracy");
    scrim_measurement *m =
        mechanism_model("generalised-sparse-vector",
                        "threshold-variance=25 query-variance=100 length=100");
    scrim_certificate near, far;
    REQUIRE(m != NULL);
    REQUIRE_OK(scrim_measurement_certify(m, "0.95", 100, &near, NULL));
    CHECK_INT(near.form, SCRIM_CERTIFICATE_PAC);
    /* no more than a hundred queries are answered */
    REQUIRE_OK(scrim_measurement_certify(m, "0.95", 1000000, &far, NULL));
    CHECK_STR(near.radius, far.radius);
    scrim_measurement_free(m);
}

TEST(generalised_survives_a_lack_of_memory)
{
    mechanism_check_faults("generalised-sparse-vector threshold-variance=4 "
                           "query-variance=9 length=10 sensitivity=1 threshold=0 "
                           "neighbours=add-remove delta=1e-3");
}
