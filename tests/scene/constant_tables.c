#include "constant_tables.h"

#include "check.h"

#include <stdlib.h>
#include <string.h>

const constant_sample constant_samples[CONSTANT_SAMPLES] = {
    {"laplace", "10", 200, 128},     {"laplace", "1/3", 20, 64},
    {"laplace", "2^60", 3, 200},     {"laplace", "2^-60", 5, 128},
    {"laplace", "7/2", 130, 256},    {"gaussian", "25", 60, 128},
    {"gaussian", "1/4", 9, 65},      {"gaussian", "2^120", 10, 256},
    {"gaussian", "1000/3", 90, 129}, {"clamped", "10", 5, 128},
    {"clamped", "2^60", 40, 192},    {"clamped", "1", 200, 64},
    {"shifted", "1/10", 219, 32},    {"shifted", "1/2", 56, 32},
    {"shifted", "1", 1, 8},          {"shifted", "3", 80, 64},
};

/* floor(2^width P(k) / mass), when the balls are narrow enough to know it. */
static bool weight_of(const sc_law *law, int64_t k, unsigned width, const sc_ball *mass,
                      long precision, sc_integer *out)
{
    sc_ball x;
    sc_ball_init(&x);
    sc_law_pmf(law, k, precision, &x);
    sc_ball_div(&x, &x, mass, precision);
    sc_ball_mul_power2(&x, &x, (long)width);
    bool known = sc_ball_floor(&x, out);
    sc_ball_clear(&x);
    return known;
}

/* The probabilities are sums of exponentials of distinct rationals over others, hence no
 * multiple of 2^-width: with enough bits each floor is known. */
static bool weights_of(const sc_law *law, int64_t bound, unsigned width,
                       sc_integer *weights)
{
    bool known = true;
    long precision = (long)width + 128;
    sc_integer part;
    sc_ball mass;
    sc_integer_init(&part);
    sc_ball_init(&mass);
    sc_integer_set_int128(&weights[0], 1);
    sc_integer_shift_left(&weights[0], &weights[0], width);
    sc_law_between(law, -bound, bound, precision, &mass);
    for (int64_t k = 1; known && k <= bound; k++) {
        while (known && !weight_of(law, k, width, &mass, precision, &weights[k])) {
            precision *= 2;
            known = precision <= 65536;
            sc_law_between(law, -bound, bound, precision, &mass);
        }
        sc_integer_mul_uint64(&part, &weights[k], 2);
        sc_integer_sub(&weights[0], &weights[0], &part);
    }
    sc_integer_clear(&part);
    sc_ball_clear(&mass);
    return known;
}

/* Each weight but that of 0 is floor(2^width P(k)), P renormalised on -bound..bound; what is left of
 * 2^width is the weight of 0. */
static scrim_status init_law(sc_constant_table *table, const sc_law_functions *functions,
                             const sc_ratio *shape, const constant_sample *s,
                             scrim_error *error)
{
    const size_t count = (size_t)s->bound + 1;
    scrim_status status = SCRIM_E_INTERNAL;
    sc_integer *weights = malloc(count * sizeof *weights);
    sc_ball_scope scope;
    sc_law law;
    if (weights == NULL) {
        CHECK_FAIL("no memory for %zu weights", count);
        return status;
    }
    for (size_t i = 0; i < count; i++)
        sc_integer_init(&weights[i]);
    sc_law_init(&law, functions, shape, (sc_int128)s->bound);
    sc_ball_enter(&scope);
    const bool known = CHECK(weights_of(&law, (int64_t)s->bound, s->width, weights));
    sc_ball_leave(&scope);
    if (known)
        status = sc_constant_table_init_weights(table, -(int64_t)s->bound,
                                                2 * s->bound + 1, weights, error);
    sc_law_clear(&law);
    for (size_t i = 0; i < count; i++)
        sc_integer_clear(&weights[i]);
    free(weights);
    return status;
}

scrim_status constant_sample_build(sc_constant_table *table, const constant_sample *s,
                                   scrim_error *error)
{
    sc_ratio shape;
    sc_ratio_init(&shape);
    CHECK_STATUS(sc_ratio_parse(sc_text_of(s->shape), &shape, NULL), SCRIM_OK);
    scrim_status status;
    if (strcmp(s->law, "laplace") == 0)
        status = init_law(table, &sc_discrete_laplace_law, &shape, s, error);
    else if (strcmp(s->law, "gaussian") == 0)
        status = init_law(table, &sc_discrete_gaussian_law, &shape, s, error);
    else if (strcmp(s->law, "clamped") == 0)
        status = init_law(table, &sc_clamped_laplace_law, &shape, s, error);
    else
        status = sc_constant_table_init_shifted(table, &shape, s->bound, s->width,
                                                (uint64_t)1 << 40, error);
    sc_ratio_clear(&shape);
    return status;
}

bool constant_sample_is_shifted(const constant_sample *sample)
{
    return strcmp(sample->law, "shifted") == 0;
}

void constant_table_weight_ball(const sc_constant_table *table, int64_t k, sc_ball *out)
{
    sc_integer weight;
    sc_integer_init(&weight);
    sc_constant_table_weight(table, k, &weight);
    sc_ball_set_integer(out, &weight);
    sc_integer_clear(&weight);
}
