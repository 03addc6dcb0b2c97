#include "base/number/ball_double.h"
#include "check.h"
#include "mechanism/noise/share_noise.h"
#include "sampling/law.h"
#include "scrim.h"
#include "vectors.h"

#include <math.h>
#include <stdio.h>

static double epsilon_of(const char *line)
{
    scrim_measurement *m = NULL;
    scrim_error error;
    scrim_cost cost;
    if (!CHECK_STATUS(scrim_measurement_parse_model(line, &m, &error), SCRIM_OK))
        return 0;
    CHECK_STATUS(scrim_measurement_cost(m, &cost, &error), SCRIM_OK);
    SC_OWN(sc_ratio, exact);
    CHECK_STATUS(sc_ratio_parse(sc_text_of(cost.epsilon), &exact, &error), SCRIM_OK);
    const double epsilon = sc_ball_near(&exact);
    scrim_measurement_free(m);
    return epsilon;
}

TEST(laplace_share_charges_the_honest_part)
{
    CLAIM("laplace-share.privacy");
    json_t *rows = vectors_load("local-additions", "nb_partial_honest"), *row;
    size_t i;
    REQUIRE(json_array_size(rows) == 18);
    json_array_foreach(rows, i, row)
    {
        char line[160];
        const double w = json_number_value(json_object_get(row, "w"));
        snprintf(line, sizeof line,
                 "laplace-share epsilon=%g shares=%llu honest=%llu sensitivity=1 "
                 "neighbours=replace",
                 w, (unsigned long long)vectors_number(row, "shares"),
                 (unsigned long long)vectors_number(row, "honest"));
        const double want = strtod(vectors_text(row, "eps_shift_1"), NULL);
        CHECK(fabs(epsilon_of(line) - want) < 6e-10);
    }
}

/* Half of the shares at x = 1/2: a scale of 1/ln 2, which is no rational, to 16 digits. */
TEST(laplace_share_of_half_the_shares)
{
    CLAIM("laplace-share.privacy");
    const json_t *half = vectors_load("local-additions", "nb_partial_half");
    SC_OWN(sc_ratio, scale);
    SC_OWN(sc_ball, mass);
    sc_law law;
    CHECK_STR(vectors_text(half, "r"), "1/2");
    CHECK_STATUS(sc_ratio_parse(sc_text_of("1.442695040888963"), &scale, NULL), SCRIM_OK);
    sc_law_init(&law, &sc_laplace_share_law, &scale, SC_SHARES_BASE * 1 + 2);
    sc_law_pmf(&law, 0, 128, &mass);
    CHECK_NEAR(sc_ball_upper(&mass), strtod(vectors_text(half, "P0"), NULL), 1e-13);
    sc_law_pmf(&law, 1, 128, &mass);
    CHECK_NEAR(sc_ball_upper(&mass), strtod(vectors_text(half, "P1"), NULL), 1e-13);
    sc_law_clear(&law);
    CHECK_NEAR(epsilon_of("laplace-share scale=1.442695040888963 shares=2 honest=1"),
               strtod(vectors_text(half, "eps"), NULL), 1e-13);
    CHECK_NEAR(epsilon_of("laplace-share scale=1.442695040888963 shares=2"),
               strtod(vectors_text(half, "full_eps"), NULL), 1e-13);
}

TEST(laplace_share_of_more_is_no_dearer)
{
    CLAIM("laplace-share.privacy");
    CHECK_NEAR(epsilon_of("laplace-share epsilon=1/2 shares=3 sensitivity=2"), 0.5,
               1e-15);
    CHECK_NEAR(epsilon_of("laplace-share epsilon=1/2 shares=3 honest=7 sensitivity=2"),
               0.5, 1e-15);
    CHECK_NEAR(epsilon_of("laplace-share scale=4 shares=3 sensitivity=2"), 0.5, 1e-15);
    CHECK(epsilon_of("laplace-share scale=4 shares=3 honest=2 sensitivity=2") > 0.55);
}

TEST(laplace_share_is_as_accurate_as_its_law)
{
    CLAIM("laplace-share.accuracy");
    static const char *const lines[] = {
        "laplace-share scale=3 shares=4 honest=1 neighbours=replace",
        "laplace-share scale=3 shares=4 neighbours=replace",
        "laplace-share scale=3 shares=4 honest=8 neighbours=replace"};
    double last = 0;
    for (size_t i = 0; i < COUNT(lines); i++) {
        scrim_measurement *m = NULL;
        scrim_certificate certificate;
        scrim_error error;
        REQUIRE_OK(scrim_measurement_parse_model(lines[i], &m, &error));
        REQUIRE_OK(scrim_measurement_certify(m, "0.95", 1, &certificate, &error));
        const double radius = strtod(certificate.radius, NULL);
        CHECK(radius > last);
        last = radius;
        scrim_measurement_free(m);
    }
}
