/* Formulas of the specification that no mechanism here uses: the flattened Laplace law and the test of route C, the slack of
 * typical tables. They are held against the vectors, so that a comparison can rely on them. */
#include "check.h"
#include "vectors.h"

#include <math.h>

static double number(const json_t *row, const char *name)
{
    const json_t *value = json_object_get(row, name);
    return json_is_string(value) ? HUGE_VAL : json_number_value(value); /* "inf" */
}

/* gamma(M, x)/(M - 1)!, by its series. */
static double lower_gamma(double m, double x)
{
    double term = exp(m * log(x) - x - lgamma(m + 1)), sum = term;
    for (double k = 1; k < 2000 && term > sum * 1e-18; k++) {
        term *= x / (m + k);
        sum += term;
    }
    return sum;
}

TEST(flattened_laplace_has_the_weight_of_the_vectors)
{
    const json_t *block = vectors_load("floating-body", "flattened_laplace_Z");
    const json_t *cases = json_object_get(block, "cases");
    const double tolerance = number(block, "tol_rel");
    REQUIRE(json_array_size(cases) == 30);
    for (size_t i = 0; i < json_array_size(cases); i++) {
        const json_t *row = json_array_get(cases, i);
        const double m = number(row, "M"), p = number(row, "p"), c = number(row, "c"),
                     xc = number(row, "xc"), rho = number(row, "rho");
        const double volume = exp(m * (log(2) + lgamma(1 + 1 / p)) - lgamma(1 + m / p));
        const double spike =
            volume * exp(lgamma(m + 1) - m * log(c)) * lower_gamma(m, c * xc);
        const double flat = volume * exp(-c * xc) * (pow(rho, m) - pow(xc, m));
        CHECK_NEAR(volume, number(row, "unit_ball_volume"), tolerance);
        CHECK_NEAR(spike, number(row, "spike"), tolerance);
        CHECK_NEAR(flat, number(row, "flat"), tolerance);
        CHECK_NEAR(spike + flat, number(row, "Z"), tolerance);
    }
}

/* The two branches of the source's (20) meet at K (r'/4)^h. */
TEST(branches_of_the_source_meet_where_the_vectors_say)
{
    const json_t *cases = vectors_load("floating-body", "eq20_crossover");
    REQUIRE(json_array_size(cases) == 2);
    for (size_t i = 0; i < json_array_size(cases); i++) {
        const json_t *row = json_array_get(cases, i);
        const double slope = number(row, "slope"), cap = number(row, "cap"),
                     k = number(row, "K"), h = number(row, "h");
        const double meet = k * pow(number(row, "rprime") / 4, h);
        CHECK_NEAR(meet, number(row, "crossover"), 1e-12);
        if (h == 1)
            CHECK_NEAR(cap / slope, meet, 1e-12);
    }
}

TEST(thresholds_of_the_vectors)
{
    const json_t *budget = vectors_load("floating-body", "budget");
    const json_t *thresholds = json_object_get(budget, "ptr_threshold"),
                 *slacks = json_object_get(budget, "W_rule");
    REQUIRE(json_array_size(thresholds) == 4 && json_array_size(slacks) == 3);
    for (size_t i = 0; i < 4; i++) {
        const json_t *row = json_array_get(thresholds, i);
        const double epsilon = number(row, "eps1"), delta = number(row, "delta");
        CHECK_NEAR(1 + log(1 / (2 * delta)) / epsilon, number(row, "T"), 1e-12);
        /* With integer noise the least T is the one of the tail p^T/(1 + p). */
        double whole = 1;
        while (exp(-epsilon * whole) / (1 + exp(-epsilon)) > delta)
            whole++;
        CHECK(fabs(whole - number(row, "T")) < 2);
    }
    for (size_t i = 0; i < 3; i++) {
        const json_t *row = json_array_get(slacks, i);
        double w = 0.75;
        for (double tail = 1; tail > number(row, "beta");) {
            w += 0.25;
            const double g = 2 * w - 1 - log(2 * w);
            tail = 2 * exp(-g) / (1 - exp(-g));
        }
        CHECK_NEAR(w, number(row, "W"), 1e-12);
    }
}
