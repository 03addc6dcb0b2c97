#include "check.h"
#include "solve/body.h"
#include "vectors.h"

#include <math.h>

TEST(admissible_laws_have_the_numbers_of_the_table)
{
    CLAIM("admissible.table");
    static const struct {
        double q, inner, outer, reach, density, valid, half;
    } rows[] = {
        {0.6, 0.141421356237, 0.386495968258, 0.2, 0.197606774343, 40033, 443883},
        {0.75, 0.353553390593, 1.20056613385, 0.125, 0.123504233964, 125157, 753776},
        {0.9, 0.565685424949, 2.60943791243, 0.05, 0.0494016935856, 1634991, 4560135},
    };
    const sc_admissible_plan plan = {
        .epsilon_each = 0.0418, .cells = 1 << 20, .beta = 0.01, .directions = 80};
    for (size_t i = 0; i < COUNT(rows); i++) {
        sc_admissible law;
        REQUIRE_OK(sc_admissible_find(rows[i].q, &law, NULL));
        CHECK_NEAR(law.inner, rows[i].inner, 1e-11);
        CHECK_NEAR(law.outer, rows[i].outer, 1e-11);
        CHECK_NEAR(law.reach, rows[i].reach, 1e-11);
        CHECK_NEAR(law.density, rows[i].density, 1e-11);
        CHECK_NEAR(sc_admissible_units(&law, &plan, 0), rows[i].valid, 1e-12);
        CHECK_NEAR(sc_admissible_units(&law, &plan, 0.5), rows[i].half, 1e-12);
    }
}

TEST(admissible_laws_have_the_numbers_of_the_vectors)
{
    CLAIM("admissible.table");
    const json_t *rows = vectors_load("floating-body", "prop33");
    REQUIRE(json_array_size(rows) > 0);
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        sc_admissible law;
        REQUIRE_OK(
            sc_admissible_find(json_number_value(json_object_get(row, "q")), &law, NULL));
        CHECK_NEAR(law.inner, json_number_value(json_object_get(row, "Rmin_sharp")),
                   1e-12);
        CHECK(law.outer <= json_number_value(json_object_get(row, "Rmax")) + 1e-12);
        CHECK_NEAR(law.reach, json_number_value(json_object_get(row, "r")), 1e-12);
        CHECK_NEAR(law.density, json_number_value(json_object_get(row, "L_sharp")),
                   1e-12);
    }
}

/* The radii hold the quantiles of laws of deviation 1: normal, uniform and Laplace's. */
TEST(admissible_radii_hold_known_quantiles)
{
    static const double qs[] = {0.6, 0.75, 0.9};
    static const double normal[] = {0.2533471031357997, 0.6744897501960817,
                                    1.2815515655446004};
    for (size_t i = 0; i < COUNT(qs); i++) {
        sc_admissible law;
        REQUIRE_OK(sc_admissible_find(qs[i], &law, NULL));
        const double uniform = sqrt(3) * (2 * qs[i] - 1),
                     laplace = -log(2 * (1 - qs[i])) / sqrt(2);
        CHECK(law.inner <= normal[i] && normal[i] <= law.outer);
        CHECK(law.inner <= uniform && uniform <= law.outer);
        CHECK(law.inner <= laplace && laplace <= law.outer);
    }
}

TEST(admissible_laws_have_bounds)
{
    sc_admissible law;
    CHECK_STATUS(sc_admissible_find(0.5, &law, NULL), SCRIM_E_PARAM);
    CHECK_STATUS(sc_admissible_find(1, &law, NULL), SCRIM_E_PARAM);
    CHECK_STATUS(sc_admissible_find((double)NAN, &law, NULL), SCRIM_E_PARAM);
    REQUIRE_OK(sc_admissible_find(0.9, &law, NULL));
    const sc_admissible_plan plan = {
        .epsilon_each = 1, .cells = 1024, .beta = 0.05, .directions = 4, .cell = 1};
    CHECK(isinf(sc_admissible_units(&law, &plan, 0.1)));
    CHECK_NEAR(sc_body_rank_error(0.5, 1023, 4, 0.5), 4 * log(8192), 1e-12);
}

/* Closed forms of Cauchy's and of the normal law with variance 2; for the index 1.5 and 0.75 the Fourier integral
 * F(x) = 1/2 + (1/pi) of e^(-t^a) sin(t x)/t, by another rule. */
SLOW_TEST(admissible_stable_laws_have_their_quantiles)
{
    CLAIM("admissible.stable");
    static const double indices[] = {0.75, 1.5, 1.02, 1.98};
    sc_admissible law;
    scrim_error error;
    const double pi = acos(-1);
    REQUIRE_OK(sc_admissible_stable(1, 0.75, &law, NULL));
    CHECK_NEAR(law.inner, 1, 1e-9);
    CHECK_NEAR(law.outer, 1, 1e-9);
    CHECK_NEAR(law.reach, tan(pi * 0.375) - 1, 1e-9);
    CHECK_NEAR(law.density, cos(pi * 0.375) * cos(pi * 0.375) / pi, 1e-9);
    REQUIRE_OK(sc_admissible_stable(2, 0.9, &law, NULL));
    CHECK_NEAR(law.inner, sqrt(2) * 1.2815515655446004, 1e-6);
    const double end = law.inner + law.reach; /* at 0.95 */
    CHECK_NEAR(end, sqrt(2) * 1.6448536269514722, 1e-6);
    CHECK_NEAR(law.density, exp(-end * end / 4) / sqrt(4 * pi), 1e-6);
    for (size_t i = 0; i < COUNT(indices); i++) {
        REQUIRE_OK(sc_admissible_stable(indices[i], 0.8, &law, NULL));
        double below = 0, density = 0;
        const double step = 1e-3, last = law.inner + law.reach;
        for (double t = step / 2; t < 200; t += step) {
            const double weight = exp(-pow(t, indices[i])) * step / pi;
            below += weight * sin(t * law.inner) / t;
            density += weight * cos(t * last);
        }
        CHECK_NEAR(0.5 + below, 0.8, 1e-4);
        CHECK_NEAR(density, law.density, 1e-3);
    }
    CHECK_STATUS(sc_admissible_stable(0.4, 0.8, &law, &error), SCRIM_E_PARAM);
    CHECK_STATUS(sc_admissible_stable(2.1, 0.8, &law, &error), SCRIM_E_PARAM);
    CHECK_STATUS(sc_admissible_stable(1.001, 0.8, &law, &error), SCRIM_E_PARAM);
    CHECK_STATUS(sc_admissible_stable((double)NAN, 0.8, &law, &error), SCRIM_E_PARAM);
    CHECK_STATUS(sc_admissible_stable(1.5, 0.5, &law, &error), SCRIM_E_PARAM);
}
