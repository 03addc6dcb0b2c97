#include "mechanism/noise/truncated.h"

#include "mechanism/noise/laplace.h"
#include "model/domain.h"

#define BITS 256
#define BOUND_MAX ((sc_int128)1 << 60)

static const sc_parameter_rule parameters[] = {
    SC_PARAMETER_SENSITIVITY,
    SC_PARAMETER_EPSILON,
    SC_PARAMETER_SCALE,
    SC_RULE_COUNT("bound", "2^60", "a number of steps, an integer from 1 to 1.1e18"),
    SC_PARAMETER_DELTA,
    SC_PARAMETER_GRID,
    SC_PARAMETER_LOWER,
    SC_PARAMETER_UPPER,
    SC_PARAMETER_SIZE,
    SC_PARAMETER_WHOLE,
    SC_PARAMETER_NEIGHBOURS,
};

/* The mass of the shift outermost points of one side. */
static void outermost(const sc_law *law, uint64_t shift, sc_ball *out)
{
    sc_law_at_least(law, law->bound - (sc_int128)shift + 1, BITS, out);
}

static bool has_delta(sc_additive *s, sc_int128 bound, const sc_ball *delta)
{
    SC_OWN(sc_ball, mass);
    s->law.bound = bound;
    outermost(&s->law, s->shift, &mass);
    return sc_ball_is_less_equal(&mass, delta);
}

/* The smallest bound whose mass is at most delta; the mass falls as the bound grows. */
static scrim_status find_bound(sc_additive *s, const sc_ratio *delta, scrim_error *error)
{
    sc_int128 low = (sc_int128)s->shift - 1, high = (sc_int128)s->shift;
    scrim_status status = SCRIM_OK;
    SC_OWN(sc_ball, target);
    sc_ball_set_ratio(&target, delta, BITS);
    while (high <= BOUND_MAX && !has_delta(s, high, &target)) {
        low = high;
        high *= 2;
    }
    if (high > BOUND_MAX)
        high = BOUND_MAX;
    if (!has_delta(s, high, &target))
        status =
            sc_fail(error, SCRIM_E_LIMIT,
                    "truncated-laplace: that delta needs a bound above 1.1e18 steps; "
                    "choose a coarser grid");
    while (status == SCRIM_OK && high - low > 1) {
        sc_int128 middle = low + (high - low) / 2;
        if (has_delta(s, middle, &target))
            high = middle;
        else
            low = middle;
    }
    s->law.bound = high;
    return status;
}

static scrim_status set_bound(const scrim_measurement *m, sc_additive *s,
                              scrim_error *error)
{
    const sc_ratio *delta = sc_measurement_get(m, "delta");
    if (!sc_additive_is_whole(s) || (sc_int128)s->shift > BOUND_MAX)
        return sc_fail(
            error, SCRIM_E_LIMIT,
            "truncated-laplace: the sensitivity is above 1.1e18 steps; choose a "
            "coarser grid");
    if (delta != NULL)
        return find_bound(s, delta, error);
    s->law.bound = sc_measurement_integer(m, "bound", 0);
    if (s->law.bound < (sc_int128)s->shift)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "bound",
                           "truncated-laplace: bound must be at least the sensitivity, "
                           "which is %llu steps",
                           (unsigned long long)s->shift);
    return SCRIM_OK;
}

static scrim_status check(scrim_measurement *m, scrim_error *error)
{
    static const char *const noise[] = {"epsilon", "scale", NULL};
    static const char *const end[] = {"bound", "delta", NULL};
    static const sc_noise_kind kind = {
        .law = &sc_truncated_laplace_law,
        .blocks = {.sides = SC_SIDES_BOTH, .is_bounded = true},
        .scale = sc_laplace_scale,
        .bound = set_bound};
    scrim_status status = sc_measurement_one_of(m, noise, error);
    if (status == SCRIM_OK)
        status = sc_measurement_one_of(m, end, error);
    return status == SCRIM_OK ? sc_additive_check(m, &kind, error) : status;
}

/* floor((shift - epsilon scale) / 2), which is 0 or more below shift / scale; else -1. */
static sc_int128 last_above(const sc_law *law, uint64_t shift, const sc_ratio *epsilon)
{
    sc_int128 x = 0;
    SC_OWN(sc_ratio, edge, two);
    SC_OWN(sc_integer, whole);
    sc_ratio_set_int128(&two, (sc_int128)shift);
    sc_ratio_mul(&edge, epsilon, &law->shape);
    sc_ratio_sub(&edge, &two, &edge);
    sc_ratio_set_int64(&two, 2);
    sc_ratio_div(&edge, &edge, &two);
    sc_ratio_floor(&edge, &whole);
    const bool is_above = sc_ratio_sign(&edge) > 0;
    (void)sc_integer_get_int128(&whole, &x);
    return is_above ? x : -1;
}

/* Against a shift by D the loss falls with x: infinite up to D - bound - 1, D / scale up to 0,
 * then less. So delta is P(X <= x) - exp(epsilon) P(X <= x - D) at the last x whose loss is above
 * epsilon. P(X <= x - D) falls as D grows, so that no smaller one has more. */
void sc_truncated_delta(const sc_law *law, uint64_t shift, const sc_ratio *epsilon,
                        long bits, sc_ball *out)
{
    const sc_int128 by = (sc_int128)shift, x = last_above(law, shift, epsilon);
    if (x < 0) {
        sc_law_at_least(law, law->bound - by + 1, bits, out);
        return;
    }
    SC_OWN(sc_ball, part);
    sc_law_at_most(law, x - by, bits, &part);
    sc_ball_set_ratio(out, epsilon, bits);
    sc_ball_exp(out, out, bits);
    sc_ball_mul(&part, &part, out, bits);
    sc_law_at_most(law, x, bits, out);
    sc_ball_sub(out, out, &part, bits);
}

static void curve_delta(const sc_curve *curve, const sc_ratio *epsilon, long bits,
                        sc_ball *out)
{
    const sc_additive *s = curve->context;
    sc_truncated_delta(&s->law, s->shift, epsilon, bits, out);
}

static const sc_curve_functions curve_functions = {.name = "truncated-laplace",
                                                   .delta = curve_delta};

static scrim_status cost(const scrim_measurement *m, sc_exact_cost *out,
                         scrim_error *error)
{
    const sc_additive *s = sc_additive_of(m);
    SC_OWN(sc_ball, mass);
    outermost(&s->law, s->shift, &mass);
    return sc_additive_cost_bounded(m, &mass, &curve_functions, out, error);
}

static scrim_status certify(const scrim_measurement *m, const sc_ratio *beta,
                            size_t count, sc_certificate *out, scrim_error *error)
{
    (void)beta;
    (void)count;
    (void)error;
    sc_additive_certify_bound(m, "rounding to the grid and clamping of the input", out);
    return SCRIM_OK;
}

const sc_mechanism sc_truncated_laplace = {
    .entry = {.name = "truncated-laplace",
              .parameters = "sensitivity=R epsilon=R|scale=R bound=N|delta=R [grid=R "
                            "lower=R upper=R size=N whole=yes]",
              .input = "numbers",
              .claim = "(epsilon, delta)-DP, within bound always",
              .does = "Adds discrete Laplace noise that never exceeds a bound. Use it "
                      "where an answer must be within a fixed distance of the truth; "
                      "this costs a delta.",
              .example = "sensitivity=1 epsilon=1 delta=1e-6 neighbours=add-remove",
              .example_input = "1234\n",
              .reference = "Geng, Ding, Guo, Kumar: Tight Analysis of Privacy and "
                           "Utility Tradeoff in Approximate Differential Privacy, 2020"},
    SC_ADDITIVE_MEMBERS,
    SC_ADDITIVE_MEMBERS_SHOWN,
    .certify = certify,
    .pair_count = sc_additive_pair_count,
    .pair = sc_additive_pair,
    .change = sc_additive_change_sum,
};
