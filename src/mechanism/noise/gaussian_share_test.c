#include "base/number/ball_double.h"
#include "check.h"
#include "mechanism/noise/additive.h"
#include "mechanism/noise/gaussian_share.h"
#include "model/measurement.h"
#include "random/bits_tape.h"
#include "scrim.h"

#include <math.h>
#include <stdio.h>

static scrim_measurement *share(const char *line)
{
    scrim_measurement *m = NULL;
    CHECK_STATUS(scrim_measurement_parse_model(line, &m, NULL), SCRIM_OK);
    return m;
}

static double rho_of(const char *line)
{
    scrim_cost cost;
    scrim_measurement *m = share(line);
    if (m == NULL)
        return (double)NAN;
    CHECK_STATUS(scrim_measurement_cost(m, &cost, NULL), SCRIM_OK);
    scrim_measurement_free(m);
    SC_OWN(sc_ratio, rho);
    CHECK_STATUS(sc_ratio_parse(sc_text_of(cost.rho), &rho, NULL), SCRIM_OK);
    return sc_ball_near(&rho);
}

/* The delta that is claimed, or the exact one of its law against a shift by D. */
static double delta_of(const char *line, int64_t shift, const char *at, bool is_exact)
{
    SC_OWN(sc_ratio, epsilon);
    SC_OWN(sc_ball, factor, here, there, all);
    scrim_measurement *m = share(line);
    CHECK_STATUS(sc_ratio_parse(sc_text_of(at), &epsilon, NULL), SCRIM_OK);
    sc_exact_cost cost;
    sc_cost_init(&cost);
    if (m == NULL || !CHECK_STATUS(m->mechanism->cost(m, &cost, NULL), SCRIM_OK))
        return (double)NAN;
    sc_curve_delta_upper(&cost.curve, &epsilon, 128, &all);
    if (is_exact) {
        const sc_law *law = sc_additive_noise(m);
        sc_ball_set_ratio(&factor, &epsilon, 128);
        sc_ball_exp(&factor, &factor, 128);
        sc_ball_set_int64(&all, 0);
        for (int64_t k = -80; k <= 80; k++) {
            sc_law_pmf(law, k, 128, &here);
            sc_law_pmf(law, k + shift, 128, &there);
            sc_ball_mul(&there, &there, &factor, 128);
            sc_ball_sub(&here, &here, &there, 128);
            if (sc_ball_is_positive(&here))
                sc_ball_add(&all, &all, &here, 128);
        }
    }
    sc_cost_clear(&cost);
    scrim_measurement_free(m);
    return sc_ball_upper(&all);
}

TEST(gaussian_share_alone_is_gaussian)
{
    CLAIM("gaussian-share.privacy");
    CHECK_NEAR(rho_of("gaussian-share variance=4 sensitivity=2"), 0.5, 1e-15);
    CHECK_NEAR(rho_of("gaussian-share sigma=2 sensitivity=2 size=9"), 0.5, 1e-15);
    for (int i = 1; i <= 3; i++) {
        char at[8];
        snprintf(at, sizeof at, "%d/2", i);
        CHECK_NEAR(delta_of("gaussian-share variance=4 sensitivity=2", 2, at, false),
                   delta_of("gaussian-share variance=4 sensitivity=2", 2, at, true),
                   1e-15);
    }
}

/* (D/sqrt(2 h v) + kappa sqrt(d/2))^2 with the kappa of the vectors, and never above that of one share. */
TEST(gaussian_share_of_several_has_their_rho)
{
    CLAIM("gaussian-share.privacy");
    const double kappa = 0.342493929895;
    CHECK_NEAR(rho_of("gaussian-share variance=1/4 honest=2"),
               pow(1 + kappa / sqrt(2), 2), 1e-10);
    CHECK_NEAR(rho_of("gaussian-share variance=1/4 honest=2 sensitivity=2 size=3"),
               pow(2 + kappa * sqrt(1.5), 2), 1e-10);
    CHECK_NEAR(rho_of("gaussian-share variance=1/4 honest=2 sensitivity=2 size=9"),
               pow(2 + kappa * sqrt(2), 2), 1e-10);
    CHECK_NEAR(rho_of("gaussian-share variance=4 honest=2"), 1.0 / 16, 1e-15);
    CHECK_NEAR(rho_of("gaussian-share variance=4 honest=1000000"), 1.0 / 8e6, 1e-6);
    CHECK_NEAR(rho_of("gaussian-share variance=1/16 honest=2"), 8, 1e-12);
}

TEST(gaussian_share_covers_the_exact_delta)
{
    CLAIM("gaussian-share.privacy");
    static const struct {
        const char *line;
        int64_t shift;
        double slack; /* claimed over exact, at most */
    } list[] = {{"gaussian-share variance=1/4 honest=2", 1, 40},
                {"gaussian-share variance=1/4 honest=3 sensitivity=2", 2, 40},
                {"gaussian-share variance=1 honest=3", 1, 1.001},
                {"gaussian-share variance=2 honest=5 sensitivity=3", 3, 1 + 1e-6},
                {"gaussian-share variance=5 honest=2", 1, 1 + 1e-12}};
    static const char *const at[] = {"0", "1/10", "1/2", "2", "5"};
    for (size_t i = 0; i < COUNT(list); i++)
        for (size_t e = 0; e < COUNT(at); e++) {
            const double claimed = delta_of(list[i].line, list[i].shift, at[e], false),
                         exact = delta_of(list[i].line, list[i].shift, at[e], true);
            CHECK(claimed >= exact * (1 - 1e-12));
            if (!(claimed <= exact * list[i].slack))
                CHECK_FAIL("%s at %s: %g for %g", list[i].line, at[e], claimed, exact);
        }
}

/* The variance of a share, in steps squared. */
static void find_variance(const char *line, sc_ratio *out)
{
    scrim_measurement *m = share(line);
    if (m != NULL)
        sc_ratio_set(out, &sc_additive_of(m)->law.shape);
    scrim_measurement_free(m);
}

/* Is there a claim of the wanted delta for that variance? */
static bool has_claim(const sc_ratio *variance, const char *rest, int64_t honest,
                      const char *epsilon, const char *delta)
{
    char text[SCRIM_NUMBER_BYTES], line[200];
    scrim_measurement *m = NULL;
    CHECK(sc_ratio_format(variance, text, sizeof text) < sizeof text);
    snprintf(line, sizeof line, "gaussian-share variance=%s honest=%d %s", text,
             (int)honest, rest);
    const scrim_status status = scrim_measurement_parse_model(line, &m, NULL);
    CHECK(status == SCRIM_OK || status == SCRIM_E_LIMIT);
    scrim_measurement_free(m);
    return status == SCRIM_OK && delta_of(line, 0, epsilon, false) <= strtod(delta, NULL);
}

/* The claim has the wanted delta, and a variance that is a hundredth and a part smaller does not;
 * also of small shares, whose sum is far from Gaussian. */
SLOW_TEST(gaussian_share_is_calibrated)
{
    CLAIM("gaussian-share.wanted");
    static const struct {
        int64_t honest;
        const char *rest, *epsilon, *delta;
    } list[] = {{1, "sensitivity=2", "1/2", "1e-6"},
                {2, "", "1", "1e-5"},
                {3, "sensitivity=2", "8", "1e-3"},
                {12, "", "2", "1e-6"},
                {40, "", "4", "1e-9"},
                {1000000, "", "1/2", "1e-6"},
                {5, "sensitivity=3 size=7", "1", "1e-6"},
                {2, "size=2", "9", "1e-2"}};
    SC_OWN(sc_ratio, variance, most, part);
    sc_ratio_set_quotient(&most, 99, 100);
    for (size_t i = 0; i < COUNT(list); i++) {
        char line[200];
        snprintf(line, sizeof line, "gaussian-share epsilon=%s delta=%s honest=%d %s",
                 list[i].epsilon, list[i].delta, (int)list[i].honest, list[i].rest);
        CHECK(delta_of(line, 0, list[i].epsilon, false) <= strtod(list[i].delta, NULL));
        find_variance(line, &variance);
        CHECK(has_claim(&variance, list[i].rest, list[i].honest, list[i].epsilon,
                        list[i].delta));
        sc_ratio_mul(&variance, &variance, &most);
        sc_ratio_set_quotient(&part, 1, 64 * list[i].honest);
        sc_ratio_sub(&variance, &variance, &part);
        if (!CHECK(!has_claim(&variance, list[i].rest, list[i].honest, list[i].epsilon,
                              list[i].delta)))
            CHECK_FAIL("%s has more noise than it needs", line);
    }
}

/* One share is what gaussian is, and the law of several has no more than the wanted delta. */
TEST(gaussian_share_calibrates_as_gaussian_does)
{
    CLAIM("gaussian-share.wanted");
    SC_OWN(sc_ratio, own, other);
    scrim_cost cost;
    find_variance("gaussian-share epsilon=1 delta=1e-6 sensitivity=3", &own);
    find_variance("gaussian epsilon=1 delta=1e-6 sensitivity=3", &other);
    CHECK_INT(sc_ratio_compare(&own, &other), 0);
    CHECK(delta_of("gaussian-share epsilon=2 delta=1e-3 honest=3", 1, "2", true) <= 1e-3);
    scrim_measurement *m = share("gaussian-share epsilon=2 delta=1e-3 honest=3 size=4");
    REQUIRE(m != NULL);
    REQUIRE_OK(scrim_measurement_cost(m, &cost, NULL));
    CHECK_STR(cost.epsilon, "2");
    CHECK_STR(cost.delta, "0.001");
    scrim_measurement_free(m);
}

/* Draws through the gate's own function, against the law. */
TEST(gaussian_share_draws_its_law)
{
    CLAIM("gaussian-share.accuracy");
    enum { SIDE = 3, VALUES = 1000 };
    static const int64_t zeros[VALUES];
    static sc_int128 values[VALUES];
    static sc_mark marks[VALUES];
    const uint64_t runs = check_count_whole(20, 1000);
    uint64_t counts[2 * SIDE + 1] = {0};
    SC_OWN(sc_ball, mass);
    scrim_measurement *m = share("gaussian-share variance=1/2 honest=3 size=1000");
    REQUIRE(m != NULL);
    sc_tape *tape = NULL;
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    const sc_private_input input = {.values = zeros, .count = VALUES};
    for (uint64_t run = 0; run < runs; run++) {
        sc_draw out = {.values = values, .marks = marks, .capacity = VALUES};
        REQUIRE_OK(sc_gaussian_share.draw(m, sc_tape_bits_of(tape), &input, &out, NULL));
        for (size_t i = 0; i < out.count; i++)
            if (values[i] >= -SIDE && values[i] <= SIDE)
                counts[values[i] + SIDE]++;
    }
    for (int k = -SIDE; k <= SIDE; k++) {
        sc_law_pmf(sc_additive_noise(m), k, 128, &mass);
        const double p = sc_ball_upper(&mass), n = (double)(runs * VALUES);
        CHECK(fabs((double)counts[k + SIDE] - n * p) <= 6 * sqrt(n * p * (1 - p)) + 1);
    }
    sc_tape_free(tape);
    scrim_measurement_free(m);
}

/* The radius is the smallest that the law allows. */
TEST(gaussian_share_is_as_accurate_as_its_law)
{
    CLAIM("gaussian-share.accuracy");
    static const char *const lines[] = {"gaussian-share variance=1/2 honest=3",
                                        "gaussian-share variance=9 honest=4"};
    for (size_t i = 0; i < COUNT(lines); i++) {
        scrim_certificate certificate;
        SC_OWN(sc_ball, tail);
        scrim_measurement *m = share(lines[i]);
        REQUIRE(m != NULL);
        REQUIRE_OK(scrim_measurement_certify(m, "0.95", 1, &certificate, NULL));
        const double radius = strtod(certificate.radius, NULL);
        sc_law_at_least(sc_additive_noise(m), (sc_int128)radius + 1, 128, &tail);
        CHECK(sc_ball_upper(&tail) <= 0.025);
        sc_law_at_least(sc_additive_noise(m), (sc_int128)radius, 128, &tail);
        CHECK(sc_ball_lower(&tail) > 0.025);
        scrim_measurement_free(m);
    }
}

TEST(gaussian_share_refuses)
{
    scrim_measurement *m = NULL;
    CHECK_STATUS(
        scrim_measurement_parse_model("gaussian-share variance=1/20 honest=2", &m, NULL),
        SCRIM_E_LIMIT);
    CHECK_STATUS(scrim_measurement_parse_model("gaussian-share honest=2", &m, NULL),
                 SCRIM_E_PARAM);
    static const char *const together[] = {"variance=1 sigma=1", "epsilon=1",
                                           "delta=1e-6", "epsilon=1 delta=1e-6 sigma=1",
                                           "variance=1 delta=1e-6"};
    for (size_t i = 0; i < COUNT(together); i++) {
        char line[80];
        snprintf(line, sizeof line, "gaussian-share %s", together[i]);
        CHECK_STATUS(scrim_measurement_parse_model(line, &m, NULL), SCRIM_E_PARAM);
    }
    CHECK_STATUS(
        scrim_measurement_parse_model(
            "gaussian-share epsilon=1e-12 delta=1e-9 sensitivity=1e9 honest=2", &m, NULL),
        SCRIM_E_LIMIT);
    CHECK_STATUS(scrim_measurement_parse_model("gaussian-share variance=1e30 grid=1/1024",
                                               &m, NULL),
                 SCRIM_E_LIMIT);
}
