#include "mechanism/histogram/rounded_stlap.h"

#include "base/memory.h"
#include "base/number/decimal.h"
#include "mechanism/histogram/stlap.h"
#include "mechanism/histogram/stlap_noise.h"
#include "mechanism/threshold/unit_counts.h"
#include "model/certificate.h"
#include "model/domain.h"
#include "model/outcomes.h"
#include "scrim/histogram.h"

#include <stdio.h>

/* Only add-remove, as in the source. */
static const char *const relations[] = {"add-remove", NULL};

static const sc_parameter_rule parameters[] = {
    {.name = "q",
     .kind = SC_PARAMETER_INTEGER,
     .at_least = "1",
     .limit_high = "2^30",
     .domain = "how many elements a bar may lose, an integer from 1 to 1073741824"},
    {.name = "epsilon",
     .kind = SC_PARAMETER_RATIONAL,
     .optional = true,
     .above = "0",
     .limit_low = "2^-30",
     .limit_high = "1000",
     .domain = "a rational above 0, from 9.4e-10 to 1000"},
    SC_RULE_WORD("neighbours", relations, "add-remove"),
};

typedef struct rounded {
    sc_ratio epsilon;
    uint64_t q;
    bool is_published; /* epsilon is 1/sqrt q */
    sc_stlap_sampler half_steps;
} rounded;

static const rounded *state_of(const scrim_measurement *m)
{
    return m->state;
}

/* Making one. */

static uint64_t root_floor(uint64_t x)
{
    uint64_t root = 0;
    for (uint64_t bit = (uint64_t)1 << 15; bit > 0; bit >>= 1)
        if ((root + bit) * (root + bit) <= x)
            root += bit;
    return root;
}

/* 1/sqrt q where it is rational, unless an epsilon is given. */
static scrim_status set_epsilon(const scrim_measurement *m, rounded *s,
                                scrim_error *error)
{
    const sc_ratio *given = sc_measurement_get(m, "epsilon");
    const uint64_t root = root_floor(s->q);
    SC_OWN(sc_ratio, root_ratio);
    sc_ratio_set_int64(&root_ratio, (int64_t)root);
    sc_ratio_set_int64(&s->epsilon, 1);
    sc_ratio_div(&s->epsilon, &s->epsilon, &root_ratio);
    s->is_published = root * root == s->q &&
                      (given == NULL || sc_ratio_compare(given, &s->epsilon) == 0);
    if (given != NULL)
        sc_ratio_set(&s->epsilon, given);
    else if (!s->is_published)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "q",
                           "rounded-stlap: 1/sqrt(q) is not a fraction; use q=%llu or "
                           "q=%llu, or give epsilon",
                           (unsigned long long)(root * root),
                           (unsigned long long)((root + 1) * (root + 1)));
    return SCRIM_OK;
}

static scrim_status check(scrim_measurement *m, scrim_error *error)
{
    rounded *s = sc_allocate(1, sizeof *s);
    if (s == NULL)
        return sc_no_memory(error, "a measurement");
    m->state = s;
    sc_ratio_init(&s->epsilon);
    s->q = (uint64_t)sc_measurement_integer(m, "q", 0);
    scrim_status status = sc_unit_counts_elements(m, error);
    if (status == SCRIM_OK)
        status = set_epsilon(m, s, error);
    if (status != SCRIM_OK)
        return status;
    SC_OWN(sc_ratio, half);
    sc_ratio_set_int64(&half, 2);
    sc_ratio_div(&half, &s->epsilon, &half);
    return sc_stlap_sampler_init(&s->half_steps, &half, 2 * s->q - 1, false, error);
}

static void discard(scrim_measurement *m)
{
    rounded *s = m->state;
    if (s == NULL)
        return;
    sc_stlap_sampler_clear(&s->half_steps);
    sc_ratio_clear(&s->epsilon);
    sc_free(s);
}

/* The law of one bar's noise, and its delta. */

/* As a difference of tails at the nearer end, which are precise however small they are; the law is
 * its own mirror image. */
void sc_rounded_stlap_lost(const scrim_measurement *m, uint64_t first, uint64_t last,
                           long bits, sc_ball *out)
{
    const rounded *s = state_of(m);
    const bool is_far = first + last > s->q;
    const sc_int128 low = (sc_int128)(is_far ? s->q - last : first),
                    high = (sc_int128)(is_far ? s->q - first : last);
    SC_OWN(sc_ball, beyond);
    sc_law_at_least(&s->half_steps.law, -2 * high, bits + 8, out);
    if (low > 0) {
        sc_law_at_least(&s->half_steps.law, 2 - 2 * low, bits + 8, &beyond);
        sc_ball_sub(out, out, &beyond, bits);
    }
}

/* out += max(0, P(first..last) - odds P(first-1..last-1)). */
static void add_rise(const scrim_measurement *m, uint64_t first, uint64_t last,
                     const sc_ball *odds, long bits, sc_ball *out)
{
    if (first > last)
        return;
    SC_OWN(sc_ball, more, less);
    sc_rounded_stlap_lost(m, first, last, bits, &more);
    sc_rounded_stlap_lost(m, first - 1, last - 1, bits, &less);
    sc_ball_mul(&less, &less, odds, bits);
    sc_stlap_add_excess(out, &more, &less, bits);
}

/* The delta between counts x + 1 and x: P(0), which x + 1 alone has, and all by which a chance exceeds e^epsilon
 * times the one before. From P(1) to P(2), and so on up to the middle, the chances grow by the same
 * factor, so that they are one term; beyond the middle they fall. The other direction is the mirror
 * image. */
void sc_rounded_stlap_delta(const scrim_measurement *m, const sc_ratio *epsilon,
                            long bits, sc_ball *out)
{
    const uint64_t q = state_of(m)->q, even = (q - 1) / 2;
    /* Extra bits: subtracting e^epsilon times the first probability from the second leaves a
     * difference that is smaller by a factor of e^(epsilon/2). */
    const long exponent = sc_ratio_exponent(&state_of(m)->epsilon);
    const long inner = bits + 64 + (exponent > 0 ? 2L << exponent : 0);
    SC_OWN(sc_ball, odds);
    sc_ball_set_ratio(&odds, epsilon, inner);
    sc_ball_exp(&odds, &odds, inner);
    sc_rounded_stlap_lost(m, 0, 0, inner, out);
    add_rise(m, 1, q / 2 < 1 ? 0 : 1, &odds, inner, out);
    add_rise(m, 2, even, &odds, inner, out);
    if (q % 2 == 0 && q > 2)
        add_rise(m, q / 2, q / 2, &odds, inner, out);
}

/* The delta that the source states: 4/sqrt q exp(-sqrt(q)/2). */
static void published(uint64_t q, long bits, sc_ball *out)
{
    SC_OWN(sc_ball, root, part);
    sc_ball_set_int64(&root, (int64_t)q);
    sc_ball_sqrt(&root, &root, bits + 32);
    sc_ball_mul_power2(&part, &root, -1);
    sc_ball_neg(&part, &part);
    sc_ball_exp(&part, &part, bits + 32);
    sc_ball_mul_power2(&part, &part, 2);
    sc_ball_div(out, &part, &root, bits);
}

static void curve_delta(const sc_curve *curve, const sc_ratio *epsilon, long bits,
                        sc_ball *out)
{
    sc_rounded_stlap_delta(curve->context, epsilon, bits, out);
}

static const sc_curve_functions rounded_curve = {.name = "rounded-stlap",
                                                 .delta = curve_delta};

static scrim_status cost(const scrim_measurement *m, sc_exact_cost *out,
                         scrim_error *error)
{
    SC_OWN(sc_ball, mass);
    SC_OWN(sc_ratio, delta);
    sc_rounded_stlap_delta(m, &state_of(m)->epsilon, SC_STLAP_BITS, &mass);
    const bool is_found = sc_cost_round_up_ball(&mass, &delta);
    sc_cost_set_approximate(out, &state_of(m)->epsilon, &delta);
    out->curve.functions = &rounded_curve;
    out->curve.context = m;
    out->curve.is_attained = true;
    return is_found ? SCRIM_OK : sc_fail(error, SCRIM_E_INTERNAL, "a mass is not finite");
}

static scrim_status certify(const scrim_measurement *m, const sc_ratio *beta,
                            size_t count, sc_certificate *out, scrim_error *error)
{
    (void)beta;
    (void)count;
    (void)error;
    SC_OWN(sc_ratio, radius);
    sc_ratio_set_int64(&radius, (int64_t)state_of(m)->q);
    sc_certificate_drop(out, &radius, NULL);
    return SCRIM_OK;
}

/* Drawing. */

static scrim_status draw_part(sc_bits *bits, const sc_stlap_sampler *half_steps,
                              const int64_t *x, size_t count, int64_t *y,
                              scrim_error *error)
{
    const scrim_status status = sc_stlap_sampler_fill(bits, half_steps, count, y, error);
    if (status != SCRIM_OK)
        return status;
    for (size_t i = 0; i < count; i++)
        y[i] = (y[i] - 1) / 2; /* -k to -floor((k + 1) / 2) */
    sc_stlap_apply(x, y, count, y);
    return SCRIM_OK;
}

static scrim_status draw(const scrim_measurement *m, sc_bits *bits,
                         const sc_private_input *input, sc_draw *out, scrim_error *error)
{
    out->count = 0;
    return sc_stlap_draw(bits, &state_of(m)->half_steps, draw_part, input, out, error);
}

/* The law. */

static scrim_status list_bar(const void *context, int64_t x, long bits, sc_outcomes *out,
                             scrim_error *error)
{
    const scrim_measurement *m = context;
    const uint64_t q = state_of(m)->q, most = (uint64_t)x < q ? (uint64_t)x : q;
    scrim_status status = SCRIM_OK;
    if (most >= SC_OUTCOMES_MAX)
        return sc_fail(error, SCRIM_E_LIMIT,
                       "there are too many values to give the probability of each");
    SC_OWN(sc_ball, mass);
    for (uint64_t lost = 0; status == SCRIM_OK && lost <= most; lost++) {
        const int64_t y = x - (int64_t)lost;
        sc_rounded_stlap_lost(m, lost, y == 0 ? q : lost, bits, &mass);
        status = sc_outcomes_add(out, &y, &mass, error);
    }
    return status;
}

static scrim_status law(const scrim_measurement *m, const sc_private_input *input,
                        long bits, sc_outcomes *out, scrim_error *error)
{
    const sc_outcomes_each each = {
        .values = input->values, .count = input->count, .list = list_bar, .context = m};
    if (input->count > SC_PAIR_VALUES)
        return sc_fail(error, SCRIM_E_LIMIT,
                       "there are too many bars to give the probability of each answer");
    return sc_outcomes_of_each(&each, bits + 64, out, error);
}

static size_t pair_count(const scrim_measurement *m)
{
    return sc_stlap_pair_count((sc_stlap_sizes){.q = state_of(m)->q, .group = 1});
}

static void pair(const scrim_measurement *m, size_t index, sc_pair *out)
{
    sc_stlap_pair((sc_stlap_sizes){.q = state_of(m)->q, .group = 1}, index, out);
}

const sc_mechanism sc_rounded_stlap = {
    .entry = {.name = "rounded-stlap",
              .parameters = "q=N [epsilon=R]",
              .input = "counts",
              .claim = "(1/sqrt q, delta)-DP; no count is too large, none loses more "
                       "than q; stlap has a smaller delta",
              .does = "Lowers counts as it was first published: continuous noise, then "
                      "rounding. It is here for comparison; stlap has a smaller delta "
                      "at the same loss.",
              .example = "q=16 neighbours=add-remove",
              .example_input = "40\n3\n900\n",
              .reference = "Extending the Foundations of Differential Privacy: "
                           "Robustness and Flexibility (anonymous draft), Mechanism 4, "
                           "with its exact delta: erratum 11"},
    SC_MECHANISM_PARAMETERS,
    .clamps_itself = true,
    .answers_numbers = true,
    .check = check,
    .discard = discard,
    .cost = cost,
    .certify = certify,
    .answer_count = sc_unit_counts_answers,
    .draw = draw,
    .width = sc_unit_counts_answers,
    .law = law,
    .pair_count = pair_count,
    .pair = pair,
};

/* The public comparison. */

#define DIGITS 15

static void put(const sc_ball *x, char text[SCRIM_NUMBER_BYTES])
{
    SC_OWN(sc_ratio, upper);
    if (sc_cost_round_up_ball(x, &upper))
        sc_decimal_upper(&upper, DIGITS, text);
    else
        snprintf(text, SCRIM_NUMBER_BYTES, "inf");
}

scrim_status scrim_rounded_stlap_facts_of(const scrim_measurement *m,
                                          scrim_rounded_stlap_facts *out,
                                          scrim_error *error)
{
    SC_REQUIRE(error, "measurement out", m, out);
    scrim_rounded_stlap_facts found = {.published = ""};
    if (m->mechanism != &sc_rounded_stlap)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNSUPPORTED, "measurement",
                           "%s is not rounded-stlap", m->mechanism->entry.name);
    const rounded *s = state_of(m);
    SC_BALL_SCOPE(scope);
    SC_OWN(sc_ball, x);
    found.q = s->q;
    sc_cost_put_upper(&s->epsilon, found.epsilon);
    if (s->is_published) {
        published(s->q, SC_STLAP_BITS, &x);
        put(&x, found.published);
    }
    sc_rounded_stlap_delta(m, &s->epsilon, SC_STLAP_BITS, &x);
    put(&x, found.delta);
    sc_stlap_delta(&s->epsilon, s->q, 1, 1, SC_STLAP_BITS, &x);
    put(&x, found.stlap_delta);
    sc_rounded_stlap_lost(m, 0, 0, SC_STLAP_BITS, &x);
    put(&x, found.lost_none);
    sc_rounded_stlap_lost(m, 1, 1, SC_STLAP_BITS, &x);
    put(&x, found.lost_one);
    *out = found;
    return SCRIM_OK;
}
