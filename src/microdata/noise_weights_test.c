#include "check.h"
#include "microdata/noise_weights.h"
#include "trees.h"
#include "vectors.h"

#include <math.h>

/* Terms of equal weight and level are one. */
static size_t merge(sc_noise_term *terms, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        size_t k = 0;
        while (k < kept && (terms[k].level != terms[i].level ||
                            fabs(terms[k].weight - terms[i].weight) > 1e-12))
            k++;
        if (k == kept)
            terms[kept++] = terms[i];
        else
            terms[k].count += terms[i].count;
    }
    return kept;
}

/* The weights of a node of each level, by impulses: each noise by itself, through both passes. */
static void check_level(const sc_squares *s, const tree_scene *t, const double *levels,
                        size_t level)
{
    sc_noise_term terms[SC_NOISE_TERMS];
    const size_t count = merge(terms, sc_noise_terms(s, level, terms));
    double values[TREES_NODES], variance = 0, found[SC_NOISE_TERMS] = {0};
    for (size_t u = 0; u < t->nodes; u++) {
        for (size_t v = 0; v < t->nodes; v++)
            values[v] = u == v;
        sc_squares_estimate(s, values);
        const double weight = values[s->starts[level]];
        size_t i = 0;
        if (fabs(weight) < 1e-14 || levels[sc_squares_level(s, u)] <= 0)
            continue;
        while (i < count && (terms[i].level != sc_squares_level(s, u) ||
                             fabs(terms[i].weight - weight) > 1e-12))
            i++;
        REQUIRE(i < count);
        found[i]++;
    }
    for (size_t i = 0; i < count; i++) {
        CHECK_NEAR(found[i], terms[i].count, 0);
        variance +=
            terms[i].count * terms[i].weight * terms[i].weight * levels[terms[i].level];
    }
    CHECK_NEAR(variance, sc_squares_variance(s, s->starts[level]), 1e-12);
}

TEST(noise_weights_are_those_of_the_passes)
{
    CLAIM("noise-weights.whole");
    static const size_t fanouts[] = {2, 3, 4};
    static const double variances[][4] = {
        {3, 2, 1.5, 1}, {3, HUGE_VAL, 2, 1}, {0, 2, 1.5, 1}};
    tree_scene t;
    sc_squares s;
    trees_even(fanouts, 4, &t);
    for (size_t i = 0; i < COUNT(variances); i++) {
        REQUIRE_OK(sc_squares_init_even(&s, &t.shape, fanouts, 4, variances[i], NULL));
        for (size_t level = 0; level < 4; level++)
            check_level(&s, &t, variances[i], level);
        sc_squares_clear(&s);
    }
}

static void check_row(const json_t *row)
{
    const json_t *list = json_object_get(row, "coefficients");
    const double rate = atof(vectors_text(row, "rate"));
    const double beta = atof(vectors_text(row, "beta"));
    int64_t weights[8];
    sc_noise_term terms[8];
    const size_t count = json_array_size(list);
    REQUIRE(count <= COUNT(weights));
    for (size_t i = 0; i < count; i++) {
        weights[i] = json_integer_value(json_array_get(list, i));
        terms[i] = (sc_noise_term){(double)weights[i], 1, 0};
    }
    CHECK_NEAR(sc_half_width_laplace(terms, count, &rate, beta),
               atof(vectors_text(row, "chernoff")), 1e-5);
    CHECK_INT(sc_laplace_quantile(weights, count, rate, beta),
              (int64_t)vectors_number(row, "exact_quantile"));
}

TEST(intervals_of_laplace_noise_agree_with_the_vectors)
{
    CLAIM("half-width.sound");
    const json_t *rows = vectors_load("synthetic", "laplace_interval"), *row;
    size_t i;
    CHECK_INT(json_array_size(rows), 4);
    json_array_foreach(rows, i, row) check_row(row);
    CHECK_INT(sc_laplace_quantile((const int64_t[]){1}, 1, 1e-7, 0.05), -1);
    CHECK_NEAR(sc_half_width_gaussian(4, 0.05), 2 * sqrt(2 * log(40)), 1e-8);
    CHECK_NEAR(sc_half_width_any(4, 0.05), 2 * sqrt(20), 1e-8);
}
