#include "mechanism/noise/gaussian_share.h"

#include "mechanism/noise/additive.h"
#include "mechanism/noise/gaussian_calibration.h"
#include "model/domain.h"
#include "sampling/discrete_gaussian_law.h"

#define BITS 192L

static const sc_parameter_rule parameters[] = {
    SC_PARAMETER_SENSITIVITY,
    SC_PARAMETER_EPSILON,
    SC_PARAMETER_DELTA,
    {.name = "sigma",
     .kind = SC_PARAMETER_RATIONAL,
     .optional = true,
     .above = "0",
     .limit_low = "2^-60",
     .limit_high = "2^50",
     .domain = "a rational above 0, from 8.7e-19 to 1.1e15"},
    {.name = "variance",
     .kind = SC_PARAMETER_RATIONAL,
     .optional = true,
     .above = "0",
     .limit_low = "2^-120",
     .limit_high = "2^100",
     .domain = "a rational above 0, from 7.6e-37 to 1.2e30"},
    SC_RULE_COUNT("honest", "1000000", "an integer from 1 to 1000000"),
    SC_PARAMETER_GRID,
    SC_PARAMETER_SIZE,
    SC_PARAMETER_WHOLE,
    SC_PARAMETER_NEIGHBOURS,
};

static uint64_t honest_of(const scrim_measurement *m)
{
    return (uint64_t)sc_measurement_integer(m, "honest", 1);
}

static bool is_given(const scrim_measurement *m, const char *name)
{
    return sc_measurement_get(m, name) != NULL;
}

static scrim_status check_parameters(const scrim_measurement *m, scrim_error *error)
{
    static const char *const either[] = {"epsilon", "sigma", "variance", NULL};
    if (is_given(m, "epsilon") != is_given(m, "delta"))
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "epsilon",
                           "gaussian-share: give epsilon and delta together, or sigma or "
                           "variance without them");
    return sc_measurement_one_of(m, either, error);
}

static scrim_status refuse_variance(scrim_error *error)
{
    return sc_fail(error, SCRIM_E_LIMIT,
                   "gaussian-share: the variance in grid steps is beyond 7.9e-31 "
                   "to 1.2e30; choose another grid");
}

/* The variance of a share, in steps squared, as it was given. */
static void set_given(const scrim_measurement *m, sc_ratio *variance)
{
    const sc_ratio *sigma = sc_measurement_get(m, "sigma");
    SC_OWN(sc_ratio, step);
    sc_grid_step(&m->domain.grid, &step);
    if (sigma != NULL)
        sc_ratio_mul(variance, sigma, sigma);
    else
        sc_ratio_set(variance, sc_measurement_get(m, "variance"));
    sc_ratio_div(variance, variance, &step);
    sc_ratio_div(variance, variance, &step);
}

/* The variance of gaussian for the same epsilon and delta, divided among the honest: find_sum begins there. */
static scrim_status set_calibrated(const scrim_measurement *m, const sc_ratio *steps,
                                   sc_ratio *variance, scrim_error *error)
{
    const sc_ratio *epsilon = sc_measurement_get(m, "epsilon"),
                   *delta = sc_measurement_get(m, "delta");
    uint64_t shift = 0;
    scrim_status status;
    SC_OWN(sc_integer, whole);
    SC_OWN(sc_ratio, honest);
    sc_ratio_floor(steps, &whole);
    if (m->domain.count_max == 1 && sc_integer_get_uint64(&whole, &shift) &&
        shift < (uint64_t)1 << SC_GRID_BITS)
        status = sc_gaussian_variance_exact(epsilon, delta, shift, variance, error);
    else
        status =
            sc_gaussian_variance_concentrated(epsilon, delta, steps, variance, error);
    sc_ratio_set_int64(&honest, (int64_t)honest_of(m));
    sc_ratio_div(variance, variance, &honest);
    return status;
}

static scrim_status set_variance(scrim_measurement *m, sc_additive *s, sc_ratio *variance,
                                 scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    if (sc_measurement_integer(m, "size", 1) == 1)
        m->domain.count_max = 1;
    sc_additive_sensitivity_upper(m, SC_NORM_L2, &s->steps);
    if (is_given(m, "epsilon"))
        status = set_calibrated(m, &s->steps, variance, error);
    else
        set_given(m, variance);
    return status == SCRIM_OK && !sc_additive_fits(variance, 100) ? refuse_variance(error)
                                                                  : status;
}

/* How many values one unit can move: each by a step or more. */
static void set_moved(const scrim_measurement *m, sc_ratio *out)
{
    const int64_t size =
        m->domain.count_max == 1 ? 1 : sc_measurement_integer(m, "size", 0);
    SC_OWN(sc_integer, whole);
    sc_ratio_mul(out, &sc_additive_of(m)->steps, &sc_additive_of(m)->steps);
    sc_ratio_floor(out, &whole);
    sc_ratio_set_integer(out, &whole);
    if (size > 0 && sc_ratio_compare_int64(out, size) > 0)
        sc_ratio_set_int64(out, size);
}

/* D^2 / (2 v) of one share. */
static void one_share(const sc_additive *s, sc_ratio *out)
{
    SC_OWN(sc_ratio, twice);
    sc_ratio_add(&twice, &s->law.shape, &s->law.shape);
    sc_ratio_mul(out, &s->steps, &s->steps);
    sc_ratio_div(out, out, &twice);
}

/* (D / sqrt(2 h v) + kappa sqrt(d/2))^2. */
static void all_shares(const scrim_measurement *m, sc_ball *out)
{
    const sc_additive *s = sc_additive_of(m);
    SC_OWN(sc_ratio, exact);
    SC_OWN(sc_ball, kappa);
    set_moved(m, &exact);
    sc_ball_set_ratio(out, &exact, BITS);
    sc_ball_mul_power2(out, out, -1);
    sc_ball_sqrt(out, out, BITS);
    sc_ball_set_ratio(&kappa, &s->sum->kappa, BITS);
    sc_ball_mul(&kappa, &kappa, out, BITS);
    one_share(s, &exact);
    sc_ball_set_ratio(out, &exact, BITS);
    sc_ball_div_int64(out, out, (int64_t)s->sum->draws, BITS);
    sc_ball_sqrt(out, out, BITS);
    sc_ball_add(out, out, &kappa, BITS);
    sc_ball_mul(out, out, out, BITS);
}

static scrim_status find_rho(const scrim_measurement *m, sc_ratio *rho,
                             scrim_error *error)
{
    const sc_additive *s = sc_additive_of(m);
    SC_OWN(sc_ball, all);
    SC_OWN(sc_ratio, exact);
    one_share(s, &exact);
    sc_cost_round_up(&exact, rho);
    if (s->sum->draws == 1)
        return SCRIM_OK;
    all_shares(m, &all);
    if (!sc_cost_round_up_ball(&all, &exact))
        return sc_fail(error, SCRIM_E_INTERNAL, "a rho is not finite");
    if (sc_ratio_compare(&exact, rho) < 0)
        sc_ratio_set(rho, &exact);
    return SCRIM_OK;
}

static void curve_delta(const sc_curve *curve, const sc_ratio *epsilon, long bits,
                        sc_ball *out)
{
    const sc_additive *s = curve->context;
    const sc_gaussian_sum *sum = s->sum;
    SC_OWN(sc_ratio, less);
    SC_OWN(sc_ball, other);
    sc_ratio_sub(&less, epsilon, &sum->kappa);
    sc_gaussian_draws_moved_upper(&sum->whole.shape, 1, s->shift, &less, bits, out);
    sc_ball_set_ratio(&other, &sum->kappa, bits);
    sc_ball_exp(&other, &other, bits);
    sc_ball_mul(out, out, &other, bits);
    sc_gaussian_draws_moved_upper(&sum->one.shape, 1, s->shift, epsilon, bits, &other);
    sc_ball_take_smaller(out, &other);
}

static void curve_renyi(const sc_curve *curve, const sc_ratio *order, long bits,
                        sc_ball *out)
{
    SC_OWN(sc_ratio, divergence);
    sc_ratio_mul(&divergence, order, &curve->epsilon);
    sc_ball_set_ratio(out, &divergence, bits);
}

static const sc_curve_functions curve_functions = {
    .name = "gaussian-share", .delta = curve_delta, .renyi = curve_renyi};

static scrim_status cost(const scrim_measurement *m, sc_exact_cost *out,
                         scrim_error *error)
{
    const sc_additive *s = sc_additive_of(m);
    const bool is_single = m->domain.count_max == 1 && sc_additive_is_whole(s);
    SC_OWN(sc_ratio, rho);
    const scrim_status status = find_rho(m, &rho, error);
    if (is_given(m, "epsilon"))
        sc_cost_set_approximate(out, sc_measurement_get(m, "epsilon"),
                                sc_measurement_get(m, "delta"));
    out->has_rho = true;
    sc_ratio_set(&out->rho, &rho);
    if (!is_single) {
        sc_curve_set_concentrated(&out->curve, &rho);
    } else if (s->sum->draws == 1) {
        sc_curve_set_gaussian(&out->curve, &s->law.shape, s->shift);
        out->curve.is_attained = sc_additive_is_attained(m);
    } else {
        out->curve.functions = &curve_functions;
        sc_ratio_set(&out->curve.epsilon, &rho);
        out->curve.context = s;
    }
    return status;
}

/* Calibration. The variance of all shares together is a multiple of 1/PARTS. */

#define PARTS 64
#define PARTS_MAX ((sc_int128)1 << 120)

/* Sets the law to shares of that variance; *is_enough: their claim has at most the wanted delta. Where kappa
 * is not known there is no claim. */
static scrim_status try_parts(const scrim_measurement *m, sc_additive *s, sc_int128 parts,
                              bool *is_enough, scrim_error *error)
{
    const long bits = 256;
    SC_OWN(sc_ratio, whole);
    SC_OWN(sc_ball, delta, wanted);
    sc_gaussian_sum_free(s->sum);
    s->sum = NULL;
    sc_ratio_set_int128(&s->law.shape, parts);
    sc_ratio_set_int64(&whole, PARTS * (int64_t)honest_of(m));
    sc_ratio_div(&s->law.shape, &s->law.shape, &whole);
    scrim_status status = sc_gaussian_sum_new(&s->law.shape, honest_of(m), &s->sum, NULL);
    *is_enough = false;
    if (status != SCRIM_OK)
        return status == SCRIM_E_LIMIT
                   ? SCRIM_OK
                   : sc_fail(error, status, "out of memory for a distribution");
    sc_exact_cost claim;
    sc_cost_init(&claim);
    status = cost(m, &claim, error);
    sc_ball_set_ratio(&wanted, sc_measurement_get(m, "delta"), bits);
    sc_curve_delta_upper(&claim.curve, sc_measurement_get(m, "epsilon"), bits, &delta);
    *is_enough = sc_ball_is_less_equal(&delta, &wanted);
    sc_cost_clear(&claim);
    return status;
}

/* Searches for the smallest variance whose claim holds: starts at the variance of one draw, doubles the steps, then halves them. Ends,
 * since a single share of enough variance suffices. The final variance was tested itself. */
static scrim_status calibrate(const scrim_measurement *m, sc_additive *s,
                              scrim_error *error)
{
    sc_int128 low, high, step = 1;
    bool is_enough = false;
    SC_OWN(sc_ratio, first);
    SC_OWN(sc_integer, whole);
    sc_ratio_set_int64(&first, PARTS * (int64_t)honest_of(m));
    sc_ratio_mul(&first, &first, &s->law.shape);
    sc_ratio_floor(&first, &whole);
    if (!sc_integer_get_int128(&whole, &high) || high > PARTS_MAX)
        return refuse_variance(error);
    low = high - 1;
    scrim_status status = try_parts(m, s, high, &is_enough, error);
    for (; status == SCRIM_OK && !is_enough; step *= 2) {
        low = high;
        high += step;
        status = high > PARTS_MAX ? refuse_variance(error)
                                  : try_parts(m, s, high, &is_enough, error);
    }
    while (status == SCRIM_OK && high - low > 1) {
        const sc_int128 middle = low + (high - low) / 2;
        status = try_parts(m, s, middle, &is_enough, error);
        *(is_enough ? &high : &low) = middle;
    }
    if (status == SCRIM_OK && !is_enough)
        status = try_parts(m, s, high, &is_enough, error);
    return status;
}

static scrim_status find_sum(const scrim_measurement *m, sc_additive *s,
                             scrim_error *error)
{
    const bool is_wanted = is_given(m, "epsilon") && honest_of(m) > 1;
    const scrim_status status =
        is_wanted ? calibrate(m, s, error)
                  : sc_gaussian_sum_new(&s->law.shape, honest_of(m), &s->sum, error);
    s->law.context = s->sum;
    return status;
}

static scrim_status check(scrim_measurement *m, scrim_error *error)
{
    static const sc_noise_kind kind = {
        .law = &sc_gaussian_sum_law,
        .blocks = {.sides = SC_SIDES_BOTH, .is_square = true},
        .scale = set_variance,
        .bound = find_sum};
    const scrim_status status = check_parameters(m, error);
    return status == SCRIM_OK ? sc_additive_check(m, &kind, error) : status;
}

/* Draws the sum of the shares for every value, before a value is read. */
#define AT_ONCE 64

static scrim_status draw_sum(const sc_additive *s, sc_bits *bits, sc_int128 *out,
                             scrim_error *error)
{
    sc_int128 shares[AT_ONCE];
    scrim_status status = SCRIM_OK;
    *out = 0;
    for (uint64_t left = s->sum->draws; left > 0 && status == SCRIM_OK;) {
        const size_t now = left < AT_ONCE ? (size_t)left : AT_ONCE;
        status = sc_additive_fill(s, bits, now, shares, error);
        for (size_t i = 0; i < now && status == SCRIM_OK; i++)
            *out += shares[i];
        left -= now;
    }
    return status;
}

static scrim_status draw(const scrim_measurement *m, sc_bits *bits,
                         const sc_private_input *input, sc_draw *out, scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; i < input->count && status == SCRIM_OK; i++)
        status = draw_sum(sc_additive_of(m), bits, &out->values[i], error);
    if (status != SCRIM_OK)
        return status;
    for (size_t i = 0; i < input->count; i++) {
        out->values[i] += input->wide != NULL ? input->wide[i] : input->values[i];
        out->marks[i] = SC_MARK_VALUE;
    }
    out->count = input->count;
    return SCRIM_OK;
}

const sc_mechanism sc_gaussian_share = {
    .entry = {.name = "gaussian-share",
              .parameters = "sensitivity=R epsilon=R delta=R|sigma=R|variance=R "
                            "[honest=N grid=R size=N whole=yes]",
              .input = "numbers",
              .claim = "(epsilon, delta)-DP and rho-concentrated, by honest shares",
              .does = "Adds shares of discrete Gaussian noise, whose variances add up "
                      "over the honest parties. Use it where parties add their numbers "
                      "by secure aggregation.",
              .example = "sensitivity=1 variance=20 honest=1 neighbours=add-remove",
              .example_input = "120\n",
              .reference = "Kairouz, Liu, Steinke: The Distributed Discrete Gaussian "
                           "Mechanism for Federated Learning with Secure Aggregation, "
                           "2021"},
    SC_ADDITIVE_MEMBERS,
    .draw = draw,
    .noise = sc_additive_noise,
    .law = sc_additive_law,
    .answers_numbers = true,
    .certify = sc_additive_certify,
    .pair_count = sc_additive_pair_count,
    .pair = sc_additive_pair,
    .change = sc_additive_change_length,
};
