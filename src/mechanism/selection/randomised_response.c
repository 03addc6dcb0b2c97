#include "mechanism/selection/randomised_response.h"

#include "base/memory.h"
#include "model/certificate.h"
#include "model/support_radius.h"
#include "sampling/bernoulli.h"

const sc_response *sc_response_of(const scrim_measurement *m)
{
    return m->state;
}

/* Drawing. */

/* 1 with probability keep / whole, else 0. */
static scrim_status toss(sc_bits *bits, const sc_response *r, uint64_t *out,
                         scrim_error *error)
{
    if (r->whole == (uint64_t)1 << SC_RESPONSE_BITS) { /* a public fact */
        unsigned kept = 0;
        scrim_status status = sc_randomise_bit(bits, r->keep, 1, &kept, error);
        *out = kept;
        return status;
    }
    uint64_t u = 0;
    scrim_status status = sc_uniform_64(bits, r->whole, &u, error);
    *out = (u - r->keep) >> 63; /* both are below 2^63: the sign */
    return status;
}

scrim_status sc_response_draw(sc_bits *bits, const sc_response *r, uint64_t x,
                              uint64_t *out, scrim_error *error)
{
    uint64_t kept = 0, other = 0;
    scrim_status status = toss(bits, r, &kept, error);
    if (status == SCRIM_OK)
        status = sc_uniform_64(bits, r->values - 1, &other, error);
    if (status != SCRIM_OK)
        return status;
    other += 1 - ((other - x) >> 63); /* the values but x, in order */
    *out = (x & (0 - kept)) | (other & (kept - 1));
    return SCRIM_OK;
}

scrim_status sc_response_reference(sc_bits *bits, const sc_response *r, uint64_t x,
                                   uint64_t *out, scrim_error *error)
{
    /* Truth has A = (k-1) n of (k-1) d, each other value B = d - n. */
    const uint64_t a = (r->values - 1) * r->keep, b = r->whole - r->keep;
    uint64_t u = 0;
    scrim_status status = sc_uniform_64(bits, (r->values - 1) * r->whole, &u, error);
    if (status != SCRIM_OK)
        return status;
    const uint64_t j = u < a ? 0 : (u - a) / b;
    *out = u < a ? x : j < x ? j : j + 1;
    return SCRIM_OK;
}

static size_t answer_count(const scrim_measurement *m, size_t count)
{
    (void)m;
    return count;
}

static scrim_status draw(const scrim_measurement *m, sc_bits *bits,
                         const sc_private_input *input, sc_draw *out, scrim_error *error)
{
    for (size_t i = 0; i < input->count; i++) {
        uint64_t answer = 0;
        scrim_status status = sc_response_draw(
            bits, sc_response_of(m), (uint64_t)input->values[i], &answer, error);
        if (status != SCRIM_OK) {
            sc_wipe(out->values, i * sizeof *out->values);
            return status;
        }
        out->values[i] = (sc_int128)answer;
        out->marks[i] = SC_MARK_VALUE;
    }
    out->count = input->count;
    return SCRIM_OK;
}

/* Estimating. */

/* a b, and a b - c d: integers beyond 64 bits. */
static void set_product(sc_integer *out, uint64_t a, uint64_t b)
{
    sc_integer_set_uint128(out, a);
    sc_integer_mul_uint64(out, out, b);
}

static void set_difference(sc_integer *out, const sc_integer *ab, uint64_t c, uint64_t d)
{
    SC_OWN(sc_integer, cd);
    set_product(&cd, c, d);
    sc_integer_sub(out, ab, &cd);
}

void sc_response_estimate(const sc_response *r, uint64_t count, uint64_t all,
                          sc_ratio *out)
{
    SC_OWN(sc_integer, above, below);
    set_product(&above, r->values - 1, r->whole);
    sc_integer_mul_uint64(&above, &above, count);
    set_difference(&above, &above, all, r->whole - r->keep);
    set_product(&below, r->values, r->keep);
    set_difference(&below, &below, r->whole, 1);
    sc_integer_mul_uint64(&below, &below, all);
    sc_ratio_set_fraction(out, &above, &below);
}

static void frequency(const scrim_measurement *m, uint64_t count, uint64_t all,
                      sc_ratio *out)
{
    sc_response_estimate(sc_response_of(m), count, all, out);
}

/* The law. */

/* p, and (1 - p)/(k - 1). */
static void probabilities(const sc_response *r, long bits, sc_ball *truth, sc_ball *other)
{
    SC_OWN(sc_ball, divisor);
    sc_ball_set_int128(&divisor, (sc_int128)r->whole);
    sc_ball_set_int128(truth, (sc_int128)r->keep);
    sc_ball_div(truth, truth, &divisor, bits);
    sc_ball_mul_int64(&divisor, &divisor, (int64_t)r->values - 1, bits + 64);
    sc_ball_set_int128(other, (sc_int128)(r->whole - r->keep));
    sc_ball_div(other, other, &divisor, bits);
}

/* The answers of one person after the other: number counts through all of them. */
static scrim_status list(const sc_response *r, const sc_private_input *input,
                         size_t number, const sc_ball *truth, const sc_ball *other,
                         long bits, sc_outcomes *out, scrim_error *error)
{
    int64_t key[SC_PAIR_VALUES];
    SC_OWN(sc_ball, mass);
    sc_ball_set_int64(&mass, 1);
    for (size_t i = input->count; i > 0; i--) {
        key[i - 1] = (int64_t)(number % r->values);
        number /= r->values;
        sc_ball_mul(&mass, &mass, key[i - 1] == input->values[i - 1] ? truth : other,
                    bits);
    }
    return sc_outcomes_add(out, key, &mass, error);
}

static scrim_status law(const scrim_measurement *m, const sc_private_input *input,
                        long bits, sc_outcomes *out, scrim_error *error)
{
    const sc_response *r = sc_response_of(m);
    size_t lists = 1;
    for (size_t i = 0; i < input->count && lists <= SC_OUTCOMES_MAX; i++)
        lists *= r->values;
    if (input->count > SC_PAIR_VALUES || lists > SC_OUTCOMES_MAX)
        return sc_fail(error, SCRIM_E_LIMIT,
                       "there are too many answers to give the probability of each");
    SC_OWN(sc_ball, truth, other);
    probabilities(r, bits + 16, &truth, &other);
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; status == SCRIM_OK && i < lists; i++)
        status = list(r, input, i, &truth, &other, bits + 16, out, error);
    return status;
}

/* Parameters. */

static const char *const words[] = {"local", "replace", NULL};

static const sc_parameter_rule parameters[] = {
    {.name = "epsilon",
     .kind = SC_PARAMETER_RATIONAL,
     .optional = true,
     .above = "0",
     .at_most = "50",
     .domain = "a rational above 0 and at most 50"},
    {.name = "keep",
     .kind = SC_PARAMETER_RATIONAL,
     .optional = true,
     .above = "0",
     .below = "1",
     .domain = "a rational above 1/values and below 1"},
    {.name = "values",
     .kind = SC_PARAMETER_INTEGER,
     .optional = true,
     .at_least = "2",
     .limit_high = "2^30",
     .domain = "an integer from 2 to 1073741824"},
    SC_RULE_WORD("neighbours", words,
                 "local or replace; not add-remove, since all can see who answered"),
};

/* floor(2^62 / (1 + (k-1) exp(-epsilon))). */
static bool keep_of_epsilon(const sc_ratio *epsilon, uint64_t values, uint64_t *out)
{
    bool known = false;
    SC_OWN(sc_ball, x, one);
    SC_OWN(sc_integer, whole);
    sc_ball_set_int64(&one, 1);
    for (long bits = 256; !known && bits <= 65536; bits *= 2) {
        sc_ball_set_ratio(&x, epsilon, bits);
        sc_ball_neg(&x, &x);
        sc_ball_exp(&x, &x, bits);
        sc_ball_mul_int64(&x, &x, (int64_t)values - 1, bits);
        sc_ball_add_int64(&x, &x, 1, bits);
        sc_ball_div(&x, &one, &x, bits);
        sc_ball_mul_power2(&x, &x, SC_RESPONSE_BITS);
        known = sc_ball_floor(&x, &whole) && sc_integer_get_uint64(&whole, out);
    }
    return known;
}

/* n and d of keep=n/d; false when they do not fit. */
static bool parts_of_keep(const sc_ratio *keep, sc_response *r)
{
    SC_OWN(sc_integer, part);
    sc_ratio_numerator(keep, &part);
    bool fits = sc_integer_get_uint64(&part, &r->keep);
    sc_ratio_denominator(keep, &part);
    return fits && sc_integer_get_uint64(&part, &r->whole) &&
           r->whole <= (uint64_t)1 << SC_RESPONSE_BITS;
}

static scrim_status set_keep(const scrim_measurement *m, sc_response *r,
                             scrim_error *error)
{
    const sc_ratio *epsilon = sc_measurement_get(m, "epsilon");
    r->values = (uint64_t)sc_measurement_integer(m, "values", 2);
    r->whole = (uint64_t)1 << SC_RESPONSE_BITS;
    if (epsilon != NULL && !keep_of_epsilon(epsilon, r->values, &r->keep))
        return sc_fail(error, SCRIM_E_INTERNAL, "a probability could not be computed");
    if (epsilon == NULL && !parts_of_keep(sc_measurement_get(m, "keep"), r))
        return sc_fail(
            error, SCRIM_E_LIMIT,
            "keep: its denominator may be at most 4.6e18; round it, or give epsilon");
    if ((sc_uint128)r->keep * r->values > r->whole)
        return SCRIM_OK;
    if (epsilon != NULL)
        return sc_fail_parameter(
            error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "epsilon",
            "too small: it cannot be distinguished from no answer in %d bits",
            SC_RESPONSE_BITS);
    return sc_fail_parameter(
        error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "keep",
        "the true value must be the likeliest: keep must be above 1/%llu",
        (unsigned long long)r->values);
}

static scrim_status check(scrim_measurement *m, scrim_error *error)
{
    static const char *const either[] = {"epsilon", "keep", NULL};
    scrim_status status = sc_measurement_one_of(m, either, error);
    if (status != SCRIM_OK)
        return status;
    sc_response *r = sc_allocate(1, sizeof *r);
    if (r == NULL)
        return sc_no_memory(error, "a measurement");
    m->state = r;
    status = set_keep(m, r, error);
    SC_OWN(sc_ratio, lower, upper);
    sc_ratio_set_int64(&upper, (int64_t)r->values - 1);
    if (status == SCRIM_OK)
        status = sc_domain_set_grid(&m->domain, NULL, &lower, &upper, error);
    return status;
}

static void discard(scrim_measurement *m)
{
    sc_free(m->state);
}

/* ln(n (k-1) / (d - n)), rounded up, and never more than the epsilon that was asked for. */
static scrim_status cost(const scrim_measurement *m, sc_exact_cost *out,
                         scrim_error *error)
{
    const sc_response *r = sc_response_of(m);
    const sc_ratio *asked = sc_measurement_get(m, "epsilon");
    SC_OWN(sc_ratio, epsilon);
    SC_OWN(sc_ball, exact, part);
    sc_ball_set_int128(&exact, (sc_int128)r->keep);
    sc_ball_mul_int64(&exact, &exact, (int64_t)r->values - 1, 256);
    sc_ball_set_int128(&part, (sc_int128)(r->whole - r->keep));
    sc_ball_div(&exact, &exact, &part, 256);
    sc_ball_log(&exact, &exact, 256);
    bool known = sc_cost_round_up_ball(&exact, &epsilon);
    if (known && asked != NULL && sc_ratio_compare(&epsilon, asked) > 0)
        sc_ratio_set(&epsilon, asked);
    if (known)
        sc_cost_set_pure(out, &epsilon);
    out->curve.is_attained = known && r->values == 2;
    return known ? SCRIM_OK
                 : sc_fail(error, SCRIM_E_INTERNAL, "a cost could not be computed");
}

/* Accuracy (model/support_radius.h): of those who have a value each says it with probability p, of the others with
 * probability q. With two values both estimates are off by as much. */

#define BITS 256

static void radius_of(const sc_response *r, const sc_ratio *beta, size_t count,
                      sc_ball *out)
{
    SC_OWN(sc_support, support);
    SC_OWN(sc_ratio, whole, others);
    sc_ratio_set_int128(&whole, (sc_int128)r->whole);
    sc_ratio_set_int128(&support.p, (sc_int128)r->keep);
    sc_ratio_div(&support.p, &support.p, &whole);
    sc_ratio_set_int128(&support.q, (sc_int128)(r->whole - r->keep));
    sc_ratio_div(&support.q, &support.q, &whole);
    sc_ratio_set_int64(&others, (int64_t)(r->values - 1));
    sc_ratio_div(&support.q, &support.q, &others);
    sc_support_radius(&support, r->values == 2 ? 1 : (int64_t)r->values, beta, count,
                      out);
}

#define RADIUS_PARTS 1000000 /* a radius is shown to a millionth */

/* Up to the next millionth, and no more than two frequencies can differ by. */
static bool round_radius(const sc_ball *exact, sc_ratio *out)
{
    SC_OWN(sc_ball, scaled);
    SC_OWN(sc_ratio, parts);
    sc_ball_mul_int64(&scaled, exact, RADIUS_PARTS, BITS);
    bool known = sc_ball_round_up(&scaled, 0, out);
    if (known) {
        sc_ratio_set_int64(&parts, RADIUS_PARTS);
        sc_ratio_div(out, out, &parts);
        if (sc_ratio_compare_int64(out, 1) > 0)
            sc_ratio_set_int64(out, 1);
    }
    return known;
}

static scrim_status certify(const scrim_measurement *m, const sc_ratio *beta,
                            size_t count, sc_certificate *out, scrim_error *error)
{
    if (count == 0)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, "answers",
                           "randomised-response: there are no answers to estimate from");
    SC_OWN(sc_ball, exact);
    SC_OWN(sc_ratio, radius);
    radius_of(sc_response_of(m), beta, count, &exact);
    bool known = round_radius(&exact, &radius);
    if (known)
        sc_certificate_frequency(
            out, &radius, beta, "one answer alone; who was asked, of those who could be");
    return known ? SCRIM_OK
                 : sc_fail(error, SCRIM_E_INTERNAL, "a radius could not be computed");
}

/* Neighbours: one person with one value or another; with very many values, the first of them. */
#define VALUES_AUDITED 64

static uint64_t audited(const scrim_measurement *m)
{
    const uint64_t values = sc_response_of(m)->values;
    return values < VALUES_AUDITED ? values : VALUES_AUDITED;
}

static size_t pair_count(const scrim_measurement *m)
{
    return (size_t)(audited(m) * (audited(m) - 1) / 2);
}

static void pair(const scrim_measurement *m, size_t index, sc_pair *out)
{
    /* Pairs x < y, in the order of y. */
    int64_t y = 1;
    (void)m;
    for (; index >= (size_t)y; y++)
        index -= (size_t)y;
    out->x_count = out->y_count = 1;
    out->x[0] = (int64_t)index;
    out->y[0] = y;
}

const sc_mechanism sc_randomised_response = {
    .entry = {.name = "randomised-response",
              .parameters = "epsilon=R|keep=R [values=N]",
              .input = "values",
              .claim = "epsilon-DP for each person, pure; epsilon = ln(keep (values-1) / "
                       "(1-keep))",
              .does = "Each person reports the true value with a known probability, "
                      "and otherwise another one at random (Warner). Frequencies are "
                      "estimated from all reports; no single report proves anything.",
              .example = "epsilon=1 neighbours=local",
              .example_input = "1\n0\n1\n1\n",
              .reference =
                  "Warner: Randomized Response: A Survey Technique for Eliminating "
                  "Evasive Answer Bias, 1965; Kairouz, Oh, Viswanath: Extremal "
                  "Mechanisms for Local Differential Privacy, 2014"},
    SC_MECHANISM_PARAMETERS,
    .check = check,
    .discard = discard,
    .cost = cost,
    .certify = certify,
    .answer_count = answer_count,
    .draw = draw,
    .frequency = frequency,
    .width = answer_count,
    .law = law,
    .pair_count = pair_count,
    .pair = pair,
};
