#include "sampling/law.h"

/* -k/scale. */
static void exponent(const sc_ratio *scale, sc_int128 k, long bits, sc_ball *out)
{
    SC_OWN(sc_ball, denominator);
    sc_ball_set_ratio(&denominator, scale, bits);
    sc_ball_set_int128(out, -k);
    sc_ball_div(out, out, &denominator, bits);
}

void sc_decay(const sc_ratio *scale, sc_int128 k, long bits, sc_ball *out)
{
    /* An exponent of up to 2^180 needs that many bits more, so that the result has `bits`
     * bits. */
    exponent(scale, k, bits + 192, out);
    sc_ball_exp(out, out, bits);
}

void sc_decay_rest(const sc_ratio *scale, sc_int128 k, long bits, sc_ball *out)
{
    exponent(scale, k, bits + 192, out);
    sc_ball_expm1(out, out, bits);
    sc_ball_neg(out, out);
}

void sc_decay_spread(const sc_ratio *scale, long bits, sc_ball *out)
{
    exponent(scale, 1, bits + 192, out);
    sc_ball_mul_power2(out, out, -1);
    sc_ball_sinh(out, out, bits);
    sc_ball_mul(out, out, out, bits);
    sc_ball_mul_power2(out, out, 2);
    SC_OWN(sc_ball, one);
    sc_ball_set_int64(&one, 1);
    sc_ball_div(out, &one, out, bits);
}

/* With n = last and p = exp(-1/scale):
 *   order 0   (1 - p^(n+1)) / (1-p)
 *   order 1   p (1 - (n+1) p^n + n p^(n+1)) / (1-p)^2
 *   order 2   p (1 + p - (n+1)^2 p^n + (2n^2+2n-1) p^(n+1) - n^2 p^(n+2)) / (1-p)^3
 * The brackets cancel where n is short against the scale: 3 log2 of the scale, and of the
 * quotient, at most 360 bits. */
static void decay_bracket(const sc_ratio *scale, sc_int128 n, int order, long bits,
                          sc_ball *out)
{
    SC_OWN(sc_ball, power, factor);
    sc_ball_set_int64(out, 1);
    if (order == 2) {
        sc_decay(scale, 1, bits, &power);
        sc_ball_add(out, out, &power, bits);
    }
    SC_OWN(sc_ball, big);
    sc_ball_set_int128(&big, n);
    for (int j = 0; j <= order; j++) {
        /* The factor of p^(n+j): order 1: -(n+1), n; order 2: -(n+1)^2, 2n^2+2n-1,
         * -n^2. */
        sc_ball_add_int64(&factor, &big, j == 0 ? 1 : 0, bits);
        if (order == 2 && j != 1)
            sc_ball_mul(&factor, &factor, &factor, bits);
        if (order == 2 && j == 1) {
            sc_ball_add_int64(&factor, &big, 1, bits);
            sc_ball_mul(&factor, &factor, &big, bits);
            sc_ball_mul_power2(&factor, &factor, 1);
            sc_ball_add_int64(&factor, &factor, -1, bits);
        }
        if (j != 1)
            sc_ball_neg(&factor, &factor);
        sc_decay(scale, n + j, bits, &power);
        sc_ball_mul(&factor, &factor, &power, bits);
        sc_ball_add(out, out, &factor, bits);
    }
}

void sc_decay_sum(const sc_ratio *scale, sc_int128 last, int order, long bits,
                  sc_ball *out)
{
    SC_OWN(sc_ball, rest, divisor);
    long wide = bits + 512;
    sc_decay_rest(scale, 1, wide, &rest);
    sc_ball_power(&divisor, &rest, (uint64_t)order + 1, wide);
    if (order == 0) {
        sc_decay_rest(scale, last + 1, wide, out);
    } else {
        decay_bracket(scale, last, order, wide, out);
        sc_decay(scale, 1, wide, &rest);
        sc_ball_mul(out, out, &rest, wide);
    }
    sc_ball_div(out, out, &divisor, bits);
}

#define FAR ((sc_int128)1 << 120)
#define BITS_MAX 8192
#define GUESS_BITS 64

void sc_law_init(sc_law *law, const sc_law_functions *functions, const sc_ratio *shape,
                 sc_int128 bound)
{
    law->functions = functions;
    sc_ratio_init(&law->shape);
    if (shape != NULL)
        sc_ratio_set(&law->shape, shape);
    law->bound = bound;
    law->context = NULL;
}

void sc_law_clear(sc_law *law)
{
    sc_ratio_clear(&law->shape);
}

void sc_law_pmf(const sc_law *law, sc_int128 k, long bits, sc_ball *out)
{
    sc_int128 low, high;
    law->functions->support(law, &low, &high);
    if (k < low || k > high)
        sc_ball_set_int64(out, 0);
    else
        law->functions->pmf(law, k, bits, out);
}

void sc_law_at_most(const sc_law *law, sc_int128 k, long bits, sc_ball *out)
{
    sc_int128 low, high;
    law->functions->support(law, &low, &high);
    if (k < low || k >= high)
        sc_ball_set_int64(out, k >= high);
    else if (law->functions->is_symmetric)
        sc_law_at_least(law, -k, bits, out);
    else
        law->functions->at_most(law, k, bits, out);
}

void sc_law_at_least(const sc_law *law, sc_int128 k, long bits, sc_ball *out)
{
    sc_int128 low, high;
    law->functions->support(law, &low, &high);
    if (k <= low || k > high) {
        sc_ball_set_int64(out, k <= low);
        return;
    }
    bool is_other_side = law->functions->is_symmetric && k < 1;
    law->functions->at_least(law, is_other_side ? 1 - k : k, bits, out);
    if (is_other_side) {
        sc_ball_neg(out, out);
        sc_ball_add_int64(out, out, 1, bits);
    }
}

void sc_law_between(const sc_law *law, sc_int128 low, sc_int128 high, long bits,
                    sc_ball *out)
{
    if (low > high) {
        sc_ball_set_int64(out, 0);
        return;
    }
    if (low == high) {
        sc_law_pmf(law, low, bits, out);
        return;
    }
    /* A difference of the tails on the side where the range lies keeps its digits. */
    SC_OWN(sc_ball, part);
    if (low > 0) {
        sc_law_at_least(law, low, bits, out);
        sc_law_at_least(law, high + 1, bits, &part);
    } else if (high < 0) {
        sc_law_at_most(law, high, bits, out);
        sc_law_at_most(law, low - 1, bits, &part);
    } else {
        sc_law_at_least(law, high + 1, bits, &part);
        sc_law_at_most(law, low - 1, bits, out);
        sc_ball_add(&part, &part, out, bits);
        sc_ball_set_int64(out, 1);
    }
    sc_ball_sub(out, out, &part, bits);
}

void sc_law_mean(const sc_law *law, long bits, sc_ball *out)
{
    if (law->functions->is_symmetric)
        sc_ball_set_int64(out, 0);
    else
        law->functions->mean(law, bits, out);
}

void sc_law_variance(const sc_law *law, long bits, sc_ball *out)
{
    law->functions->variance(law, bits, out);
}

/* Quantiles. */

/* The goal of a search: the smallest k at which this holds, having failed below. */
typedef void probability(const sc_law *law, sc_int128 k, long bits, sc_ball *out);

static void outside(const sc_law *law, sc_int128 a, long bits, sc_ball *out)
{
    sc_law_at_least(law, a + 1, bits, out);
    if (law->functions->is_symmetric) {
        sc_ball_mul_power2(out, out, 1);
        return;
    }
    SC_OWN(sc_ball, left);
    sc_law_at_most(law, -a - 1, bits, &left);
    sc_ball_add(out, out, &left, bits);
}

/* -1, 0 or 1 as P(k) is below, equal to or above the limit; log is ln(P(k) / limit), which may be
 * infinite or unknown, or NULL. */
static int compare(const sc_law *law, probability *of, sc_int128 k, const sc_ratio *limit,
                   sc_ball *log)
{
    int order = 0;
    SC_OWN(sc_ball, value, edge);
    for (long bits = 128; order == 0 && bits <= BITS_MAX; bits *= 4) {
        of(law, k, bits, &value);
        sc_ball_set_ratio(&edge, limit, bits);
        order = sc_ball_is_less(&value, &edge)   ? -1
                : sc_ball_is_less(&edge, &value) ? 1
                                                 : 0;
    }
    if (log != NULL) {
        sc_ball_div(log, &value, &edge, GUESS_BITS);
        sc_ball_log(log, log, GUESS_BITS);
    }
    return order;
}

/* Does k satisfy the condition: P(k) >= limit when it rises, P(k) <= limit when it
 * falls? */
static bool holds(const sc_law *law, probability *of, bool rises, sc_int128 k,
                  const sc_ratio *limit)
{
    int order = compare(law, of, k, limit, NULL);
    return rises ? order >= 0 : order <= 0;
}

static scrim_status too_far(scrim_error *error)
{
    return sc_fail_parameter(
        error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE, "p",
        "the quantile lies beyond 1.3e36; ask for one that is less extreme");
}

/* Two places with the border between them, no < border <= yes, and how far P is from the limit at
 * each, as a logarithm. */
typedef struct bracket {
    sc_int128 no, yes;
    sc_ball log_no, log_yes;
} bracket;

/* Looks at k, which lies between, and makes it an end; true when it holds. */
static bool look(const sc_law *law, probability *of, sc_int128 k, const sc_ratio *limit,
                 bracket *b)
{
    SC_OWN(sc_ball, log);
    const bool is_yes = compare(law, of, k, limit, &log) <= 0;
    *(is_yes ? &b->yes : &b->no) = k;
    sc_ball_set(is_yes ? &b->log_yes : &b->log_no, &log);
    return is_yes;
}

/* The share of the way from no to yes, in 2^-20, at which a straight line meets the limit; half of it
 * where there is no line. */
static sc_int128 line_share(const bracket *b)
{
    const sc_int128 whole = (sc_int128)1 << 20;
    sc_int128 share = whole / 2;
    SC_OWN(sc_ball, part, all);
    SC_OWN(sc_ratio, ratio);
    SC_OWN(sc_integer, floor);
    sc_ball_sub(&all, &b->log_no, &b->log_yes, GUESS_BITS);
    sc_ball_div(&part, &b->log_no, &all, GUESS_BITS);
    sc_ball_mul_power2(&part, &part, 20);
    if (!sc_ball_is_finite(&part) || !sc_ball_round_down(&part, 0, &ratio))
        return share;
    sc_ratio_floor(&ratio, &floor);
    if (!sc_integer_get_int128(&floor, &share) || share < 0 || share > whole)
        share = whole / 2;
    return share;
}

/* A tail falls nearly like an exponential: where the line of its logarithms meets the limit is near the
 * border, and a look a little before and a little behind it leaves that little. What is found is
 * what bisection finds, whatever the guess; a guess that fails is followed by a middle. */
static void narrow(const sc_law *law, probability *of, const sc_ratio *limit,
                   sc_int128 *no, sc_int128 *yes)
{
    bracket b = {.no = *no, .yes = *yes};
    unsigned trust = 3;
    sc_ball_init(&b.log_no);
    sc_ball_init(&b.log_yes);
    (void)compare(law, of, b.no, limit, &b.log_no);
    (void)compare(law, of, b.yes, limit, &b.log_yes);
    while (b.yes - b.no > 64) {
        const sc_int128 width = b.yes - b.no, margin = width >> trust;
        const sc_int128 guess = b.no + (width >> 20) * line_share(&b) +
                                (width % (1 << 20)) * line_share(&b) / (1 << 20);
        const sc_int128 low = guess - margin > b.no ? guess - margin : b.no + 1;
        const sc_int128 high = guess + margin < b.yes ? guess + margin : b.yes - 1;
        const bool is_caught = !look(law, of, low, limit, &b) && high > low &&
                               look(law, of, high, limit, &b);
        if (is_caught)
            trust = trust < 10 ? 2 * trust : 18;
        else {
            trust = trust > 3 ? trust / 2 : 2;
            look(law, of, b.no + (b.yes - b.no) / 2, limit, &b);
        }
    }
    *no = b.no;
    *yes = b.yes;
    sc_ball_clear(&b.log_no);
    sc_ball_clear(&b.log_yes);
}

/* The standard deviation rounded down, or 1: a radius is of that size. */
static sc_int128 first_step(const sc_law *law)
{
    sc_int128 step = 1;
    SC_OWN(sc_ball, deviation);
    SC_OWN(sc_ratio, ratio);
    SC_OWN(sc_integer, floor);
    sc_law_variance(law, GUESS_BITS, &deviation);
    sc_ball_sqrt(&deviation, &deviation, GUESS_BITS);
    if (!sc_ball_is_finite(&deviation) || !sc_ball_round_down(&deviation, 0, &ratio))
        return step;
    sc_ratio_floor(&ratio, &floor);
    if (!sc_integer_get_int128(&floor, &step) || step < 1 || step > FAR / 2)
        step = 1;
    return step;
}

/* Doubling steps bracket the first k that holds, bisection finds it; a falling tail is narrowed
 * first. */
static scrim_status search(const sc_law *law, probability *of, bool rises,
                           sc_int128 least, const sc_ratio *limit, sc_int128 *out,
                           scrim_error *error)
{
    sc_int128 no = least, yes = least, step = 1;
    if (holds(law, of, rises, 0 > least ? 0 : least, limit)) {
        yes = 0 > least ? 0 : least;
        no = yes - 1;
        while (no >= least && holds(law, of, rises, no, limit)) {
            yes = no;
            no -= step;
            step *= 2;
        }
        if (no < least)
            no = least - 1;
    } else {
        no = 0 > least ? 0 : least;
        step = rises ? 1 : first_step(law);
        yes = no + step;
        while (!holds(law, of, rises, yes, limit)) {
            if (yes == FAR)
                return too_far(error);
            no = yes;
            yes = yes + step < FAR ? yes + step : FAR;
            step *= 2;
        }
    }
    if (!rises && yes - no > 64)
        narrow(law, of, limit, &no, &yes);
    while (yes - no > 1) {
        sc_int128 middle = no + (yes - no) / 2;
        if (holds(law, of, rises, middle, limit))
            yes = middle;
        else
            no = middle;
    }
    *out = yes;
    return SCRIM_OK;
}

scrim_status sc_law_quantile(const sc_law *law, const sc_ratio *p, sc_int128 *out,
                             scrim_error *error)
{
    sc_int128 low, high;
    if (sc_ratio_sign(p) <= 0 || sc_ratio_compare_int64(p, 1) >= 0)
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "p",
                                 "p must be above 0 and below 1");
    law->functions->support(law, &low, &high);
    SC_BALL_SCOPE(scope);
    sc_int128 least = low < -FAR ? -FAR : low, value = 0;
    scrim_status status = search(law, sc_law_at_most, true, least, p, &value, error);
    if (status == SCRIM_OK && value == -FAR)
        status = too_far(error);
    if (status == SCRIM_OK)
        *out = value;
    return status;
}

scrim_status sc_law_radius(const sc_law *law, const sc_ratio *beta, sc_int128 *out,
                           scrim_error *error)
{
    if (sc_ratio_sign(beta) <= 0 || sc_ratio_compare_int64(beta, 1) >= 0)
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "beta",
                                 "beta must be above 0 and below 1");
    SC_BALL_SCOPE(scope);
    return search(law, outside, false, 0, beta, out, error);
}
