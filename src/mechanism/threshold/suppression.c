#include "base/number/ball.h"
#include "mechanism/threshold/hard_range.h"
#include "mechanism/threshold/least_size.h"
#include "mechanism/threshold/sparsity.h"
#include "model/measurement.h"
#include "scrim/threshold.h"

#include <stdio.h>

#define BITS 256
#define LINE_BYTES 2048

/* What is asked, as numbers. */
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
