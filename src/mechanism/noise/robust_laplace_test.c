#include "distance/transport.h"
#include "distance/wasserstein.h"
#include "exact.h"
#include "mass_lists.h"
#include "mechanism/noise/robust_laplace.h"
#include "mechanism_lines.h"
#include "noise_checks.h"

#include <stdio.h>

TEST(robust_laplace_costs_epsilon_and_theta)
{
    CLAIM("robust-laplace.privacy");
    scrim_cost cost =
        noise_cost("robust-laplace rho=3 epsilon=1/10 theta=1/20 neighbours=replace");
    CHECK_STR(cost.epsilon, "0.1");
    CHECK_STR(cost.delta, "0.05");
    cost = noise_cost("robust-laplace rho=3 epsilon=1/10 neighbours=add-remove");
    CHECK_STR(cost.epsilon, "0.1");
    CHECK_STR(cost.delta, "0");
    CHECK_STR(cost.rho, "0.005");
    mechanism_check_status("robust-laplace", "rho=0 epsilon=1", SCRIM_E_PARAM);
    mechanism_check_status("robust-laplace", "rho=1 epsilon=0", SCRIM_E_PARAM);
    mechanism_check_status("robust-laplace", "rho=1 epsilon=1 theta=1", SCRIM_E_PARAM);
    mechanism_check_status("robust-laplace", "rho=1 epsilon=1 theta=-0.1", SCRIM_E_PARAM);
    mechanism_check_status("robust-laplace", "epsilon=1", SCRIM_E_PARAM);
    mechanism_check_status("robust-laplace", "rho=1e30 epsilon=1", SCRIM_E_LIMIT);
    mechanism_check_faults("robust-laplace rho=3 epsilon=1/10 neighbours=replace");
}

/* The scale is ceil(rho/step)/epsilon steps: what laplace of that sensitivity draws and claims. */
TEST(robust_laplace_is_laplace_of_rho_in_steps)
{
    CLAIM("robust-laplace.accuracy");
    static const char *const lines[][2] = {
        {"robust-laplace rho=3 epsilon=1/10 neighbours=replace",
         "laplace sensitivity=3 epsilon=1/10 neighbours=replace"},
        {"robust-laplace rho=2.2 epsilon=1 theta=1/9 neighbours=replace",
         "laplace sensitivity=2.2 epsilon=1 neighbours=replace"},
        {"robust-laplace rho=1/3 epsilon=2 grid=1/8 neighbours=replace",
         "laplace sensitivity=1/3 epsilon=2 grid=1/8 neighbours=replace"}};
    for (size_t i = 0; i < COUNT(lines); i++) {
        scrim_measurement *a = noise_made(lines[i][0]), *b = noise_made(lines[i][1]);
        scrim_certificate x, y;
        REQUIRE(a != NULL && b != NULL);
        CHECK_INT(sc_ratio_compare(&a->mechanism->noise(a)->shape,
                                   &b->mechanism->noise(b)->shape),
                  0);
        CHECK_STATUS(scrim_measurement_certify(a, "0.95", 1, &x, NULL), SCRIM_OK);
        CHECK_STATUS(scrim_measurement_certify(b, "0.95", 1, &y, NULL), SCRIM_OK);
        CHECK_STR(x.radius, y.radius);
        scrim_measurement_free(b);
        scrim_measurement_free(a);
    }
}

/* The law of the answer where the number is drawn from a law: a mixture of those of its values. */
static void answer_mass(const scrim_measurement *m, const sc_masses *drawn, int64_t y,
                        sc_ball *out)
{
    sc_ball mass;
    sc_ball_init(&mass);
    sc_ball_set_int64(out, 0);
    for (size_t i = 0; i < drawn->count; i++) {
        sc_law_pmf(m->mechanism->noise(m), y - drawn->list[i].place, 128, &mass);
        sc_ball_mul_int64(&mass, &mass, (int64_t)drawn->list[i].mass, 128);
        sc_ball_add(out, out, &mass, 128);
    }
    sc_ball_div_int64(out, out, (int64_t)drawn->total, 128);
    sc_ball_clear(&mass);
}

/* At most sum (P - e^epsilon Q)+ of drawn numbers, over a stretch that leaves next to nothing. */
static double hockey_stick(const scrim_measurement *m, const sc_masses *p,
                           const sc_masses *q, const sc_ratio *epsilon)
{
    sc_ball a, b, factor, sum, none;
    sc_ball_init(&a);
    sc_ball_init(&b);
    sc_ball_init(&factor);
    sc_ball_init(&sum);
    sc_ball_init(&none);
    sc_ball_set_ratio(&factor, epsilon, 128);
    sc_ball_exp(&factor, &factor, 128);
    for (int64_t y = -150; y <= 200; y++) {
        answer_mass(m, p, y, &a);
        answer_mass(m, q, y, &b);
        sc_ball_mul(&b, &b, &factor, 128);
        sc_ball_sub(&a, &a, &b, 128);
        if (!sc_ball_is_less_equal(&a, &none)) {
            sc_ball_set_upper(&a, &a, 128);
            sc_ball_add(&sum, &sum, &a, 128);
        }
    }
    const double upper = sc_ball_upper(&sum);
    sc_ball_clear(&none);
    sc_ball_clear(&sum);
    sc_ball_clear(&factor);
    sc_ball_clear(&b);
    sc_ball_clear(&a);
    return upper;
}

/* Their distance at a loss of theta, in steps. */
static uint64_t theta_sensitivity(const sc_masses laws[2], const sc_ratio *theta)
{
    sc_transport t;
    sc_distance span = {.is_infinite = true};
    CHECK_STATUS(sc_transport_init_laws(&t, &laws[0], &laws[1], theta, NULL), SCRIM_OK);
    CHECK_STATUS(sc_wasserstein_radius(&t, NULL, &span, NULL), SCRIM_OK);
    CHECK(!span.is_infinite);
    sc_transport_clear(&t);
    return (uint64_t)span.value;
}

/* Drawn numbers with a theta-sensitivity of rho: the claim holds for each pair of laws, both ways,
 * and for the first of them with next to nothing to spare. */
TEST(robust_laplace_keeps_its_claim_for_drawn_numbers)
{
    CLAIM("robust-laplace.privacy");
    sc_ratio theta, epsilon;
    double most = 0;
    exact_ratio("1/10", &theta);
    exact_ratio("1", &epsilon);
    uint64_t state = check_seed();
    for (uint64_t i = 0; i < check_count(10, 1000); i++) {
        sc_masses laws[2];
        char line[128];
        if (i == 0) {
            mass_list("0:9 40:1", &laws[0]);
            mass_list("1:10", &laws[1]);
        } else {
            mass_list_random(&state, 3, 12, 6, &laws[0]);
            mass_list_random(&state, 3, 12, 6, &laws[1]);
        }
        const uint64_t found = theta_sensitivity(laws, &theta);
        snprintf(line, sizeof line,
                 "robust-laplace rho=%llu epsilon=1 theta=1/10 neighbours=replace",
                 (unsigned long long)(found == 0 ? 1 : found));
        scrim_measurement *m = noise_made(line);
        REQUIRE(m != NULL);
        for (int back = 0; back < 2; back++) {
            const double delta = hockey_stick(m, &laws[back], &laws[1 - back], &epsilon);
            CHECK(delta <= 0.1);
            most = i == 0 && back == 0 ? delta : most;
        }
        scrim_measurement_free(m);
        sc_masses_clear(&laws[1]);
        sc_masses_clear(&laws[0]);
    }
    CHECK(most > 0.0999999);
    sc_ratio_clear(&epsilon);
    sc_ratio_clear(&theta);
}
