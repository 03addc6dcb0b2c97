#include "mechanism/threshold/suppression.h"

#include "base/number/ball.h"
#include "mechanism/threshold/hard_range.h"
#include "mechanism/threshold/kept_size.h"
#include "mechanism/threshold/noisy_threshold.h"
#include "model/measurement.h"
#include "scrim/threshold.h"

#include <stdio.h>

#define SPARSITY_BITS 512

typedef struct target {
    sc_law noise;
    sc_ball keys, least; /* how many, and ln(1 - beta) */
} target;

/* n ln(1 - P(Z >= T)) >= ln(1 - beta). */
static bool is_enough(const void *context, int64_t threshold)
{
    const target *w = context;
    SC_OWN(sc_ball, none);
    sc_law_at_least(&w->noise, threshold, SPARSITY_BITS, &none);
    sc_ball_neg(&none, &none);
    sc_ball_log1p(&none, &none, SPARSITY_BITS);
    sc_ball_mul(&none, &none, &w->keys, SPARSITY_BITS);
    return sc_ball_is_less_equal(&w->least, &none);
}

int64_t sc_sparsity_threshold(const sc_ratio *epsilon, const sc_ratio *keys,
                              const sc_ratio *beta)
{
    target w;
    SC_OWN(sc_ratio, scale);
    sc_ratio_set_int64(&scale, 1);
    sc_ratio_div(&scale, &scale, epsilon);
    sc_law_init(&w.noise, &sc_discrete_laplace_law, &scale, 0);
    sc_ball_init(&w.keys);
    sc_ball_init(&w.least);
    sc_ball_set_ratio(&w.keys, keys, SPARSITY_BITS);
    sc_ball_set_ratio(&w.least, beta, SPARSITY_BITS);
    sc_ball_neg(&w.least, &w.least);
    sc_ball_log1p(&w.least, &w.least, SPARSITY_BITS);
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
    sc_sparsity_positive(epsilon, SPARSITY_BITS, &x);
    out->positive_upper = sc_ball_upper(&x);
    sc_ball_mul_power2(&x, &x, 1);
    out->nonzero_upper = sc_ball_upper(&x);
    sc_sparsity_formula(epsilon, keys, beta, SPARSITY_BITS, &x);
    out->formula_upper = sc_ball_upper(&x);
}

scrim_status scrim_sparsity_of(const char *epsilon, const char *keys, const char *beta,
                               scrim_sparsity *out, scrim_error *error)
{
    SC_REQUIRE(error, "epsilon beta out", epsilon, beta, out);
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

#define BITS 256
#define LINE_BYTES 2048

/* The parameters, as numbers. */
typedef struct question {
    sc_ratio epsilon, delta, values;
    uint64_t count; /* the values */
} question;

static scrim_status read_values(question *q, const char *text, scrim_error *error)
{
    sc_int128 count = 0;
    SC_OWN(sc_integer, whole);
    scrim_status status = sc_ratio_parse(sc_text_of(text), &q->values, error);
    if (status != SCRIM_OK)
        return status;
    sc_ratio_floor(&q->values, &whole);
    if (!sc_ratio_is_integer(&q->values) || !sc_integer_get_int128(&whole, &count) ||
        count < 1 || count > (sc_int128)1 << 63)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "values",
                           "values must be an integer from 1 to 9.2e18");
    q->count = (uint64_t)count;
    return SCRIM_OK;
}

/* A measurement of these two, in the order of neighbours that the paper has. */
static scrim_status make(const char *name, const char *epsilon, const char *delta,
                         scrim_measurement **out, scrim_error *error)
{
    char line[LINE_BYTES];
    const int length =
        snprintf(line, sizeof line, "%s epsilon=%s delta=%s neighbours=add-remove", name,
                 epsilon, delta);
    if (length < 0 || (size_t)length >= sizeof line)
        return sc_fail(error, SCRIM_E_LIMIT, "epsilon or delta has too many digits");
    return scrim_measurement_parse(line, out, error);
}

/* ln(factor / delta) / epsilon. */
static void set_formula(const question *q, const sc_ratio *factor, sc_ball *out)
{
    sc_sparsity_formula(&q->epsilon, factor, &q->delta, BITS, out);
}

static void set_printed(const question *q, scrim_suppression *out)
{
    /* 1 + gamma, in hundredths */
    static const int64_t factors[SCRIM_SUPPRESSION_GAMMAS] = {200, 110, 101};
    SC_OWN(sc_ratio, factor);
    SC_OWN(sc_ball, formula, times);
    set_formula(q, &q->values, &formula);
    out->width_printed_upper = sc_ball_upper(&formula);
    for (size_t i = 0; i < SCRIM_SUPPRESSION_GAMMAS; i++) {
        sc_ratio_set_int64(&factor, 1);
        set_formula(q, &factor, &formula);
        sc_ratio_set_quotient(&factor, factors[i], 100);
        sc_ball_set_ratio(&times, &factor, BITS);
        sc_ball_mul(&formula, &formula, &times, BITS);
        sc_ball_add_int64(&formula, &formula, 1, BITS);
        out->printed_upper[i] = sc_ball_upper(&formula);
    }
}

static scrim_status set_smallest(const question *q, const scrim_measurement *counts,
                                 const scrim_measurement *range, scrim_suppression *out,
                                 scrim_error *error)
{
    scrim_threshold_facts facts;
    SC_OWN(sc_ratio, half);
    sc_ratio_set_quotient(&half, 1, 2);
    scrim_status status = scrim_threshold_describe(counts, &facts, error);
    if (status == SCRIM_OK)
        status = scrim_range_none_upper(range, q->count, &out->none_upper, error);
    if (status != SCRIM_OK)
        return status;
    out->threshold = (uint64_t)facts.threshold;
    out->width = sc_hard_range_width(range);
    if (!sc_least_size(&q->epsilon, &q->delta, 1, &half, &out->least))
        return sc_fail(error, SCRIM_E_LIMIT, "epsilon is too small for these figures");
    return SCRIM_OK;
}

static scrim_status set_zeros(const char *epsilon, const char *values,
                              const char *confidence, scrim_sparsity *out,
                              scrim_error *error)
{
    char beta[LINE_BYTES];
    SC_OWN(sc_ratio, x, one);
    sc_ratio_set_int64(&one, 1);
    scrim_status status = sc_ratio_parse(sc_text_of(confidence), &x, error);
    if (status != SCRIM_OK)
        return status;
    if (sc_ratio_sign(&x) <= 0 || sc_ratio_compare(&x, &one) >= 0)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "confidence",
                           "confidence must be above 0 and below 1");
    sc_ratio_sub(&x, &one, &x);
    if (sc_ratio_format(&x, beta, sizeof beta) >= sizeof beta)
        return sc_fail(error, SCRIM_E_LIMIT, "confidence has too many digits");
    return scrim_sparsity_of(epsilon, values, beta, out, error);
}

scrim_status scrim_suppression_of(const char *epsilon, const char *delta,
                                  const char *values, const char *confidence,
                                  scrim_suppression *out, scrim_error *error)
{
    SC_REQUIRE(error, "epsilon delta values confidence out", epsilon, delta, values,
               confidence, out);
    question q;
    scrim_suppression found;
    scrim_measurement *counts = NULL, *range = NULL;
    sc_ratio_init(&q.epsilon);
    sc_ratio_init(&q.delta);
    sc_ratio_init(&q.values);
    SC_BALL_SCOPE(scope);
    scrim_status status = sc_ratio_parse(sc_text_of(epsilon), &q.epsilon, error);
    if (status == SCRIM_OK)
        status = sc_ratio_parse(sc_text_of(delta), &q.delta, error);
    if (status == SCRIM_OK)
        status = make("threshold-laplace", epsilon, delta, &counts, error);
    if (status == SCRIM_OK)
        status = make("range sensitivity=1", epsilon, delta, &range, error);
    if (status == SCRIM_OK)
        status = read_values(&q, values, error);
    if (status == SCRIM_OK)
        status = set_zeros(epsilon, values, confidence, &found.zeros, error);
    if (status == SCRIM_OK)
        status = set_smallest(&q, counts, range, &found, error);
    if (status == SCRIM_OK) {
        set_printed(&q, &found);
        *out = found;
    }
    scrim_measurement_free(range);
    scrim_measurement_free(counts);
    sc_ratio_clear(&q.values);
    sc_ratio_clear(&q.delta);
    sc_ratio_clear(&q.epsilon);
    return status;
}
