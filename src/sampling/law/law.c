#include "sampling/law/law.h"

#define FAR ((sc_int128)1 << 120)
#define BITS_MAX 8192

void sc_law_init(sc_law *law, const sc_law_functions *functions, const sc_ratio *shape,
                 sc_int128 bound)
{
    law->functions = functions;
    sc_ratio_init(&law->shape);
    if (shape != NULL)
        sc_ratio_set(&law->shape, shape);
    law->bound = bound;
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

/* What is searched for: the smallest k at which this holds, having failed below. */
typedef void probability(const sc_law *law, sc_int128 k, long bits, sc_ball *out);

static void outside(const sc_law *law, sc_int128 a, long bits, sc_ball *out)
{
    SC_OWN(sc_ball, left);
    sc_law_at_most(law, -a - 1, bits, &left);
    sc_law_at_least(law, a + 1, bits, out);
    sc_ball_add(out, out, &left, bits);
}

/* -1, 0 or 1 as P(k) is below, equal to or above the limit. */
static int compare(const sc_law *law, probability *of, sc_int128 k, const sc_ratio *limit)
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
    return order;
}

/* Does k satisfy the condition: P(k) >= limit when it rises, P(k) <= limit when it
 * falls? */
static bool holds(const sc_law *law, probability *of, bool rises, sc_int128 k,
                  const sc_ratio *limit)
{
    int order = compare(law, of, k, limit);
    return rises ? order >= 0 : order <= 0;
}

static scrim_status too_far(scrim_error *error)
{
    return sc_fail_parameter(
        error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE, "p",
        "the quantile lies beyond 2^120; ask for one that is less extreme");
}

/* Doubling steps bracket the first k that holds, bisection finds it. */
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
        yes = no + 1;
        while (yes <= FAR && !holds(law, of, rises, yes, limit)) {
            no = yes;
            yes += step;
            step *= 2;
        }
        if (yes > FAR)
            return too_far(error);
    }
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
                                 "a quantile is asked for 0 < p < 1");
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
                                 "a radius is asked for 0 < beta < 1");
    SC_BALL_SCOPE(scope);
    return search(law, outside, false, 0, beta, out, error);
}
