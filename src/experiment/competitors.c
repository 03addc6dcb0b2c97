#include "experiment/competitors.h"

#include "base/memory.h"
#include "base/number/ball.h"
#include "mechanism/histogram/stlap_noise.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define BITS 256
#define SMALL (UINT64_C(1) << 20)

const char *sc_competitor_name(sc_competitor kind)
{
    static const char *const names[] = {"stlap",     "exponential", "ptr", "smooth",
                                        "stability", "choosing",    "esa"};
    return names[kind];
}

/* ceil of a quotient that is irrational. */
static scrim_status ceiling(const sc_ball *numerator, const sc_ball *denominator,
                            int64_t *out, scrim_error *error)
{
    uint64_t value = 0;
    SC_OWN(sc_ball, quotient);
    SC_OWN(sc_integer, floor);
    sc_ball_div(&quotient, numerator, denominator, BITS);
    const bool is_known =
        sc_ball_floor(&quotient, &floor) && sc_integer_get_uint64(&floor, &value);
    *out = (int64_t)value + 1;
    return is_known ? SCRIM_OK : sc_fail(error, SCRIM_E_LIMIT, "the noise is unbounded");
}

/* s = ceil(ln(1 / (delta (1 + exp(-epsilon)))) / epsilon), at least 1. */
static scrim_status find_shift(const sc_ratio *epsilon, const sc_ratio *delta,
                               int64_t *out, scrim_error *error)
{
    SC_OWN(sc_ball, e, x);
    sc_ball_set_ratio(&e, epsilon, BITS);
    sc_ball_neg(&x, &e);
    sc_ball_exp(&x, &x, BITS);
    sc_ball_add_int64(&x, &x, 1, BITS);
    SC_OWN(sc_ball, d);
    sc_ball_set_ratio(&d, delta, BITS);
    sc_ball_mul(&x, &x, &d, BITS);
    sc_ball_log(&x, &x, BITS);
    sc_ball_neg(&x, &x);
    scrim_status status = SCRIM_OK;
    *out = 1;
    if (sc_ball_is_positive(&x))
        status = ceiling(&x, &e, out, error);
    return status;
}

/* T = 1 + ceil(ln(R / delta) / epsilon_c). */
static scrim_status find_choice_threshold(const sc_ratio *epsilon_c,
                                          const sc_ratio *delta, int64_t *out,
                                          scrim_error *error)
{
    SC_OWN(sc_ball, e, x);
    sc_ball_set_ratio(&x, delta, BITS);
    sc_ball_div_int64(&x, &x, SC_CHOOSING_ROUNDS, BITS);
    sc_ball_log(&x, &x, BITS);
    sc_ball_neg(&x, &x);
    sc_ball_set_ratio(&e, epsilon_c, BITS);
    scrim_status status = ceiling(&x, &e, out, error);
    *out += 1;
    return status;
}

__attribute__((format(printf, 3, 4))) static scrim_status
prepare(scrim_distribution **out, scrim_error *error, const char *format, ...)
{
    char line[160];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    return scrim_distribution_parse(line, out, error);
}

static scrim_status prepare_all(sc_competitors *c, scrim_error *error)
{
    scrim_status status = prepare(
        &c->one_sided, error,
        "shifted-laplace epsilon=%" PRIu64 "/%" PRIu64 " q=%" PRId64, c->n, c->d, c->q);
    if (status == SCRIM_OK)
        status = prepare(&c->laplace, error,
                         "discrete-laplace scale=%" PRIu64 "/%" PRIu64, c->d, c->n);
    if (status == SCRIM_OK)
        status =
            prepare(&c->choice_noise, error,
                    "discrete-laplace scale=%" PRIu64 "/%" PRIu64, c->choice_d, c->n);
    if (status == SCRIM_OK)
        status = prepare(&c->count_noise, error,
                         "discrete-laplace scale=%" PRIu64 "/%" PRIu64, 2 * c->d, c->n);
    return status;
}

static scrim_status split(const sc_ratio *epsilon, sc_competitors *out,
                          scrim_error *error)
{
    SC_OWN(sc_integer, part);
    sc_ratio_numerator(epsilon, &part);
    bool is_small = sc_integer_get_uint64(&part, &out->n) && out->n < SMALL;
    sc_ratio_denominator(epsilon, &part);
    is_small = is_small && sc_integer_get_uint64(&part, &out->d) && out->d < SMALL;
    return is_small ? SCRIM_OK
                    : sc_fail_parameter(
                          error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE, "epsilon",
                          "it may have at most 20 bits in its numerator and denominator");
}

static scrim_status find_all(sc_competitors *c, const sc_ratio *epsilon,
                             const sc_ratio *delta, scrim_error *error)
{
    SC_OWN(sc_ratio, choice, share);
    SC_OWN(sc_ball, decay);
    SC_BALL_SCOPE(scope);
    c->epsilon = (double)c->n / (double)c->d;
    c->choice_d = UINT64_C(4) * SC_CHOOSING_ROUNDS * c->d;
    sc_ratio_set_int64(&share, INT64_C(4) * SC_CHOOSING_ROUNDS);
    sc_ratio_div(&choice, epsilon, &share);
    sc_ball_set_ratio(&decay, delta, BITS);
    sc_ball_log(&decay, &decay, BITS);
    c->smooth_decay = c->epsilon / (2 * (log(2) - sc_ball_upper(&decay)));
    uint64_t q = 0;
    scrim_status status = sc_stlap_q_of(epsilon, delta, 1, 1, &q, error);
    c->q = (int64_t)q;
    if (status == SCRIM_OK)
        status = find_shift(epsilon, delta, &c->shift, error);
    if (status == SCRIM_OK)
        status = find_choice_threshold(&choice, delta, &c->choice_threshold, error);
    c->threshold = c->shift + 1;
    return status;
}

scrim_status sc_competitors_init(sc_competitors *out, const char *epsilon,
                                 const char *delta, scrim_error *error)
{
    sc_competitors c;
    memset(&c, 0, sizeof c);
    SC_OWN(sc_ratio, e, d);
    scrim_status status = sc_ratio_parse(sc_text_of(epsilon), &e, error);
    if (status == SCRIM_OK)
        status = sc_ratio_parse(sc_text_of(delta), &d, error);
    if (status == SCRIM_OK && (sc_ratio_sign(&e) <= 0 || sc_ratio_sign(&d) <= 0 ||
                               sc_ratio_compare_int64(&d, 1) >= 0))
        status = sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "",
                             "epsilon is above 0, delta between 0 and 1");
    if (status == SCRIM_OK)
        status = split(&e, &c, error);
    if (status == SCRIM_OK)
        status = find_all(&c, &e, &d, error);
    if (status == SCRIM_OK)
        status = prepare_all(&c, error);
    if (status == SCRIM_OK)
        status =
            sc_bar_noise_init(&c.noise, (long double)c.n / (long double)c.d, c.q, error);
    if (status == SCRIM_OK)
        *out = c;
    else
        sc_competitors_clear(&c);
    return status;
}

void sc_competitors_clear(sc_competitors *c)
{
    scrim_distribution_free(c->one_sided);
    scrim_distribution_free(c->laplace);
    scrim_distribution_free(c->choice_noise);
    scrim_distribution_free(c->count_noise);
    sc_bar_noise_clear(&c->noise);
    memset(c, 0, sizeof *c);
}
