#include "check.h"
#include "scrim/body.h"

#include <math.h>
#include <stdio.h>

enum { POINTS = 57 };

static const char *const names[] = {"x", "y", "z"}, *const low[] = {"-1", "0", "1/3"},
                         *const high[] = {"1", "100", "2/3"};

/* Points of the box, and two outside of it. */
static void scatter(size_t dimension, double *points)
{
    for (size_t i = 0; i < POINTS; i++)
        for (size_t j = 0; j < dimension; j++) {
            const double u = fmod((double)(i * i + 7 * i) * sqrt(2 + (double)j), 1);
            points[i * dimension + j] = j == 0   ? 2 * u - 1
                                        : j == 1 ? 100 * u
                                                 : (1 + u) / 3;
        }
    points[0] = -1e30;
    points[dimension] = 1e30;
}

static double inside(double x, double least, double most)
{
    return fmin(fmax(x, least), most);
}

/* How many points are within a half-space that is moved by slack. */
static size_t count_below(const double *points, size_t dimension, const double *normal,
                          double offset)
{
    size_t count = 0;
    for (size_t i = 0; i < POINTS; i++) {
        double sum = 0;
        for (size_t j = 0; j < dimension; j++) {
            const double x = points[i * dimension + j];
            sum += normal[j] * (j == 0   ? inside(x, -1, 1)
                                : j == 1 ? inside(x, 0, 100)
                                         : inside(x, 1.0 / 3, 2.0 / 3));
        }
        count += sum <= offset;
    }
    return count;
}

/* Each half-space ends at the quantile: that many points are inside, and fewer if it is moved inwards. */
TEST(public_body_ends_at_its_quantiles)
{
    CLAIM("public-body.quantiles");
    static const struct {
        size_t dimension;
        const char *q, *directions;
        size_t rank;
    } cases[] = {{1, "1/2", NULL, 29},
                 {2, NULL, NULL, 52},
                 {2, "2/3", "axes", 38},
                 {3, "0.99", "pairs", 57},
                 {3, "1/57", NULL, 1}};
    for (size_t c = 0; c < COUNT(cases); c++) {
        double points[3 * POINTS], normal[3], offset;
        const size_t d = cases[c].dimension;
        scrim_body *body = NULL;
        scrim_body_facts facts;
        scatter(d, points);
        REQUIRE_OK(scrim_body_of_public(
            SCRIM_OPTIONS(scrim_public_points, .dimension = d, .names = names, .low = low,
                          .high = high, .points = points, .count = POINTS,
                          .q = cases[c].q, .directions = cases[c].directions),
            &body, NULL));
        scrim_body_describe(body, &facts);
        CHECK_INT(facts.units, POINTS);
        CHECK(facts.epsilon_each == 0 && isinf(scrim_body_rank_error(body, 0.05)));
        CHECK_STR(facts.label, "exact quantiles of public points, not private");
        for (size_t i = 0; scrim_body_half_space_at(body, i, normal, &offset); i++) {
            /* Three steps of 2^-24: coordinates and the end are rounded. */
            const double slack = ldexp(3, -24);
            CHECK(count_below(points, d, normal, offset + slack) >= cases[c].rank);
            CHECK(count_below(points, d, normal, offset - slack) < cases[c].rank);
        }
        scrim_body_free(body);
    }
}

TEST(public_body_refuses_what_is_none)
{
    static const double points[] = {1, (double)NAN};
    static const char *const turned[] = {"2", "3"}, *const number[] = {"x1", "3"};
    scrim_body *body = NULL;
    scrim_public_points asked = {.size = sizeof asked,
                                 .dimension = 1,
                                 .names = names,
                                 .low = low,
                                 .high = high,
                                 .points = points,
                                 .count = 1};
    REQUIRE_OK(scrim_body_of_public(&asked, &body, NULL));
    scrim_body_free(body);
    body = NULL;
    asked.count = 2;
    CHECK_STATUS(scrim_body_of_public(&asked, &body, NULL), SCRIM_E_PARAM);
    asked.count = 0;
    CHECK_STATUS(scrim_body_of_public(&asked, &body, NULL), SCRIM_E_PARAM);
    asked.count = SIZE_MAX;
    CHECK_STATUS(scrim_body_of_public(&asked, &body, NULL), SCRIM_E_LIMIT);
    asked.count = 1;
    asked.dimension = 65;
    CHECK_STATUS(scrim_body_of_public(&asked, &body, NULL), SCRIM_E_PARAM);
    asked.dimension = 1;
    asked.q = "1";
    CHECK_STATUS(scrim_body_of_public(&asked, &body, NULL), SCRIM_E_PARAM);
    asked.q = NULL;
    asked.low = turned;
    CHECK_STATUS(scrim_body_of_public(&asked, &body, NULL), SCRIM_E_PARAM);
    asked.low = number;
    CHECK_STATUS(scrim_body_of_public(&asked, &body, NULL), SCRIM_E_SYNTAX);
    asked.low = low;
    asked.directions = "given";
    CHECK_STATUS(scrim_body_of_public(&asked, &body, NULL), SCRIM_E_PARAM);
    CHECK(body == NULL);
}
