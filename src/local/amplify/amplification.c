#include "local/amplify/amplification.h"

#include "base/number/ball_double.h"
#include "base/number/decimal.h"
#include "base/number/parameters.h"
#include "base/text.h"
#include "scrim/amplification.h"

#include <math.h>
#include <string.h>

#define BITS SC_AMPLIFY_BITS

/* 0 where it is missing; a width, which may be 0, is then NONE. */
typedef struct numbers {
    int64_t values, field, digits, chosen, blocks, width, cells;
} numbers;

#define NONE (-1)

/* mass = share / whole. */
static void set_mass(sc_ball *mass, const sc_ratio *share, const sc_ball *whole)
{
    sc_ball_set_ratio(mass, share, BITS);
    sc_ball_div(mass, mass, whole, BITS);
}

/* Reports are likely in a set, else unlikely, in the ratio p: with sizes in parts of the set's, the
 * outputs are `all` and two sets overlap in `overlap`. */
static void set_protocol(sc_blanket_law *law, const sc_ratio *all,
                         const sc_ratio *overlap)
{
    SC_OWN(sc_ratio, one, share, rest);
    SC_OWN(sc_ball, whole);
    sc_ratio_set_int64(&one, 1);
    sc_ratio_sub(&rest, all, &one);
    sc_ball_set_ratio(&whole, &rest, BITS);
    sc_ball_add(&whole, &whole, &law->p, BITS);
    sc_ratio_sub(&share, &one, overlap);
    set_mass(&law->r, &share, &whole);
    set_mass(&law->t11, overlap, &whole);
    sc_ratio_sub(&rest, &rest, &share); /* all - 2 + overlap */
    set_mass(&law->t10, &rest, &whole);
}

static void set_quotients(sc_blanket_law *law, int64_t all, int64_t overlap,
                          int64_t below)
{
    SC_OWN(sc_ratio, a, o);
    sc_ratio_set_quotient(&a, all, below);
    sc_ratio_set_quotient(&o, overlap, below);
    set_protocol(law, &a, &o);
}

static bool any(const numbers *n, sc_blanket_law *law)
{
    (void)n;
    set_quotients(law, 2, 0, 1);
    return true;
}

static bool response(const numbers *n, sc_blanket_law *law)
{
    set_quotients(law, n->values, 0, 1);
    return n->values > 0;
}

/* Points, points on one hyperplane, points on two. */
static bool projective(const numbers *n, sc_blanket_law *law)
{
    int64_t points = 0, on_one = 0, on_two = 0;
    for (int64_t i = 0; i < n->digits && points < INT64_C(1) << 30; i++) {
        on_two = on_one;
        on_one = points;
        points = points * n->field + 1;
    }
    if (n->field == 0 || n->digits < 2 || points >= INT64_C(1) << 30)
        return false;
    set_quotients(law, points, on_two, on_one);
    return true;
}

static bool subset(const numbers *n, sc_blanket_law *law)
{
    SC_OWN(sc_ratio, all, overlap);
    if (n->values == 0 || n->chosen == 0 || n->chosen >= n->values)
        return false;
    sc_ratio_set_quotient(&all, n->values, n->chosen);
    sc_ratio_set_quotient(&overlap, n->chosen - 1, n->values - 1);
    set_protocol(law, &all, &overlap);
    return true;
}

/* Two values of one block share half of their sets, of two blocks nothing. */
static bool hadamard(const numbers *n, sc_blanket_law *law)
{
    const int64_t blocks = n->blocks == 0 ? 1 : n->blocks;
    set_quotients(law, 4 * blocks, blocks == 1, 2);
    return true;
}

/* Cells of a seed: two values share one with probability 1/g, whatever they are. */
static bool hashed(int64_t cells, sc_blanket_law *law)
{
    SC_OWN(sc_ratio, all, overlap);
    sc_ratio_set_int64(&all, cells);
    sc_ratio_set_quotient(&overlap, 1, cells > 0 ? cells : 1);
    set_protocol(law, &all, &overlap);
    return cells > 1;
}

static bool hashing(const numbers *n, sc_blanket_law *law)
{
    return hashed(n->field, law);
}

static bool text_hashing(const numbers *n, sc_blanket_law *law)
{
    return hashed(n->cells, law) && (n->cells & (n->cells - 1)) == 0;
}

static bool square_wave(const numbers *n, sc_blanket_law *law)
{
    const int64_t set = 2 * n->width + 1, farthest = n->values - 1;
    if (n->values == 0 || n->width == NONE)
        return false;
    set_quotients(law, n->values + 2 * n->width, set > farthest ? set - farthest : 0,
                  set);
    return true;
}

/* Bits other than the two are the same for both; of these the blanket has (0, 1), (1, 0): r each. */
static bool optimised_unary(const numbers *n, sc_blanket_law *law)
{
    SC_OWN(sc_ball, twice, one);
    (void)n;
    sc_ball_add_int64(&twice, &law->p, 1, BITS);
    sc_ball_mul_power2(&twice, &twice, 1); /* 2 (p + 1) */
    sc_ball_set_int64(&one, 1);
    sc_ball_div(&law->r, &one, &twice, BITS);
    sc_ball_div(&law->t10, &law->p, &twice, BITS);
    sc_ball_div(&law->t11, &law->r, &law->p, BITS);
    return true;
}

static bool symmetric_unary(const numbers *n, sc_blanket_law *law)
{
    SC_OWN(sc_ball, root, square, one);
    (void)n;
    sc_ball_sqrt(&root, &law->p, BITS);
    sc_ball_add_int64(&square, &root, 1, BITS);
    sc_ball_mul(&square, &square, &square, BITS);
    sc_ball_set_int64(&one, 1);
    sc_ball_div(&law->r, &one, &square, BITS);
    sc_ball_div(&law->t10, &root, &square, BITS);
    sc_ball_div(&law->t11, &law->r, &root, BITS);
    return true;
}

typedef struct protocol {
    const char *name, *needs;
    bool (*set)(const numbers *n,
                sc_blanket_law *law); /* false: needs more, or other numbers */
} protocol;

static const protocol protocols[] = {
    {"randomised-response", "values=K", response},
    {"projective-geometry", "field=Q digits=T", projective},
    {"subset-selection", "values=K chosen=D, D < K", subset},
    {"hadamard", "", hadamard},
    {"local-hashing", "field=G", hashing},
    {"text-hashing", "cells=N, the number of cells, a power of two", text_hashing},
    {"optimised-unary", "", optimised_unary},
    {"symmetric-unary", "", symmetric_unary},
    {"square-wave", "values=K width=W", square_wave},
};

#define COUNT(its_name, least, most)                                                     \
    {                                                                                    \
        .name = (its_name), .kind = SC_PARAMETER_INTEGER, .optional = true,              \
        .at_least = (least), .limit_high = (most),                                       \
        .domain = "an integer from " least " to " most                                   \
    }

static const sc_parameter_rule rules[] = {
    COUNT("values", "2", "2^30"), COUNT("field", "2", "2^30"),
    COUNT("digits", "2", "64"),   COUNT("chosen", "1", "2^30"),
    COUNT("blocks", "1", "2^30"), COUNT("width", "0", "2^30"),
    COUNT("cells", "2", "2^30"),
};

static int64_t number(const sc_parameters *parameters, const char *name, int64_t missing)
{
    SC_OWN(sc_integer, whole);
    sc_int128 value = 0;
    const sc_ratio *given = sc_parameters_get(parameters, name);
    if (given == NULL)
        return missing;
    sc_ratio_floor(given, &whole);
    return sc_integer_get_int128(&whole, &value) ? (int64_t)value : 0;
}

static scrim_status set_by_name(const protocol *chosen, sc_text rest, sc_blanket_law *law,
                                scrim_error *error)
{
    sc_parameters parameters;
    sc_parameters_init(&parameters, rules, sizeof rules / sizeof *rules);
    scrim_status status = sc_parameters_parse(&parameters, rest, error);
    if (status == SCRIM_OK) {
        const numbers n = {
            number(&parameters, "values", 0), number(&parameters, "field", 0),
            number(&parameters, "digits", 0), number(&parameters, "chosen", 0),
            number(&parameters, "blocks", 0), number(&parameters, "width", NONE),
            number(&parameters, "cells", 0)};
        if (!chosen->set(&n, law))
            status = sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, "protocol",
                                 "%s needs %s", chosen->name, chosen->needs);
    }
    sc_parameters_clear(&parameters);
    return status;
}

scrim_status sc_shuffle_protocol(sc_text line, sc_blanket_law *law, scrim_error *error)
{
    sc_text name, rest;
    const numbers none = {0};
    if (!sc_parameters_line(line, &name, &rest)) {
        (void)any(&none, law);
        return SCRIM_OK;
    }
    for (size_t i = 0; i < sizeof protocols / sizeof *protocols; i++)
        if (sc_text_is(name, protocols[i].name))
            return set_by_name(&protocols[i], rest, law, error);
    return sc_fail_for(
        error, SCRIM_E_PARAM, SCRIM_REASON_UNKNOWN, "protocol",
        "unknown protocol; use randomised-response, projective-geometry, "
        "subset-selection, hadamard, local-hashing, text-hashing, "
        "optimised-unary, symmetric-unary or square-wave; leave it out for a "
        "bound that holds for every protocol");
}

/* The doubles of the search decide where to look; what is returned was computed in balls. */

#define DIGITS 10            /* of what is returned */
#define WIDTH 0x1p-27        /* of the last interval, in parts of epsilon */
#define NEARLY (1 - 0x1p-20) /* of the local epsilon: beyond it, that is the answer */
#define LEAST 0x1p-50        /* of epsilon */
#define STEPS_MOST 200
#define STEPS_USUAL 24 /* of both searches, for progress */
#define EPSILON_MOST 50

typedef struct question {
    const scrim_amplify_options *asked;
    sc_ratio epsilon, delta;
    sc_blanket_law law;
    double local, near_delta; /* epsilon and delta, about */
    uint64_t steps;           /* done */
} question;

static void question_init(question *q)
{
    sc_ratio_init(&q->epsilon);
    sc_ratio_init(&q->delta);
    sc_blanket_law_init(&q->law);
}

static void question_clear(question *q)
{
    sc_blanket_law_clear(&q->law);
    sc_ratio_clear(&q->delta);
    sc_ratio_clear(&q->epsilon);
}

/* The request. */

static scrim_status read_number(const char *text, const char *name, const char *domain,
                                int64_t most, sc_ratio *out, scrim_error *error)
{
    if (text == NULL)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, name,
                           "%s is missing", name);
    const scrim_status status = sc_ratio_parse(sc_text_of(text), out, error);
    if (status != SCRIM_OK)
        return status;
    if (sc_ratio_sign(out) <= 0 || sc_ratio_compare_int64(out, most) > 0 ||
        (most == 1 && sc_ratio_compare_int64(out, 1) == 0))
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, name,
                                 "must be above 0 and %s", domain);
    return SCRIM_OK;
}

static bool is_below(const sc_ratio *x, const char *limit)
{
    SC_OWN(sc_ratio, least);
    return sc_ratio_parse(sc_text_of(limit), &least, NULL) != SCRIM_OK ||
           sc_ratio_compare(x, &least) < 0;
}

static scrim_status read_question(question *q, scrim_error *error)
{
    SC_OWN(sc_ball, x);
    const scrim_amplify_options *asked = q->asked;
    if (asked->devices == 0 || asked->devices > SC_BLANKET_DEVICES)
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "devices",
                                 "must be from 1 to 10^9");
    scrim_status status = read_number(asked->epsilon, "epsilon", "at most 50",
                                      EPSILON_MOST, &q->epsilon, error);
    if (status == SCRIM_OK)
        status = read_number(asked->delta, "delta", "less than 1", 1, &q->delta, error);
    if (status == SCRIM_OK &&
        (is_below(&q->epsilon, "1e-12") || is_below(&q->delta, "1e-120")))
        status = sc_fail(error, SCRIM_E_LIMIT,
                         "epsilon must be at least 1e-12 and delta at least 1e-120");
    if (status != SCRIM_OK)
        return status;
    q->local = sc_ball_near(&q->epsilon);
    q->near_delta = sc_ball_near(&q->delta);
    sc_ball_set_ratio(&x, &q->epsilon, BITS);
    sc_ball_exp(&q->law.p, &x, BITS);
    return sc_shuffle_protocol(sc_text_of(asked->protocol), &q->law, error);
}

/* The search. */

typedef void evaluation(const sc_blanket *blanket, const sc_ball *rho, sc_ball *out);

/* Zero of a function that falls: at low it is above delta, at high it is not; values are ln of the function
 * there, less ln delta. */
typedef struct bracket {
    double low, high, low_value, high_value;
} bracket;

/* ln(D / delta) by the safe end of the ball, about; whether that end is above delta, exactly. */
static bool is_above(question *q, const sc_blanket *blanket, evaluation *evaluate,
                     double epsilon, double *value)
{
    SC_OWN(sc_ball, rho, found, delta);
    sc_ball_set_double(&rho, epsilon);
    sc_ball_exp(&rho, &rho, BITS);
    evaluate(blanket, &rho, &found);
    const bool is_upper = evaluate == sc_blanket_upper;
    const double end = is_upper ? sc_ball_upper(&found) : sc_ball_lower(&found);
    *value = end > 0 ? log(end / q->near_delta) : -1e3;
    sc_ball_set_ratio(&delta, &q->delta, BITS);
    if (q->asked->progress != NULL)
        q->asked->progress(q->asked->context,
                           q->steps < STEPS_USUAL ? q->steps : STEPS_USUAL - 1,
                           STEPS_USUAL);
    q->steps++;
    /* unsure: an upper end counts as above, a lower end does not */
    return is_upper ? !sc_ball_is_less_equal(&found, &delta)
                    : sc_ball_is_less_equal(&delta, &found);
}

/* From a guess: the answer lies in [low, high]. False: even at high = local it is above; or even
 * at LEAST it is not, and high is LEAST. */
static bool enclose(question *q, const sc_blanket *blanket, evaluation *evaluate,
                    double guess, double factor, bracket *out)
{
    double value, at = fmin(guess, q->local * NEARLY);
    *out = (bracket){0, q->local, 0, 0};
    if (is_above(q, blanket, evaluate, at, &value)) {
        do {
            out->low = at;
            out->low_value = value;
            if (at >= q->local * NEARLY)
                return false;
            at = fmin(at * factor, q->local * NEARLY);
        } while (is_above(q, blanket, evaluate, at, &value));
        out->high = at;
        out->high_value = value;
        return true;
    }
    do {
        out->high = at;
        out->high_value = value;
        if (at <= LEAST)
            return false;
        at = fmax(at / factor, LEAST);
    } while (!is_above(q, blanket, evaluate, at, &value));
    out->low = at;
    out->low_value = value;
    return true;
}

/* False position; a value that stays is halved (Illinois). */
static void narrow(question *q, const sc_blanket *blanket, evaluation *evaluate,
                   bracket *x)
{
    int last = 0;
    for (int i = 0; i < STEPS_MOST && x->high - x->low > 2 * WIDTH * x->high; i++) {
        const double margin = WIDTH * x->high, slope = x->low_value - x->high_value;
        double value, at = x->low + (x->high - x->low) * x->low_value / slope;
        at = fmin(fmax(at, x->low + margin), x->high - margin);
        if (is_above(q, blanket, evaluate, at, &value)) {
            x->low = at;
            x->low_value = value;
            x->high_value *= last == 1 ? 0.5 : 1;
            last = 1;
        } else {
            x->high = at;
            x->high_value = value;
            x->low_value *= last == -1 ? 0.5 : 1;
            last = -1;
        }
    }
}

/* The lower end, by the reduction's value, and a blanket for that. */
static scrim_status find_lower(question *q, bracket *x, scrim_error *error)
{
    sc_blanket *blanket = NULL;
    const uint64_t n = q->asked->devices;
    const double p = exp(q->local);
    const double guess = 4 * sqrt(p * -log(q->near_delta) / (double)n);
    scrim_status status = sc_blanket_new(&q->law, n, q->near_delta, 0, &blanket, error);
    if (status != SCRIM_OK)
        return status;
    if (enclose(q, blanket, sc_blanket_lower, guess, 2, x))
        narrow(q, blanket, sc_blanket_lower, x);
    sc_blanket_free(blanket);
    return SCRIM_OK;
}

static scrim_status find_upper(question *q, double near, bracket *x, scrim_error *error)
{
    sc_blanket *blanket = NULL;
    scrim_status status =
        sc_blanket_new(&q->law, q->asked->devices, q->near_delta, near, &blanket, error);
    if (status != SCRIM_OK)
        return status;
    if (enclose(q, blanket, sc_blanket_upper, near, 1.001, x))
        narrow(q, blanket, sc_blanket_upper, x);
    sc_blanket_free(blanket);
    return SCRIM_OK;
}

/* The result. */

static void put_number(double x, bool is_upper, char text[SCRIM_NUMBER_BYTES],
                       double *view)
{
    SC_OWN(sc_ball, ball);
    SC_OWN(sc_ratio, exact);
    char decimal[SC_DECIMAL_BYTES];
    sc_ball_set_double(&ball, x);
    (void)sc_ball_round_up(&ball, 256, &exact); /* exact: x is 0 or at least LEAST */
    (is_upper ? sc_decimal_upper : sc_decimal_lower)(&exact, DIGITS, decimal);
    memcpy(text, decimal, strlen(decimal) + 1);
    *view = x;
}

static void put_local(const question *q, char text[SCRIM_NUMBER_BYTES], double *view)
{
    char decimal[SC_DECIMAL_BYTES];
    sc_decimal_upper(&q->epsilon, DIGITS, decimal);
    memcpy(text, decimal, strlen(decimal) + 1);
    *view = q->local;
}

static scrim_status answer(question *q, scrim_amplification *out, scrim_error *error)
{
    bracket lower, upper;
    scrim_status status = find_lower(q, &lower, error);
    if (status == SCRIM_OK)
        status = find_upper(q, fmax(lower.low, LEAST), &upper, error);
    if (status != SCRIM_OK)
        return status;
    put_number(lower.low, false, out->lower, &out->lower_view);
    if (upper.high < q->local)
        put_number(upper.high, true, out->upper, &out->upper_view);
    else
        put_local(q, out->upper, &out->upper_view);
    return SCRIM_OK;
}

scrim_status scrim_amplify(const scrim_amplify_options *options, scrim_amplification *out,
                           scrim_error *error)
{
    SC_REQUIRE(error, "options out", options, out);
    question q = {.asked = options};
    if (options == NULL || options->size < sizeof *options)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, "size",
                           "the options have no size");
    SC_BALL_SCOPE(scope);
    question_init(&q);
    scrim_status status = read_question(&q, error);
    if (status == SCRIM_OK)
        status = answer(&q, out, error);
    question_clear(&q);
    return status;
}
