#include "balls.h"
#include "distance/flexible.h"
#include "exact.h"
#include "mass_lists.h"
#include "sampling/law.h"

#define BITS 200

/* Masses in 64ths: exact as balls. */
static void make_law(const char *text, sc_outcomes *out)
{
    sc_masses masses;
    sc_ball mass;
    mass_list(text, &masses);
    CHECK_INT(masses.total, 64);
    sc_outcomes_init(out, 1);
    sc_ball_init(&mass);
    for (size_t i = 0; i < masses.count; i++) {
        sc_ball_set_int64(&mass, (int64_t)masses.list[i].mass);
        sc_ball_mul_power2(&mass, &mass, -6);
        CHECK_STATUS(sc_outcomes_add(out, &masses.list[i].place, &mass, NULL), SCRIM_OK);
    }
    sc_ball_clear(&mass);
    sc_masses_clear(&masses);
}

static void evaluate(const char *law_text, const char *reachable_text, const char *gamma,
                     sc_evaluation *out)
{
    sc_outcomes law;
    sc_masses reachable;
    sc_ratio loss;
    make_law(law_text, &law);
    mass_list(reachable_text, &reachable);
    exact_ratio(gamma, &loss);
    CHECK_STATUS(sc_evaluate(&law, &reachable, &loss, NULL, BITS, out, NULL), SCRIM_OK);
    CHECK_INT(out->beta.value, out->beta_lower.value);
    sc_ratio_clear(&loss);
    sc_masses_clear(&reachable);
    sc_outcomes_clear(&law);
}

/* The quantile of err is the lossy distance from the point that is reached; more points that can be
 * reached bring it down. */
TEST(flexible_evaluation_is_a_quantile_of_the_error)
{
    CLAIM("flexible-evaluation.quantile");
    static const char law[] = "3:8 4:16 5:16 6:16 9:8";
    static const struct {
        const char *gamma;
        uint64_t beta;
    } one[] = {{"0", 4}, {"0.1249999", 4}, {"1/8", 2}, {"1/4", 1}, {"3/4", 0}, {"1", 0}};
    sc_evaluation found;
    sc_ratio mean;
    sc_evaluation_init(&found);
    for (size_t i = 0; i < COUNT(one); i++) {
        evaluate(law, "5:1", one[i].gamma, &found);
        CHECK_INT(found.beta.value, one[i].beta);
        CHECK(!found.beta.is_infinite);
    }
    exact_ratio("5/4", &mean);
    CHECK(ball_contains_ratio(&found.mean, &mean));
    CHECK(sc_ball_is_accurate(&found.mean, 150));
    evaluate(law, "3:1 5:1 8:1", "0", &found);
    CHECK_INT(found.beta.value, 1);
    /* The nearest may lie on either side. */
    evaluate(law, "3:1 8:1", "0", &found);
    CHECK_INT(found.beta.value, 2);
    evaluate(law, "3:1 5:1 8:1", "0", &found);
    sc_ratio_clear(&mean);
    exact_ratio("5/8", &mean);
    CHECK(ball_contains_ratio(&found.mean, &mean));
    sc_ratio_clear(&mean);
    sc_evaluation_clear(&found);
}

/* Discrete Laplace noise, of which a stretch is listed and a tail is not. */
TEST(flexible_evaluation_counts_a_tail_as_off)
{
    CLAIM("flexible-evaluation.quantile");
    sc_law noise;
    sc_ratio scale, gamma;
    sc_outcomes law;
    sc_masses reachable;
    sc_evaluation found;
    sc_ball mass;
    sc_int128 radius = 0;
    exact_ratio("3", &scale);
    exact_ratio("1/20", &gamma);
    sc_law_init(&noise, &sc_discrete_laplace_law, &scale, 0);
    sc_outcomes_init(&law, 1);
    sc_ball_init(&mass);
    for (int64_t k = -30; k <= 30; k++) {
        sc_law_pmf(&noise, k, BITS, &mass);
        const int64_t key = 100 + k;
        CHECK_STATUS(sc_outcomes_add(&law, &key, &mass, NULL), SCRIM_OK);
    }
    sc_law_at_least(&noise, 31, BITS, &mass);
    sc_ball_mul_power2(&law.rest, &mass, 1);
    mass_list("100:1", &reachable);
    sc_evaluation_init(&found);
    CHECK_STATUS(sc_evaluate(&law, &reachable, &gamma, NULL, BITS, &found, NULL),
                 SCRIM_OK);
    CHECK_STATUS(sc_law_radius(&noise, &gamma, &radius, NULL), SCRIM_OK);
    CHECK_INT(found.beta.value, radius);
    CHECK(!sc_ball_is_finite(&found.mean));
    sc_ratio_clear(&gamma);
    exact_ratio("1e-9", &gamma);
    CHECK_STATUS(sc_evaluate(&law, &reachable, &gamma, NULL, BITS, &found, NULL),
                 SCRIM_OK);
    CHECK(found.beta.is_infinite);
    CHECK(!found.beta_lower.is_infinite);
    CHECK_INT(found.beta_lower.value, 30);
    sc_ratio_clear(&gamma);
    exact_ratio("-1/2", &gamma);
    CHECK_STATUS(sc_evaluate(&law, &reachable, &gamma, NULL, BITS, &found, NULL),
                 SCRIM_E_PARAM);
    sc_evaluation_clear(&found);
    sc_masses_clear(&reachable);
    sc_ball_clear(&mass);
    sc_outcomes_clear(&law);
    sc_law_clear(&noise);
    sc_ratio_clear(&gamma);
    sc_ratio_clear(&scale);
}
