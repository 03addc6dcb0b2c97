#include "mechanism/threshold/sparsity.h"

#include "mechanism/threshold/noisy_threshold.h"
#include "scrim/threshold.h"

#define BITS 512

typedef struct wish {
    sc_law noise;
    sc_ball keys, least; /* how many, and ln(1 - beta) */
} wish;

/* n ln(1 - P(Z >= T)) >= ln(1 - beta). */
static bool is_enough(const void *context, int64_t threshold)
{
    const wish *w = context;
    SC_OWN(sc_ball, none);
    sc_law_at_least(&w->noise, threshold, BITS, &none);
    sc_ball_neg(&none, &none);
    sc_ball_log1p(&none, &none, BITS);
    sc_ball_mul(&none, &none, &w->keys, BITS);
    return sc_ball_is_less_equal(&w->least, &none);
}

int64_t sc_sparsity_threshold(const sc_ratio *epsilon, const sc_ratio *keys,
                              const sc_ratio *beta)
{
    wish w;
    SC_OWN(sc_ratio, scale);
    sc_ratio_set_int64(&scale, 1);
    sc_ratio_div(&scale, &scale, epsilon);
    sc_law_init(&w.noise, &sc_discrete_laplace_law, &scale, 0);
    sc_ball_init(&w.keys);
    sc_ball_init(&w.least);
    sc_ball_set_ratio(&w.keys, keys, BITS);
    sc_ball_set_ratio(&w.least, beta, BITS);
    sc_ball_neg(&w.least, &w.least);
    sc_ball_log1p(&w.least, &w.least, BITS);
    const int64_t threshold = sc_noisy_threshold_search(is_enough, &w, 1);
    sc_ball_clear(&w.least);
    sc_ball_clear(&w.keys);
    sc_law_clear(&w.noise);
    return threshold;
}

void sc_sparsity_formula(const sc_ratio *epsilon, const sc_ratio *keys,
                         const sc_ratio *beta, long bits, sc_ball *out)
{
    SC_OWN(sc_ratio, times);
    SC_OWN(sc_ball, divisor);
    sc_ratio_div(&times, keys, beta);
    sc_ball_set_ratio(out, &times, bits);
    sc_ball_log(out, out, bits);
    sc_ball_set_ratio(&divisor, epsilon, bits);
    sc_ball_div(out, out, &divisor, bits);
}

void sc_sparsity_positive(const sc_ratio *epsilon, long bits, sc_ball *out)
{
    SC_OWN(sc_ball, one);
    sc_ball_set_ratio(out, epsilon, bits);
    sc_ball_exp(out, out, bits);
    sc_ball_add_int64(out, out, 1, bits);
    sc_ball_set_int64(&one, 1);
    sc_ball_div(out, &one, out, bits);
}

static bool is_inside(const sc_ratio *epsilon, const sc_ratio *keys, const sc_ratio *beta)
{
    return sc_ratio_sign(epsilon) > 0 && sc_ratio_exponent(epsilon) > -30 &&
           sc_ratio_compare_int64(epsilon, 1000) <= 0 && sc_ratio_is_integer(keys) &&
           sc_ratio_sign(keys) > 0 && sc_ratio_exponent(keys) <= 200 &&
           sc_ratio_sign(beta) > 0 && sc_ratio_compare_int64(beta, 1) < 0;
}

static void describe(const sc_ratio *epsilon, const sc_ratio *keys, const sc_ratio *beta,
                     scrim_sparsity *out)
{
    SC_OWN(sc_ball, x);
    sc_sparsity_positive(epsilon, BITS, &x);
    out->positive_upper = sc_ball_upper(&x);
    sc_ball_mul_power2(&x, &x, 1);
    out->nonzero_upper = sc_ball_upper(&x);
    sc_sparsity_formula(epsilon, keys, beta, BITS, &x);
    out->formula_upper = sc_ball_upper(&x);
}

scrim_status scrim_sparsity_of(const char *epsilon, const char *keys, const char *beta,
                               scrim_sparsity *out, scrim_error *error)
{
    const char *const texts[3] = {epsilon, keys, beta};
    sc_ratio values[3];
    scrim_status status = SCRIM_OK;
    SC_BALL_SCOPE(scope);
    for (size_t i = 0; i < 3; i++)
        sc_ratio_init(&values[i]);
    for (size_t i = 0; status == SCRIM_OK && i < 3; i++)
        status = sc_ratio_parse(sc_text_of(texts[i] == NULL ? "" : texts[i]), &values[i],
                                error);
    if (status == SCRIM_OK && !is_inside(&values[0], &values[1], &values[2]))
        status =
            sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "",
                        "epsilon must be from 9.4e-10 to 1000; keys an integer from 1 "
                        "to 1.6e60; beta above 0 "
                        "and less than 1");
    if (status == SCRIM_OK) {
        const int64_t threshold =
            sc_sparsity_threshold(&values[0], &values[1], &values[2]);
        if (threshold >= SC_THRESHOLD_MAX)
            status = sc_fail(error, SCRIM_E_LIMIT, "that threshold is above 1.1e18");
        else
            out->threshold = (uint64_t)threshold;
    }
    if (status == SCRIM_OK)
        describe(&values[0], &values[1], &values[2], out);
    for (size_t i = 0; i < 3; i++)
        sc_ratio_clear(&values[i]);
    return status;
}
