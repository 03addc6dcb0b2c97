/* Planning a histogram on buckets before there are data: of epsilon, delta, the fraction alpha that
 * may be lost and the distance beta that an element may be moved, three are given and the fourth
 * follows.
 *
 * The numbers lie in an interval of a length B, cut into t equal buckets, and there are n elements,
 * which is public. No bar loses more than q of them, so that alpha = t q / n.
 *
 *     alpha is wanted     t from beta, the least q from epsilon and delta
 *     delta is wanted     t from beta, q = floor(alpha n / t), its delta at epsilon
 *     epsilon is wanted   t from beta, q = floor(alpha n / t), the least epsilon for delta
 *     beta is wanted      the least q from epsilon and delta, t = floor(alpha n / q), beta = B / (2 t)
 *
 * Reference  spec/flexible-accuracy.md 5.5
 */
#include "mechanism/histogram/buckets.h"
#include "mechanism/histogram/stlap_noise.h"
#include "model/cost.h"
#include "model/measurement.h"
#include "model/option_struct.h"
#include "scrim/histogram.h"

/* Exactly one of the first four is NULL. */
typedef struct stlap_question {
    const sc_ratio *epsilon; /* above 0 */
    const sc_ratio *delta;   /* above 0, below 1 */
    const sc_ratio *alpha;   /* above 0, at most 1 */
    const sc_ratio *beta;    /* above 0 */
    const sc_ratio *length;  /* B, above 0 */
    uint64_t elements;       /* n, from 1 to 2^62 */
    unsigned sides;          /* 1: an element is there or not; 2: it is another one */
} stlap_question;

typedef struct stlap_plan {
    sc_ratio epsilon; /* 0 where any will do, which no noise can have */
    sc_ratio delta;   /* of this q, rounded up */
    sc_ratio alpha, beta;
    uint64_t q, buckets;
} stlap_plan;

static void stlap_plan_init(stlap_plan *plan)
{
    *plan = (stlap_plan){.q = 0};
    sc_ratio_init(&plan->epsilon);
    sc_ratio_init(&plan->delta);
    sc_ratio_init(&plan->alpha);
    sc_ratio_init(&plan->beta);
}

static void stlap_plan_clear(stlap_plan *plan)
{
    sc_ratio_clear(&plan->beta);
    sc_ratio_clear(&plan->alpha);
    sc_ratio_clear(&plan->delta);
    sc_ratio_clear(&plan->epsilon);
}

/* The question. */

static bool is_between(const sc_ratio *x, int64_t most)
{
    return x == NULL || (sc_ratio_sign(x) > 0 && sc_ratio_compare_int64(x, most) <= 0);
}

static scrim_status check(const stlap_question *ask, scrim_error *error)
{
    const int given = (ask->epsilon != NULL) + (ask->delta != NULL) +
                      (ask->alpha != NULL) + (ask->beta != NULL);
    if (given != 3)
        return sc_fail_for(
            error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "epsilon",
            "give three of epsilon, delta, alpha and beta; the fourth is computed");
    if (!is_between(ask->epsilon, INT64_MAX) || !is_between(ask->alpha, 1) ||
        !is_between(ask->delta, 1) || !is_between(ask->beta, INT64_MAX) ||
        (ask->delta != NULL && sc_ratio_compare_int64(ask->delta, 1) == 0))
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "",
                           "epsilon, delta, alpha and beta must be above 0, delta less "
                           "than 1, alpha at most 1");
    if (ask->length == NULL || sc_ratio_sign(ask->length) <= 0 || ask->elements == 0)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "elements",
                           "the interval has a length above 0, and there is an element");
    if (ask->elements > UINT64_C(1) << 62)
        return sc_fail(error, SCRIM_E_LIMIT, "there are at most 4.6e18 elements");
    return SCRIM_OK;
}

/* The parts. */

static scrim_status find_buckets(const stlap_question *ask, stlap_plan *plan,
                                 scrim_error *error)
{
    const sc_buckets_question question = {.upper = ask->length,
                                          .beta = ask->beta,
                                          .dimensions = 1,
                                          .norm = SC_BUCKET_NORM_MAX};
    sc_buckets buckets;
    scrim_status status = sc_buckets_init(&buckets, &question, error);
    if (status == SCRIM_OK) {
        plan->buckets = buckets.count;
        sc_ratio_set(&plan->beta, &buckets.error);
        sc_buckets_clear(&buckets);
    }
    return status;
}

/* floor(alpha n / parts). */
static uint64_t share_of(const stlap_question *ask, uint64_t parts)
{
    uint64_t share = 0;
    SC_OWN(sc_ratio, x, y);
    SC_OWN(sc_integer, whole);
    sc_ratio_set_int64(&x, (int64_t)ask->elements);
    sc_ratio_mul(&x, &x, ask->alpha);
    sc_ratio_set_int128(&y, (sc_int128)parts);
    sc_ratio_div(&x, &x, &y);
    sc_ratio_floor(&x, &whole);
    (void)sc_integer_get_uint64(&whole, &share); /* at most n */
    return share;
}

static scrim_status find_share(const stlap_question *ask, stlap_plan *plan,
                               scrim_error *error)
{
    plan->q = share_of(ask, plan->buckets);
    if (plan->q == 0)
        return sc_fail_for(
            error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "alpha",
            "that alpha leaves less than one element to lose in each of %llu "
            "buckets; choose a larger alpha or a larger beta",
            (unsigned long long)plan->buckets);
    if (plan->q > SC_STLAP_Q_MAX) /* a smaller q loses less */
        plan->q = SC_STLAP_Q_MAX;
    return SCRIM_OK;
}

/* The noise's: epsilon / sides. */
static void noise_epsilon(const sc_ratio *epsilon, unsigned sides, sc_ratio *out)
{
    sc_ratio_set_int64(out, (int64_t)sides);
    sc_ratio_div(out, epsilon, out);
}

static scrim_status find_q(const stlap_question *ask, stlap_plan *plan,
                           scrim_error *error)
{
    SC_OWN(sc_ratio, noise);
    noise_epsilon(ask->epsilon, ask->sides, &noise);
    return sc_stlap_q_of(&noise, ask->delta, 1, ask->sides, &plan->q, error);
}

static scrim_status find_delta(const sc_ratio *epsilon, unsigned sides, stlap_plan *plan,
                               scrim_error *error)
{
    SC_OWN(sc_ratio, noise);
    SC_OWN(sc_ball, mass);
    noise_epsilon(epsilon, sides, &noise);
    sc_stlap_delta(&noise, plan->q, 1, sides, SC_STLAP_BITS, &mass);
    const bool is_found = sc_cost_round_up_ball(&mass, &plan->delta);
    return is_found ? SCRIM_OK : sc_fail(error, SCRIM_E_INTERNAL, "a mass is not finite");
}

/* The delta of one side: 1 - sqrt(1 - delta), rounded down because it is a target. */
static void side_delta_lower(const sc_ratio *delta, unsigned sides, sc_ratio *out)
{
    sc_ratio_set(out, delta);
    if (sides == 1)
        return;
    SC_OWN(sc_ball, x);
    sc_ball_set_ratio(&x, delta, SC_STLAP_BITS);
    sc_ball_neg(&x, &x);
    sc_ball_log1p(&x, &x, SC_STLAP_BITS);
    sc_ball_mul_power2(&x, &x, -1);
    sc_ball_expm1(&x, &x, SC_STLAP_BITS);
    sc_ball_neg(&x, &x);
    (void)sc_ball_round_down(&x, SC_STLAP_BITS, out);
}

static scrim_status find_epsilon(const stlap_question *ask, stlap_plan *plan,
                                 scrim_error *error)
{
    SC_OWN(sc_ratio, side, sides);
    side_delta_lower(ask->delta, ask->sides, &side);
    scrim_status status = sc_stlap_epsilon_of(plan->q, &side, &plan->epsilon, error);
    sc_ratio_set_int64(&sides, (int64_t)ask->sides);
    sc_ratio_mul(&plan->epsilon, &plan->epsilon, &sides);
    sc_ratio_set(&plan->delta, ask->delta);
    return status;
}

/* t = floor(alpha n / q), beta = B / (2 t). */
static scrim_status find_beta(const stlap_question *ask, stlap_plan *plan,
                              scrim_error *error)
{
    plan->buckets = share_of(ask, plan->q);
    if (plan->buckets == 0)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "alpha",
                           "that epsilon and delta may lose %llu elements of one bucket, "
                           "which is more than that alpha; choose a larger one of them",
                           (unsigned long long)plan->q);
    SC_OWN(sc_ratio, twice);
    sc_ratio_set_int128(&twice, 2 * (sc_int128)plan->buckets);
    sc_ratio_div(&plan->beta, ask->length, &twice);
    return SCRIM_OK;
}

/* t q / n. */
static void find_alpha(const stlap_question *ask, stlap_plan *plan)
{
    SC_OWN(sc_ratio, x);
    sc_ratio_set_int128(&plan->alpha, (sc_int128)plan->buckets);
    sc_ratio_set_int128(&x, (sc_int128)plan->q);
    sc_ratio_mul(&plan->alpha, &plan->alpha, &x);
    sc_ratio_set_int64(&x, (int64_t)ask->elements);
    sc_ratio_div(&plan->alpha, &plan->alpha, &x);
}

static scrim_status find(const stlap_question *ask, stlap_plan *plan, scrim_error *error)
{
    scrim_status status = check(ask, error);
    if (status == SCRIM_OK && ask->beta != NULL)
        status = find_buckets(ask, plan, error);
    if (status == SCRIM_OK)
        status = ask->epsilon == NULL || ask->delta == NULL ? find_share(ask, plan, error)
                                                            : find_q(ask, plan, error);
    if (status == SCRIM_OK && ask->beta == NULL)
        status = find_beta(ask, plan, error);
    if (status != SCRIM_OK)
        return status;
    find_alpha(ask, plan);
    if (ask->epsilon == NULL)
        return find_epsilon(ask, plan, error);
    sc_ratio_set(&plan->epsilon, ask->epsilon);
    return find_delta(ask->epsilon, ask->sides, plan, error);
}

/* SCRIM_E_PARAM for an invalid question, or one without an answer: no element may be lost, no bucket is
 * left. SCRIM_E_LIMIT. plan, which is initialised, is then untouched. */
static scrim_status stlap_plan_find(const stlap_question *question, stlap_plan *plan,
                                    scrim_error *error)
{
    stlap_plan found;
    stlap_plan_init(&found);
    scrim_status status = find(question, &found, error);
    if (status == SCRIM_OK) {
        const stlap_plan before = *plan;
        *plan = found;
        found = before;
    }
    stlap_plan_clear(&found);
    return status;
}

/* The public form. */

typedef struct reading {
    sc_ratio epsilon, delta, alpha, beta, lower, upper, elements;
} reading;

static void reading_init(reading *r)
{
    sc_ratio *const all[] = {&r->epsilon, &r->delta, &r->alpha,   &r->beta,
                             &r->lower,   &r->upper, &r->elements};
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers */
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        sc_ratio_init(all[i]);
}

static void reading_clear(reading *r)
{
    sc_ratio *const all[] = {&r->epsilon, &r->delta, &r->alpha,   &r->beta,
                             &r->lower,   &r->upper, &r->elements};
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers */
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        sc_ratio_clear(all[i]);
}

/* *given points to the number, or to nothing. */
static scrim_status take(const char *name, const char *text, sc_ratio *out,
                         const sc_ratio **given, scrim_error *error)
{
    scrim_error inner;
    if (text == NULL)
        return SCRIM_OK;
    scrim_status status = sc_ratio_parse(sc_text_of(text), out, &inner);
    if (status != SCRIM_OK)
        return sc_fail_for(error, status, SCRIM_REASON_SYNTAX, name, "%s: %s", name,
                           inner.message);
    if (given != NULL)
        *given = out;
    return SCRIM_OK;
}

static scrim_status read_question(const scrim_histogram_question *o, reading *r,
                                  stlap_question *ask, scrim_error *error)
{
    scrim_status status = take("epsilon", o->epsilon, &r->epsilon, &ask->epsilon, error);
    if (status == SCRIM_OK)
        status = take("delta", o->delta, &r->delta, &ask->delta, error);
    if (status == SCRIM_OK)
        status = take("alpha", o->alpha, &r->alpha, &ask->alpha, error);
    if (status == SCRIM_OK)
        status = take("beta", o->beta, &r->beta, &ask->beta, error);
    if (status == SCRIM_OK)
        status = take("lower", o->lower, &r->lower, NULL, error);
    if (status == SCRIM_OK)
        status = take("upper", o->upper, &r->upper, &ask->length, error);
    if (status == SCRIM_OK)
        status = take("elements", o->elements, &r->elements, NULL, error);
    if (status != SCRIM_OK)
        return status;
    sc_ratio_sub(&r->upper, &r->upper, &r->lower);
    SC_OWN(sc_integer, whole);
    sc_ratio_floor(&r->elements, &whole);
    if (!sc_ratio_is_integer(&r->elements) || sc_integer_sign(&whole) < 0)
        status = sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_SYNTAX, "elements",
                                   "a whole number");
    else if (!sc_integer_get_uint64(&whole, &ask->elements))
        ask->elements = UINT64_MAX; /* more than there may be */
    return status;
}

scrim_status scrim_histogram_plan_find(const scrim_histogram_question *question,
                                       scrim_histogram_plan *plan, scrim_error *error)
{
    SC_REQUIRE(error, "plan", plan);
    scrim_histogram_question own;
    scrim_status status = sc_option_struct_copy(
        question, offsetof(scrim_histogram_question, epsilon), &own, sizeof own, error);
    if (status != SCRIM_OK)
        return status;
    if (own.neighbours != SCRIM_ADD_REMOVE && own.neighbours != SCRIM_REPLACE)
        return sc_fail_for(
            error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, "neighbours",
            "neighbours is not set; use SCRIM_ADD_REMOVE or SCRIM_REPLACE");
    reading r;
    stlap_plan found;
    stlap_question ask = {.sides = own.neighbours == SCRIM_REPLACE ? 2 : 1};
    SC_BALL_SCOPE(scope);
    reading_init(&r);
    stlap_plan_init(&found);
    status = read_question(&own, &r, &ask, error);
    if (status == SCRIM_OK)
        status = stlap_plan_find(&ask, &found, error);
    if (status == SCRIM_OK) {
        plan->q = found.q;
        plan->buckets = found.buckets;
        sc_cost_put_upper(&found.epsilon, plan->epsilon);
        sc_cost_put_upper(&found.delta, plan->delta);
        sc_cost_put_upper(&found.alpha, plan->alpha);
        sc_cost_put_upper(&found.beta, plan->beta);
    }
    stlap_plan_clear(&found);
    reading_clear(&r);
    return status;
}
