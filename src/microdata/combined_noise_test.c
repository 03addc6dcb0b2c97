#include "check.h"
#include "microdata/combined_noise.h"
#include "trees.h"
#include "vectors.h"

#include <math.h>
#include <stdlib.h>

/* Laws of single noises, number by number. */

#define REACH 400

typedef struct noise_law {
    int reach;
    double mass[REACH + 1]; /* of n, and of -n */
} noise_law;

static double share_of(const sc_level_noise *noise, int n)
{
    return noise->kind == SC_TREE_LAPLACE ? exp(-noise->amount * n)
                                          : exp(-(double)n * n / (2 * noise->amount));
}

/* Beyond the reach lies less than 1e-13. */
static void set_noise(const sc_level_noise *noise, noise_law *law)
{
    double all = 1;
    law->reach = 0;
    while (law->reach < REACH && share_of(noise, law->reach) > 1e-15)
        all += 2 * share_of(noise, ++law->reach);
    for (int n = 0; n <= law->reach; n++)
        law->mass[n] = share_of(noise, n) / all;
}

/* Pr[|from + sum of the rest| > t], by all numbers of all noises. */
static double outside(const noise_law *laws, const double *weights, size_t count,
                      double from, double t)
{
    double sum = 0;
    if (count == 0)
        return fabs(from) > t ? 1 : 0;
    for (int n = -laws->reach; n <= laws->reach; n++)
        sum += laws->mass[abs(n)] *
               outside(laws + 1, weights + 1, count - 1, from + n * weights[0], t);
    return sum;
}

#define NOISES 3

typedef struct sum_scene {
    sc_level_noise noises[NOISES];
    noise_law laws[NOISES];
    sc_noise_term terms[NOISES];
    double weights[NOISES], deviation;
    size_t count;
} sum_scene;

static double uniform(uint64_t *state)
{
    return (double)(trees_next(state) % 100003) / 100003;
}

/* One to three noises: the first two may be wide, for the third there is little time. */
static void open_sum(sum_scene *s, uint64_t *state, sc_tree_noise kind, size_t count)
{
    double variance = 0;
    s->count = count;
    for (size_t i = 0; i < count; i++) {
        const double wide = count < NOISES ? 12 : 3,
                     deviation = 0.4 + wide * uniform(state);
        s->noises[i] = (sc_level_noise){
            kind, kind == SC_TREE_GAUSSIAN ? deviation * deviation : sqrt(2) / deviation};
        set_noise(&s->noises[i], &s->laws[i]);
        s->weights[i] = (trees_next(state) % 2 ? -1 : 1) * (0.05 + uniform(state));
        s->terms[i] = (sc_noise_term){s->weights[i], 1, i, 0};
        variance += s->weights[i] * s->weights[i] * sc_level_variance(&s->noises[i]);
    }
    s->deviation = sqrt(variance);
}

static double outside_of(const sum_scene *s, double t)
{
    return outside(s->laws, s->weights, s->count, 0, t);
}

/* The law of few noises has steps. */
static double widest_step(const sum_scene *s)
{
    double most = 0;
    for (size_t i = 0; i < s->count; i++)
        most = fmax(most, fabs(s->weights[i]));
    return most;
}

static const double betas[] = {0.5, 0.1, 0.05, 0.01, 0.001};

TEST(half_widths_hold_by_the_exact_law)
{
    CLAIM("combined-noise.sound");
    static sum_scene s;
    uint64_t state = check_seed();
    const uint64_t sums = check_count(200, 4000);
    for (uint64_t i = 0; i < sums; i++) {
        const double beta = betas[i % COUNT(betas)];
        open_sum(&s, &state, i % 2 ? SC_TREE_GAUSSIAN : SC_TREE_LAPLACE, 1 + i % NOISES);
        const sc_combined_noise sum = {s.terms, s.count, s.noises};
        const double width = sc_combined_noise_half_width(&sum, beta);
        CHECK(outside_of(&s, width) <= beta);
        CHECK(outside_of(&s, width / 1.02 - widest_step(&s)) > beta);
        CHECK(width <= sc_combined_noise_chernoff(&sum, beta));
    }
}

/* Two noises of each kind at once, and many that hardly count beside one. */
TEST(half_widths_of_mixed_noises_hold)
{
    CLAIM("combined-noise.sound");
    static noise_law laws[2];
    const sc_level_noise noises[] = {{SC_TREE_LAPLACE, 0.2}, {SC_TREE_GAUSSIAN, 30}};
    const double weights[] = {0.37, 0.81};
    const sc_noise_term terms[] = {{0.37, 1, 0, 0}, {0.81, 1, 1, 0}};
    const sc_combined_noise sum = {terms, 2, noises};
    for (size_t i = 0; i < 2; i++)
        set_noise(&noises[i], &laws[i]);
    for (size_t i = 0; i < COUNT(betas); i++) {
        const double width = sc_combined_noise_half_width(&sum, betas[i]);
        CHECK(outside(laws, weights, 2, 0, width) <= betas[i]);
        CHECK(outside(laws, weights, 2, 0, width * 0.97) > betas[i]);
    }
    CHECK_NEAR(sc_combined_noise_factor(noises, 2, 0.05), sqrt(20), 1e-7);
    CHECK_NEAR(sc_combined_noise_factor(NULL, 0, 0.05), sqrt(20), 1e-7);
}

TEST(a_factor_holds_whatever_the_weights)
{
    CLAIM("combined-noise.factor");
    static sum_scene s;
    uint64_t state = check_seed();
    const uint64_t sums = check_count(200, 4000);
    for (uint64_t i = 0; i < sums; i++) {
        const double beta = betas[i % COUNT(betas)];
        open_sum(&s, &state, i % 2 ? SC_TREE_GAUSSIAN : SC_TREE_LAPLACE, 1 + i % NOISES);
        const double factor = sc_combined_noise_factor(s.noises, s.count, beta);
        CHECK(outside_of(&s, factor * s.deviation) <= beta);
        CHECK(factor <= sqrt(1 / beta) * 1.000001);
    }
    /* Wide Gaussian noise has hardly more than the normal law, Laplace noise less than Chebyshev says. */
    const sc_level_noise wide[] = {{SC_TREE_GAUSSIAN, 10000}, {SC_TREE_GAUSSIAN, 400}};
    const sc_level_noise laplace = {SC_TREE_LAPLACE, 0.05};
    CHECK(sc_combined_noise_factor(wide, 2, 0.05) < 2.02);
    CHECK(sc_combined_noise_factor(&laplace, 1, 0.05) < 3.9);
}

/* A narrow noise is seldom more than 0, and then far away in deviations. */
TEST(a_factor_is_that_of_the_narrowest_noise)
{
    CLAIM("combined-noise.factor");
    static noise_law law;
    const sc_level_noise noises[] = {{SC_TREE_LAPLACE, 0.05}, {SC_TREE_LAPLACE, 5}};
    const double one = 1, deviation = sqrt(sc_level_variance(&noises[1]));
    set_noise(&noises[1], &law);
    CHECK(outside(&law, &one, 1, 0,
                  sc_combined_noise_factor(noises, 2, 0.01) * deviation) <= 0.01);
    CHECK(outside(&law, &one, 1, 0,
                  sc_combined_noise_factor(noises, 1, 0.01) * deviation) > 0.01);
}

/* Nothing is told of the weights but the largest, the sum of squares and perhaps their number. */
TEST(half_widths_from_bounds_of_weights_hold)
{
    CLAIM("combined-noise.sound");
    static sum_scene s;
    uint64_t state = check_seed();
    const uint64_t sums = check_count(200, 4000);
    for (uint64_t i = 0; i < sums; i++) {
        const double beta = betas[i % COUNT(betas)];
        double most = 0, squares = 0;
        open_sum(&s, &state, i % 2 ? SC_TREE_GAUSSIAN : SC_TREE_LAPLACE, 2 + i % 2);
        for (size_t k = 0; k < s.count; k++) {
            s.laws[k] = s.laws[0];
            most = fmax(most, fabs(s.weights[k]));
            squares += s.weights[k] * s.weights[k];
        }
        const double noises = i % 3 == 0 ? HUGE_VAL : (double)s.count;
        const sc_noise_term term = {most, squares / (most * most), 0, noises};
        const sc_combined_noise sum = {&term, 1, s.noises};
        CHECK(outside_of(&s, sc_combined_noise_half_width(&sum, beta)) <= beta);
    }
}

static void check_row(const json_t *row)
{
    const json_t *list = json_object_get(row, "coefficients");
    const sc_level_noise noise = {SC_TREE_LAPLACE, atof(vectors_text(row, "rate"))};
    const double beta = atof(vectors_text(row, "beta")),
                 exact = (double)vectors_number(row, "exact_quantile");
    sc_noise_term terms[8];
    const size_t count = json_array_size(list);
    REQUIRE(count <= COUNT(terms));
    for (size_t i = 0; i < count; i++)
        terms[i] =
            (sc_noise_term){(double)json_integer_value(json_array_get(list, i)), 1, 0, 0};
    const sc_combined_noise sum = {terms, count, &noise};
    CHECK_NEAR(sc_combined_noise_chernoff(&sum, beta),
               atof(vectors_text(row, "chernoff")), 1e-5);
    const double width = sc_combined_noise_half_width(&sum, beta);
    CHECK(width >= exact && width <= exact * 1.02);
    if (count == 1)
        CHECK_NEAR(sc_noise_half_width(&noise, beta), exact, 0);
}

TEST(half_widths_are_near_those_of_the_vectors)
{
    CLAIM("combined-noise.close");
    const json_t *rows = vectors_load("synthetic", "laplace_interval"), *row;
    size_t i;
    CHECK_INT(json_array_size(rows), 4);
    json_array_foreach(rows, i, row) check_row(row);
}

/* A noisy count by itself: whole numbers, of which the one before would not do. */
TEST(half_widths_of_one_noise_are_its_quantiles)
{
    CLAIM("combined-noise.close");
    static noise_law law;
    static const double one[] = {1};
    static const sc_level_noise noises[] = {{SC_TREE_LAPLACE, 3},
                                            {SC_TREE_LAPLACE, 0.2},
                                            {SC_TREE_GAUSSIAN, 0.3},
                                            {SC_TREE_GAUSSIAN, 9},
                                            {SC_TREE_GAUSSIAN, 200}};
    for (size_t i = 0; i < COUNT(noises); i++) {
        set_noise(&noises[i], &law);
        for (size_t k = 0; k < COUNT(betas); k++) {
            const double width = sc_noise_half_width(&noises[i], betas[k]);
            CHECK_NEAR(width, floor(width), 0);
            CHECK(outside(&law, one, 1, 0, width) <= betas[k]);
            CHECK(width < 1 || outside(&law, one, 1, 0, width - 1.5) > betas[k]);
        }
    }
}
