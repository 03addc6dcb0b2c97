#include "check.h"
#include "lab/experiment/body_routes.h"
#include "random/bits_tape.h"

#include <math.h>
#include <stdlib.h>

/* Rows that look Gaussian enough, some of them far out. */
static void make_values(lab_random *random, double *values, size_t count)
{
    for (size_t k = 0; k < 2 * count; k++) {
        double sum = -6, u = 0;
        for (size_t i = 0; i < 12; i++) {
            u = lab_random_real(random);
            sum += u;
        }
        values[k] = u > 0.99 ? 5 * sum : sum;
    }
}

/* Neighbours at random and at the extremes: the distance moves by at most 1, the centre by at most the sensitivity. */
SLOW_TEST(route_distances_move_by_one)
{
    CLAIM("body-routes.distance");
    enum { ROWS = 400 };
    static double values[2 * ROWS];
    lab_random *random = NULL;
    size_t wrong = 0, finite = 0;
    sc_entropy_seed(4);
    REQUIRE_OK(lab_random_open(&random, NULL));
    const size_t pairs = check_count(12, 400);
    for (size_t t = 0; t < pairs; t++) {
        lab_route_rows one, other;
        double f[2], g[2];
        make_values(random, values, ROWS);
        REQUIRE(lab_route_rows_init(&one, values, ROWS));
        const size_t row = (size_t)lab_random_below(random, ROWS);
        values[2 * row] = t % 3 == 0 ? 20 : t % 3 == 1 ? -20 : -values[2 * row];
        values[2 * row + 1] = t % 2 == 0 ? 20 : -values[2 * row + 1];
        REQUIRE(lab_route_rows_init(&other, values, ROWS));
        const double sigma = 0.3 + 0.1 * (double)(t % 10),
                     most = lab_route_sensitivity(&one, 0);
        const size_t a = lab_route_distance(&one, sigma),
                     b = lab_route_distance(&other, sigma);
        lab_route_steiner(&one, f);
        lab_route_steiner(&other, g);
        wrong += a > b + 1 || b > a + 1;
        wrong += hypot(f[0] - g[0], f[1] - g[1]) > most * (1 + 1e-9);
        finite += isfinite(most) && a > 0;
        lab_route_rows_clear(&one);
        lab_route_rows_clear(&other);
    }
    CHECK_INT(wrong, 0);
    CHECK(finite > pairs / 2);
    lab_random_close(random);
    sc_entropy_release();
}

/* Distances from the centre: two exponentials within the cut, the rest as the area. */
SLOW_TEST(route_noise_has_its_distribution)
{
    CLAIM("body-routes.noise");
    lab_random *random = NULL;
    const double f[2] = {1, -2}, slope = 2, cut = 3, reach = 9;
    const double spike = 2 * (1 - exp(-6) * 7) / 4, flat = exp(-6) * (81 - 9),
                 inner = 2 * (1 - exp(-2) * 3) / 4;
    size_t within = 0, near_by = 0, beyond = 0;
    const size_t draws = check_count(4000, 200000);
    sc_entropy_seed(9);
    REQUIRE_OK(lab_random_open(&random, NULL));
    for (size_t i = 0; i < draws; i++) {
        double t[2];
        lab_route_noise(random, f, &(lab_route_spike){slope, cut, reach}, t);
        const double distance = hypot(t[0] - f[0], t[1] - f[1]);
        within += distance <= cut;
        near_by += distance <= 1;
        beyond += hypot(t[0], t[1]) > reach * (1 + 1e-9);
    }
    const double n = (double)draws, p = spike / (spike + flat),
                 r = inner / (spike + flat);
    CHECK_INT(beyond, 0);
    CHECK(fabs((double)within - n * p) < 5 * sqrt(n * p * (1 - p)));
    CHECK(fabs((double)near_by - n * r) < 5 * sqrt(n * r * (1 - r)));
    lab_random_close(random);
    sc_entropy_release();
}

/* 16 quantiles of bounded range cost epsilon^2/8 each, and all of them what (1, 1e-6) allows. */
TEST(routes_have_one_budget)
{
    const double each = strtod(LAB_ROUTE_EACH, NULL), rho = lab_concentrated_rho(1, 1e-6);
    CHECK(16 * each * each / 8 <= rho);
    CHECK_NEAR(16 * each * each / 8, rho, 1e-4);
}

TEST(routes_refuse_no_runs)
{
    lab_body_routes routes;
    CHECK_STATUS(lab_body_routes_run(0, &routes, NULL), SCRIM_E_PARAM);
    CHECK_STATUS(lab_body_routes_run(1001, &routes, NULL), SCRIM_E_PARAM);
}

/* Route B errs less at every size, and route C has no answer of few rows. */
SLOW_TEST(route_b_errs_less)
{
    lab_body_routes routes;
    sc_entropy_seed(2);
    REQUIRE_OK(lab_body_routes_run(1, &routes, NULL));
    CHECK_INT(routes.row[1].units, 20000);
    CHECK(routes.row[1].answered == 1 && routes.row[2].answered == 1);
    CHECK(routes.row[1].quantiles < 0.05 && routes.row[2].quantiles < 0.02);
    for (size_t i = 1; i < LAB_BODY_ROUTES_ROWS; i++)
        CHECK(routes.row[i].noise > 2 * routes.row[i].quantiles);
    sc_entropy_release();
}
