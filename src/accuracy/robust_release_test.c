#include "accuracy/robust_release.h"
#include "balls.h"
#include "exact.h"
#include "mass_lists.h"
#include "vectors.h"

#include <string.h>

static const char *member(const json_t *entry, const char *name)
{
    return json_string_value(json_object_get(entry, name));
}

/* Printed to so many digits that a ball of 256 bits is held against them. */
TEST(robust_release_meets_the_vectors)
{
    CLAIM("robust.mean");
    CLAIM("robust.radius");
    size_t index;
    json_t *entry;
    sc_ratio one, gamma;
    sc_ball ball;
    exact_ratio("1", &one);
    sc_ball_init(&ball);
    json_array_foreach(vectors_load("flexible-accuracy", "m_rob_beta"), index, entry)
    {
        const char *radius = member(entry, "beta_infinity_over_b");
        exact_ratio(member(entry, "gamma"), &gamma);
        CHECK_STATUS(sc_robust_mean(&one, &gamma, EXACT_BITS, &ball, NULL), SCRIM_OK);
        CHECK_PRINTED(&ball, member(entry, "beta_tight_over_b"));
        CHECK_STATUS(sc_robust_radius(&one, &gamma, EXACT_BITS, &ball, NULL), SCRIM_OK);
        if (strcmp(radius, "inf") == 0)
            CHECK(!sc_ball_is_finite(&ball));
        else
            CHECK_PRINTED(&ball, radius);
        sc_ratio_clear(&gamma);
    }
    CHECK_INT(index, 13);
    exact_ratio("1.1", &gamma);
    CHECK_STATUS(sc_robust_mean(&one, &gamma, EXACT_BITS, &ball, NULL), SCRIM_E_PARAM);
    CHECK_STATUS(sc_robust_radius(&one, &gamma, EXACT_BITS, &ball, NULL), SCRIM_E_PARAM);
    sc_ratio_clear(&gamma);
    sc_ball_clear(&ball);
    sc_ratio_clear(&one);
}

TEST(robust_release_of_outputs_meets_the_vectors)
{
    CLAIM("robust.output");
    size_t index;
    json_t *entry;
    sc_ball ball;
    sc_ball_init(&ball);
    json_array_foreach(vectors_load("flexible-accuracy", "output_robustness_bounds"),
                       index, entry)
    {
        sc_ratio epsilon;
        exact_ratio(member(entry, "eps"), &epsilon);
        sc_robust_output_epsilon(&epsilon, EXACT_BITS, &ball);
        CHECK_PRINTED(&ball, member(entry, "upper_2acosh_e_half_eps"));
        sc_robust_output_lower(&epsilon, EXACT_BITS, &ball);
        CHECK_PRINTED(&ball, member(entry, "lower_acosh_e_eps"));
        sc_ratio_clear(&epsilon);
    }
    CHECK_INT(index, 5);
    sc_ball_clear(&ball);
}

/* ln cosh 1, which is where the outputs of the counterexample are. */
static void log_cosh_one(sc_ball *out)
{
    sc_ball e;
    sc_ball_init(&e);
    sc_ball_set_int64(&e, 1);
    sc_ball_exp(out, &e, EXACT_BITS);
    sc_ball_set_int64(&e, -1);
    sc_ball_exp(&e, &e, EXACT_BITS);
    sc_ball_add(out, out, &e, EXACT_BITS);
    sc_ball_mul_power2(out, out, -1);
    sc_ball_log(out, out, EXACT_BITS);
    sc_ball_clear(&e);
}

/* E23: inputs 0 and -1 or 1, noise of scale 1. With p the density of Lap(1) and p' its mixture, the
 * hockey stick at e^c, c = ln cosh 1, is that of the interval where p > e^c p', which ends at t with
 * e^-t = e^c (e^(t-1) + e^(-t-1)) / 2 for 0 < t < 1: then e^(2t) = 2 e^(1-c) - 1. Its mass under p is
 * 1 - e^-t, under p' it is (1/2)(e^(t-1) - e^(-t-1)). */
TEST(robust_release_of_outputs_is_not_what_was_claimed)
{
    CLAIM("robust.output");
    const json_t *printed = json_object_get(vectors_load("flexible-accuracy", "errata"),
                                            "000_lemma1_counterexample");
    sc_ball c, t, p, q, one;
    sc_ball_init(&c);
    sc_ball_init(&t);
    sc_ball_init(&p);
    sc_ball_init(&q);
    sc_ball_init(&one);
    log_cosh_one(&c);
    CHECK_PRINTED(&c, member(printed, "eps"));
    CHECK_PRINTED(&c, member(printed, "W_inf_outputs"));
    /* t */
    sc_ball_neg(&t, &c);
    sc_ball_add_int64(&t, &t, 1, EXACT_BITS);
    sc_ball_exp(&t, &t, EXACT_BITS);
    sc_ball_mul_power2(&t, &t, 1);
    sc_ball_add_int64(&t, &t, -1, EXACT_BITS);
    sc_ball_log(&t, &t, EXACT_BITS);
    sc_ball_mul_power2(&t, &t, -1);
    sc_ball_set_int64(&one, 1);
    CHECK(sc_ball_is_positive(&t) && sc_ball_is_less(&t, &one));
    /* 1 - e^-t */
    sc_ball_neg(&p, &t);
    sc_ball_expm1(&p, &p, EXACT_BITS);
    sc_ball_neg(&p, &p);
    /* (e^(t-1) - e^(-t-1)) / 2 = e^-1 sinh(t) */
    sc_ball_sinh(&q, &t, EXACT_BITS);
    sc_ball_neg(&one, &one);
    sc_ball_exp(&one, &one, EXACT_BITS);
    sc_ball_mul(&q, &q, &one, EXACT_BITS);
    sc_ball_exp(&c, &c, EXACT_BITS);
    sc_ball_mul(&q, &q, &c, EXACT_BITS);
    sc_ball_sub(&p, &p, &q, EXACT_BITS);
    CHECK_PRINTED(&p, member(printed, "delta_true"));
    CHECK(sc_ball_is_positive(&p));
    CHECK_STR(member(printed, "delta_claimed"), "0");
    sc_ball_clear(&one);
    sc_ball_clear(&q);
    sc_ball_clear(&p);
    sc_ball_clear(&t);
    sc_ball_clear(&c);
}

/* Against the law itself, place by place. */
TEST(robust_release_on_a_grid_is_that_of_the_law)
{
    CLAIM("robust.grid");
    static const struct {
        const char *scale, *gamma;
    } list[] = {
        {"3", "1/20"}, {"10", "1/1000"}, {"1/2", "1/10"}, {"7/3", "0.9"}, {"5", "0.999"}};
    for (size_t i = 0; i < COUNT(list); i++) {
        sc_ratio scale, gamma;
        sc_law law;
        sc_ball mean, sum, mass, kept;
        sc_int128 radius = -1;
        exact_ratio(list[i].scale, &scale);
        exact_ratio(list[i].gamma, &gamma);
        sc_law_init(&law, &sc_discrete_laplace_law, &scale, 0);
        sc_ball_init(&mean);
        sc_ball_init(&sum);
        sc_ball_init(&mass);
        sc_ball_init(&kept);
        CHECK_STATUS(sc_robust_grid(&scale, &gamma, EXACT_BITS, &radius, &mean, NULL),
                     SCRIM_OK);
        /* The nearest 1 - gamma: whole places within the radius, and a part of those at it. */
        sc_ball_set_ratio(&kept, &gamma, EXACT_BITS);
        sc_ball_neg(&kept, &kept);
        sc_ball_add_int64(&kept, &kept, 1, EXACT_BITS);
        for (sc_int128 k = 0; k < radius; k++) {
            sc_law_pmf(&law, k, EXACT_BITS, &mass);
            sc_ball_mul_power2(&mass, &mass, k == 0 ? 0 : 1);
            sc_ball_sub(&kept, &kept, &mass, EXACT_BITS);
            sc_ball_mul_int64(&mass, &mass, (int64_t)k, EXACT_BITS);
            sc_ball_add(&sum, &sum, &mass, EXACT_BITS);
        }
        sc_ball_mul_int64(&kept, &kept, (int64_t)radius, EXACT_BITS);
        sc_ball_add(&sum, &sum, &kept, EXACT_BITS);
        CHECK_SAME(&mean, &sum, 150);
        sc_ball_clear(&kept);
        sc_ball_clear(&mass);
        sc_ball_clear(&sum);
        sc_ball_clear(&mean);
        sc_law_clear(&law);
        sc_ratio_clear(&gamma);
        sc_ratio_clear(&scale);
    }
}

/* The discrete noise approaches the continuous one as the grid gets finer. */
TEST(robust_release_on_a_fine_grid_is_nearly_continuous)
{
    CLAIM("robust.mean");
    CLAIM("robust.grid");
    sc_ratio scale, gamma;
    sc_ball mean, continuous, slack;
    sc_int128 radius = 0;
    exact_ratio("100000", &scale);
    exact_ratio("1/20", &gamma);
    sc_ball_init(&mean);
    sc_ball_init(&continuous);
    sc_ball_init(&slack);
    CHECK_STATUS(sc_robust_grid(&scale, &gamma, EXACT_BITS, &radius, &mean, NULL),
                 SCRIM_OK);
    CHECK_STATUS(sc_robust_mean(&scale, &gamma, EXACT_BITS, &continuous, NULL), SCRIM_OK);
    sc_ball_set_int64(&slack, 1);
    sc_ball_widen(&continuous, &slack);
    CHECK(ball_overlaps(&mean, &continuous));
    sc_ball_clear(&slack);
    sc_ball_clear(&continuous);
    sc_ball_clear(&mean);
    sc_ratio_clear(&gamma);
    sc_ratio_clear(&scale);
}

TEST(theta_sensitivity_is_the_largest_distance_of_neighbours)
{
    CLAIM("robust.theta");
    sc_masses laws[3];
    static const sc_law_indices pairs[] = {{0, 1}, {1, 2}};
    sc_ratio theta;
    sc_span found;
    mass_list("0:9 40:1", &laws[0]);
    mass_list("1:9 0:1", &laws[1]);
    mass_list("3:10", &laws[2]);
    exact_ratio("0", &theta);
    CHECK_STATUS(sc_theta_sensitivity(laws, pairs, 2, &theta, NULL, &found, NULL),
                 SCRIM_OK);
    CHECK_INT(found.value, 39);
    sc_ratio_clear(&theta);
    exact_ratio("1/10", &theta);
    CHECK_STATUS(sc_theta_sensitivity(laws, pairs, 2, &theta, NULL, &found, NULL),
                 SCRIM_OK);
    CHECK_INT(found.value, 2);
    CHECK_STATUS(sc_theta_sensitivity(laws, pairs, 0, &theta, NULL, &found, NULL),
                 SCRIM_OK);
    CHECK_INT(found.value, 0);
    sc_ratio_clear(&theta);
    exact_ratio("1.01", &theta);
    CHECK_STATUS(sc_theta_sensitivity(laws, pairs, 2, &theta, NULL, &found, NULL),
                 SCRIM_E_PARAM);
    sc_ratio_clear(&theta);
    for (size_t i = 0; i < 3; i++)
        sc_masses_clear(&laws[i]);
}

/* delta at epsilon of laws + discrete Laplace noise of scale s: sum of (P - e^eps Q)+, on a stretch
 * that leaves less than 2^-100. */
static void hockey_stick(const sc_masses *p, const sc_masses *q, const sc_ratio *epsilon,
                         const sc_law *noise, sc_ball *out)
{
    sc_ball ratio, mass, pp, qq, zero;
    sc_ball_init(&ratio);
    sc_ball_init(&mass);
    sc_ball_init(&pp);
    sc_ball_init(&qq);
    sc_ball_init(&zero);
    sc_ball_set_int64(out, 0);
    sc_ball_set_ratio(&ratio, epsilon, 128);
    sc_ball_exp(&ratio, &ratio, 128);
    for (int64_t z = -200; z <= 260; z++) {
        for (int side = 0; side < 2; side++) {
            const sc_masses *law = side == 0 ? p : q;
            sc_ball *sum = side == 0 ? &pp : &qq;
            sc_ball_set_int64(sum, 0);
            for (size_t i = 0; i < law->count; i++) {
                sc_law_pmf(noise, z - law->list[i].place, 128, &mass);
                sc_ball_mul_int64(&mass, &mass, (int64_t)law->list[i].mass, 128);
                sc_ball_add(sum, sum, &mass, 128);
            }
            sc_ball_div_int64(sum, sum, (int64_t)law->total, 128);
        }
        sc_ball_mul(&qq, &qq, &ratio, 128);
        sc_ball_sub(&pp, &pp, &qq, 128);
        /* What cannot be told from 0 counts by its upper end. */
        if (!sc_ball_is_less_equal(&pp, &zero)) {
            sc_ball_set_upper(&pp, &pp, 128);
            sc_ball_add(out, out, &pp, 128);
        }
    }
    sc_ball_clear(&zero);
    sc_ball_clear(&qq);
    sc_ball_clear(&pp);
    sc_ball_clear(&mass);
    sc_ball_clear(&ratio);
}

/* Two-point families, by enumeration: (epsilon, theta) holds at the theta-sensitivity, and is tight
 * where a mass of theta lies far away: there delta is the printed tight one, and not 2 e^eps theta. */
TEST(randomised_queries_keep_epsilon_and_theta)
{
    CLAIM("robust.theta");
    static const char *const families[][2] = {{"0:9 40:1", "0:10"},
                                              {"0:9 3:1", "1:5 2:5"},
                                              {"0:7 10:3", "1:9 10:1"},
                                              {"-4:1 0:8 4:1", "0:10"}};
    const json_t *printed = vectors_load("flexible-accuracy", "input_robustness");
    sc_ratio theta, epsilon, scale;
    sc_ball delta, limit, far;
    exact_ratio(member(printed, "theta"), &theta);
    exact_ratio(member(printed, "eps"), &epsilon);
    sc_ball_init(&delta);
    sc_ball_init(&limit);
    sc_ball_init(&far);
    for (size_t i = 0; i < COUNT(families); i++) {
        sc_masses laws[2];
        static const sc_law_indices pair = {0, 1};
        sc_span found = {.value = 0};
        sc_law noise;
        mass_list(families[i][0], &laws[0]);
        mass_list(families[i][1], &laws[1]);
        CHECK_STATUS(sc_theta_sensitivity(laws, &pair, 1, &theta, NULL, &found, NULL),
                     SCRIM_OK);
        /* Where it is 0 a value may be shown as it is; any noise does no harm. */
        sc_ratio_init(&scale);
        sc_ratio_set_int64(&scale, found.value == 0 ? 1 : (int64_t)found.value);
        sc_ratio_div(&scale, &scale, &epsilon);
        sc_law_init(&noise, &sc_discrete_laplace_law, &scale, 0);
        sc_ball_set_ratio(&limit, &theta, 128);
        for (int back = 0; back < 2; back++) {
            hockey_stick(&laws[back], &laws[1 - back], &epsilon, &noise, &delta);
            CHECK(sc_ball_is_less_equal(&delta, &limit));
            if (i == 0 && back == 0) {
                ball_set_text(&far, "0.0999", 128);
                CHECK(sc_ball_is_less(&far, &delta));
            }
        }
        sc_law_clear(&noise);
        sc_ratio_clear(&scale);
        sc_masses_clear(&laws[1]);
        sc_masses_clear(&laws[0]);
    }
    /* The number that was printed before: 2 e theta. */
    sc_ball_set_ratio(&far, &epsilon, EXACT_BITS);
    sc_ball_exp(&far, &far, EXACT_BITS);
    sc_ball_mul_power2(&far, &far, 1);
    sc_ball_set_ratio(&limit, &theta, EXACT_BITS);
    sc_ball_mul(&far, &far, &limit, EXACT_BITS);
    CHECK_PRINTED(&far, member(printed, "delta_paper"));
    CHECK_STR(member(printed, "delta_tight"), member(printed, "theta"));
    sc_ball_clear(&far);
    sc_ball_clear(&limit);
    sc_ball_clear(&delta);
    sc_ratio_clear(&epsilon);
    sc_ratio_clear(&theta);
}
