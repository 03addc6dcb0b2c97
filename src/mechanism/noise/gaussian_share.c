#include "mechanism/noise/gaussian_share.h"

#include "mechanism/noise/additive.h"
#include "mechanism/noise/gaussian_draws.h"
#include "model/neighbours.h"
#include "sampling/law/gaussian_sum.h"

#define BITS 192L

static const sc_parameter_rule parameters[] = {
    SC_PARAMETER_SENSITIVITY,
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

static scrim_status set_variance(scrim_measurement *m, sc_additive *s, sc_ratio *variance,
                                 scrim_error *error)
{
    const sc_ratio *sigma = sc_measurement_get(m, "sigma");
    SC_OWN(sc_ratio, step);
    if (sc_measurement_integer(m, "size", 1) == 1)
        m->domain.count_max = 1;
    sc_additive_sensitivity_upper(m, SC_NORM_L2, &s->steps);
    sc_grid_step(&m->domain.grid, &step);
    if (sigma != NULL)
        sc_ratio_mul(variance, sigma, sigma);
    else
        sc_ratio_set(variance, sc_measurement_get(m, "variance"));
    sc_ratio_div(variance, variance, &step);
    sc_ratio_div(variance, variance, &step);
    return sc_additive_fits(variance, 100)
               ? SCRIM_OK
               : sc_fail(error, SCRIM_E_LIMIT,
                         "gaussian-share: the variance in grid steps is beyond 7.9e-31 "
                         "to 1.2e30; choose another grid");
}

static scrim_status find_sum(const scrim_measurement *m, sc_additive *s,
                             scrim_error *error)
{
    const scrim_status status =
        sc_gaussian_sum_new(&s->law.shape, honest_of(m), &s->sum, error);
    s->law.context = s->sum;
    return status;
}

static scrim_status check(scrim_measurement *m, scrim_error *error)
{
    static const char *const either[] = {"sigma", "variance", NULL};
    static const sc_noise_kind kind = {
        .law = &sc_gaussian_sum_law,
        .blocks = {.sides = SC_SIDES_BOTH, .is_square = true},
        .scale = set_variance,
        .bound = find_sum};
    const scrim_status status = sc_measurement_one_of(m, either, error);
    return status == SCRIM_OK ? sc_additive_check(m, &kind, error) : status;
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

/* The sum of the shares first, for every value, with no data near. */
#define AT_ONCE 64

static scrim_status draw_sum(const sc_additive *s, sc_bits *bits, sc_int128 *out,
                             scrim_error *error)
{
    sc_int128 shares[AT_ONCE];
    scrim_status status = SCRIM_OK;
    *out = 0;
    for (uint64_t left = s->sum->draws; left > 0 && status == SCRIM_OK;) {
        const size_t now = left < AT_ONCE ? (size_t)left : AT_ONCE;
        status = sc_blocks_fill_wide(bits, &s->blocks, now, shares, error);
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
              .parameters = "sensitivity=R sigma=R|variance=R [honest=N grid=R size=N "
                            "whole=yes]",
              .input = "numbers",
              .claim = "(epsilon, delta)-DP and rho-concentrated, by honest shares",
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
