#include "exact.h"
#include "mechanism/sparse/sparse_measurement.h"
#include "mechanism/sparse/stagewise.h"
#include "mechanism_lines.h"

#include <math.h>

TEST(stagewise_sums_its_stages)
{
    CLAIM("stagewise-sparse-vector.privacy");
    scrim_measurement *m = mechanism_model(
        "stagewise-sparse-vector", "threshold-variance=16 query-variance=64 count=5 "
                                   "stage=2 stage-length=10");
    double upper = 0;
    REQUIRE(m != NULL);
    const sc_sparse_plan *plan = &sc_sparse_state_of(m)->plan;
    CHECK_INT((int)sc_sparse_stages(plan), 3);
    CHECK_INT((int)plan->stage_length, 10);
    CHECK(!m->cost.has_epsilon);
    /* at order 3: two stages of two answers and one of one */
    const double r = 3.0 / 32, v = 3 * 4.0 / 128;
    REQUIRE_OK(scrim_measurement_renyi_at(m, "3", &upper, NULL));
    CHECK_NEAR(upper, 2 * (r + 2 * v + log(1 + 10 + 45) / 2) + (r + v + log(1 + 10) / 2),
               1e-12);
    scrim_measurement_free(m);
    /* a stage that redraws is as many thresholds */
    m = mechanism_model("stagewise-sparse-vector",
                        "threshold-variance=16 query-variance=64 count=5 stage=2 "
                        "stage-length=10 resample=yes");
    REQUIRE(m != NULL);
    REQUIRE_OK(scrim_measurement_renyi_at(m, "3", &upper, NULL));
    CHECK_NEAR(upper, 5 * (r + v + log(1 + 10) / 2), 1e-12);
    scrim_measurement_free(m);
}

TEST(stagewise_is_charged_the_better_of_two_ways)
{
    CLAIM("stagewise-sparse-vector.privacy");
    /* the rows of v:svt_stagewise: by stages, by orders */
    static const struct {
        const char *line;
        double least;
    } list[] = {{"threshold-variance=160000 query-variance=640000 count=100 stage=2 "
                 "stage-length=1000 delta=1.5e-6",
                 1.12094154856267051},
                {"threshold-variance=1e6 query-variance=4e6 count=500 stage=5 "
                 "stage-length=100 delta=1.01e-6",
                 1.19390650189811709}};
    for (size_t i = 0; i < 2; i++) {
        scrim_measurement *m = mechanism_model("stagewise-sparse-vector", list[i].line);
        sc_ball epsilon;
        sc_ball_init(&epsilon);
        REQUIRE(m != NULL);
        CHECK(m->cost.has_epsilon);
        sc_ball_set_ratio(&epsilon, &m->cost.epsilon, 128);
        CHECK(sc_ball_upper(&epsilon) < list[i].least);
        CHECK(sc_ball_upper(&epsilon) > list[i].least * 0.6);
        sc_ball_clear(&epsilon);
        scrim_measurement_free(m);
    }
}

TEST(stagewise_refuses_what_is_outside_its_domain)
{
    static const struct {
        const char *line;
        scrim_status status;
    } list[] = {
        {"threshold-scale=1 query-scale=1 count=4", SCRIM_E_PARAM},
        {"threshold-scale=1 query-scale=1 stage=4", SCRIM_E_PARAM},
        {"threshold-scale=1 query-scale=1 count=4 stage=5", SCRIM_E_PARAM},
        {"threshold-scale=1 query-scale=1 count=4 stage=4", SCRIM_OK},
        {"threshold-scale=1 query-scale=1 count=4 stage=0", SCRIM_E_PARAM},
        {"threshold-variance=1 query-variance=1 count=4 stage=2", SCRIM_E_PARAM},
        {"threshold-variance=1 query-variance=1 count=4 stage=2 stage-length=9",
         SCRIM_OK},
        {"threshold-scale=1 query-scale=1 count=4 stage=2 length=9", SCRIM_E_PARAM},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        mechanism_check_status("stagewise-sparse-vector", list[i].line, list[i].status);
}

TEST(stagewise_certifies_its_radius)
{
    CLAIM("stagewise-sparse-vector.accuracy");
    scrim_measurement *one =
        mechanism_model("generalised-sparse-vector",
                        "threshold-variance=16 query-variance=64 count=6 length=100");
    scrim_measurement *three = mechanism_model(
        "stagewise-sparse-vector",
        "threshold-variance=16 query-variance=64 count=6 stage=2 stage-length=100");
    scrim_certificate alone, together;
    REQUIRE(one != NULL && three != NULL);
    REQUIRE_OK(scrim_measurement_certify(one, "0.99", 50, &alone, NULL));
    REQUIRE_OK(scrim_measurement_certify(three, "0.99", 50, &together, NULL));
    /* three thresholds go farther than one */
    CHECK(strtod(together.radius, NULL) > strtod(alone.radius, NULL));
    scrim_measurement_free(three);
    scrim_measurement_free(one);
}

TEST(stagewise_survives_a_lack_of_memory)
{
    mechanism_check_faults("stagewise-sparse-vector threshold-scale=4 query-scale=9 "
                           "count=3 stage=2 sensitivity=1 threshold=0 "
                           "neighbours=add-remove");
}
