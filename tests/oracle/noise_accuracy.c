#include "noise_accuracy.h"

#include "base/number/ratio.h"

#define BITS 512 /* of what a search is decided with */
#define STEPS 70 /* of a bisection */
/* Binary places of a share of beta: beta has up to 4096 bits, shares more. */
#define FINE 1024L

/* out = 1 - (1 - x)^(count or 1/count), without a loss of digits where x is small. */
static void to_power(const sc_ball *x, uint64_t count, bool is_root, long bits,
                     sc_ball *out)
{
    sc_ball times;
    sc_ball_init(&times);
    sc_ball_set_int128(&times, count);
    sc_ball_neg(out, x);
    sc_ball_log1p(out, out, bits);
    if (is_root)
        sc_ball_div(out, out, &times, bits);
    else
        sc_ball_mul(out, out, &times, bits);
    sc_ball_expm1(out, out, bits);
    sc_ball_neg(out, out);
    sc_ball_clear(&times);
}

/* P(|Z| > radius) */
static void outside(const sc_law *law, sc_int128 radius, long bits, sc_ball *out)
{
    sc_ball left;
    sc_ball_init(&left);
    sc_law_at_most(law, -radius - 1, bits, &left);
    sc_law_at_least(law, radius + 1, bits, out);
    sc_ball_add(out, out, &left, bits);
    sc_ball_clear(&left);
}

void noise_failure(const sc_law *law, sc_int128 radius, uint64_t count, long bits,
                   sc_ball *out)
{
    outside(law, radius, bits, out);
    to_power(out, count, false, bits, out);
}

static scrim_status check_beta(const sc_ratio *beta, uint64_t count, scrim_error *error)
{
    if (sc_ratio_sign(beta) > 0 && sc_ratio_compare_int64(beta, 1) < 0 && count > 0)
        return SCRIM_OK;
    return sc_fail(error, SCRIM_E_PARAM,
                   "beta must be above 0 and below 1 and at least one value");
}

/* The share of beta for each of count values, as a ball. */
static void share_of(const sc_ratio *beta, uint64_t count, long bits, sc_ball *out)
{
    sc_ball_set_ratio(out, beta, bits);
    to_power(out, count, true, bits, out);
}

scrim_status noise_radius(const sc_law *law, const sc_ratio *beta, uint64_t count,
                          sc_int128 *out, scrim_error *error)
{
    sc_ball share;
    sc_ratio each;
    scrim_status status = check_beta(beta, count, error);
    if (status != SCRIM_OK)
        return status;
    if (count == 1)
        return sc_law_radius(law, beta, out, error);
    sc_ball_init(&share);
    sc_ratio_init(&each);
    /* Below the share by 2^-FINE: no tail that is not equal to it lies so near. */
    share_of(beta, count, 2 * FINE, &share);
    if (!sc_ball_round_down(&share, FINE, &each) || sc_ratio_sign(&each) <= 0)
        status = sc_fail(error, SCRIM_E_LIMIT,
                         "beta: a share of 2^-%d or less for each value is too small",
                         (int)FINE);
    if (status == SCRIM_OK)
        status = sc_law_radius(law, &each, out, error);
    sc_ratio_clear(&each);
    sc_ball_clear(&share);
    return status;
}

/* The inverses. */

typedef struct laplace_question {
    sc_int128 radius;
    sc_ball share;
} laplace_question;

/* Does noise of scale 1/epsilon keep the radius? */
static bool keeps_radius(const void *question, const sc_ratio *epsilon)
{
    const laplace_question *q = question;
    sc_ratio scale;
    sc_law law;
    sc_ball tail;
    sc_ratio_init(&scale);
    sc_ball_init(&tail);
    sc_ratio_set_int64(&scale, 1);
    sc_ratio_div(&scale, &scale, epsilon);
    sc_law_init(&law, &sc_discrete_laplace_law, &scale, 0);
    outside(&law, q->radius, BITS, &tail);
    bool result = sc_ball_is_less_equal(&tail, &q->share);
    sc_law_clear(&law);
    sc_ball_clear(&tail);
    sc_ratio_clear(&scale);
    return result;
}

scrim_status laplace_epsilon_for_radius(sc_int128 radius, const sc_ratio *beta,
                                        uint64_t count, sc_ratio *out, scrim_error *error)
{
    laplace_question question = {.radius = radius};
    sc_ratio low, high;
    scrim_status status = check_beta(beta, count, error);
    if (status != SCRIM_OK)
        return status;
    sc_ball_init(&question.share);
    sc_ratio_init(&low);
    sc_ratio_init(&high);
    share_of(beta, count, BITS, &question.share);
    if (sc_ratio_bracket(keeps_radius, &question, -60, 10, &low, &high)) {
        sc_ratio_bisect(keeps_radius, &question, STEPS, &low, &high);
        sc_ratio_set(out, &high);
    } else {
        status = sc_fail(error, SCRIM_E_LIMIT,
                         "no epsilon from 2^-60 to 2^10 has that accuracy");
    }
    sc_ratio_clear(&high);
    sc_ratio_clear(&low);
    sc_ball_clear(&question.share);
    return status;
}

/* -scale ln(1 - (1 - beta)^(1/count)) */
void laplace_radius_continuous(const sc_ratio *scale, const sc_ratio *beta,
                               uint64_t count, long bits, sc_ball *out)
{
    sc_ball part;
    sc_ball_init(&part);
    share_of(beta, count, bits, out);
    sc_ball_log(out, out, bits);
    sc_ball_neg(out, out);
    sc_ball_set_ratio(&part, scale, bits);
    sc_ball_mul(out, out, &part, bits);
    sc_ball_clear(&part);
}

void laplace_radius_union(const sc_ratio *scale, const sc_ratio *beta, uint64_t count,
                          long bits, sc_ball *out)
{
    sc_ball part;
    sc_ball_init(&part);
    sc_ball_set_int128(out, count);
    sc_ball_set_ratio(&part, beta, bits);
    sc_ball_div(out, out, &part, bits);
    sc_ball_log(out, out, bits);
    sc_ball_set_ratio(&part, scale, bits);
    sc_ball_mul(out, out, &part, bits);
    sc_ball_clear(&part);
}

/* erfc(x / sqrt 2) <= beta / count */
static bool is_beyond(const void *question, const sc_ratio *x)
{
    sc_ball value, root;
    sc_ball_init(&value);
    sc_ball_init(&root);
    sc_ball_set_int64(&root, 2);
    sc_ball_sqrt(&root, &root, BITS);
    sc_ball_set_ratio(&value, x, BITS);
    sc_ball_div(&value, &value, &root, BITS);
    sc_ball_erfc(&value, &value, BITS);
    bool result = sc_ball_is_less_equal(&value, question);
    sc_ball_clear(&root);
    sc_ball_clear(&value);
    return result;
}

scrim_status normal_quantile_upper(const sc_ratio *beta, uint64_t count, sc_ratio *out,
                                   scrim_error *error)
{
    sc_ball share, part;
    sc_ratio low, high;
    scrim_status status = check_beta(beta, count, error);
    if (status != SCRIM_OK)
        return status;
    sc_ball_init(&share);
    sc_ball_init(&part);
    sc_ratio_init(&low);
    sc_ratio_init(&high);
    sc_ball_set_ratio(&share, beta, BITS);
    sc_ball_set_int128(&part, count);
    sc_ball_div(&share, &share, &part, BITS);
    if (sc_ratio_bracket(is_beyond, &share, -4096, 10, &low, &high)) {
        sc_ratio_bisect(is_beyond, &share, STEPS, &low, &high);
        sc_ratio_set(out, &high);
    } else {
        status = sc_fail(error, SCRIM_E_LIMIT,
                         "beta: no normal number is that unlikely within 2^10 sigma");
    }
    sc_ratio_clear(&high);
    sc_ratio_clear(&low);
    sc_ball_clear(&part);
    sc_ball_clear(&share);
    return status;
}
