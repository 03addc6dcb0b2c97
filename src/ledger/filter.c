#include "ledger/filter.h"

#include "ledger/ledger.h"

#define BITS 256

void sc_filter_init(sc_filter *filter)
{
    *filter = (sc_filter){0};
    sc_ratio_init(&filter->order);
    sc_ratio_init(&filter->epsilon);
    sc_ratio_init(&filter->delta);
    sc_ratio_init(&filter->amount);
    sc_ratio_init(&filter->parts);
}

void sc_filter_clear(sc_filter *filter)
{
    sc_ratio_clear(&filter->order);
    sc_ratio_clear(&filter->epsilon);
    sc_ratio_clear(&filter->delta);
    sc_ratio_clear(&filter->amount);
    sc_ratio_clear(&filter->parts);
}

const char *sc_filter_unit(sc_filter_rule rule)
{
    return rule == SC_FILTER_SUM            ? "epsilon"
           : rule == SC_FILTER_CONCENTRATED ? "rho"
                                            : "divergence";
}

/* Budgets. */

static void set_half(sc_ratio *out, const sc_ratio *x)
{
    SC_OWN(sc_ratio, two);
    sc_ratio_set_int64(&two, 2);
    sc_ratio_div(out, x, &two);
}

/* The delta at epsilon of everything that sums up to this rho is at most half of delta, the
 * other half being that of the parts. */
static bool rho_fits(const sc_filter *f, const sc_ratio *rho)
{
    SC_OWN(sc_curve, curve);
    SC_OWN(sc_ratio, half);
    SC_OWN(sc_ball, got, most);
    set_half(&half, &f->delta);
    sc_curve_set_concentrated(&curve, rho);
    sc_curve_delta_upper(&curve, &f->epsilon, BITS, &got);
    sc_ball_set_ratio(&most, &half, BITS);
    return sc_ball_is_finite(&got) && sc_ball_is_less_equal(&got, &most);
}

/* numerator 2^-places. */
static void set_dyadic(sc_ratio *out, uint64_t numerator, unsigned places)
{
    SC_OWN(sc_integer, n);
    sc_integer_set_uint128(&n, numerator);
    sc_ratio_set_dyadic(out, &n, places);
}

/* The first digit of rho is looked for from 2^20 down to 2^-FAR, then DIGITS more. */
#define TOP 20
#define FAR 100
#define DIGITS 42

static bool find_rho(sc_filter *f)
{
    unsigned exponent = 0; /* the first digit is 2^(TOP - exponent) */
    uint64_t digits = 1;
    sc_ratio *rho = &f->amount;
    for (;; exponent++) {
        if (exponent > TOP + FAR)
            return false;
        set_dyadic(rho, UINT64_C(1) << TOP, exponent);
        if (rho_fits(f, rho))
            break;
    }
    for (int i = 0; i < DIGITS; i++) {
        exponent++;
        digits = 2 * digits + 1;
        set_dyadic(rho, digits << TOP, exponent);
        if (!rho_fits(f, rho))
            digits--;
    }
    set_dyadic(rho, digits << TOP, exponent);
    return true;
}

/* D = epsilon + (log(delta/2) + log(order - 1) - order log(1 - 1/order)) / (order - 1). */
static void renyi_budget(const sc_filter *f, sc_ball *out)
{
    SC_OWN(sc_ratio, less, part);
    SC_OWN(sc_ball, term, factor);
    sc_ratio_set_int64(&part, 1);
    sc_ratio_sub(&less, &f->order, &part);
    set_half(&part, &f->delta);
    sc_ratio_mul(&part, &part, &less);
    sc_ball_set_ratio(out, &part, BITS);
    sc_ball_log(out, out, BITS);
    sc_ratio_div(&part, &less, &f->order);
    sc_ball_set_ratio(&term, &part, BITS);
    sc_ball_log(&term, &term, BITS);
    sc_ball_set_ratio(&factor, &f->order, BITS);
    sc_ball_mul(&term, &term, &factor, BITS);
    sc_ball_sub(out, out, &term, BITS);
    sc_ball_set_ratio(&factor, &less, BITS);
    sc_ball_div(out, out, &factor, BITS);
    sc_ball_set_ratio(&factor, &f->epsilon, BITS);
    sc_ball_add(out, out, &factor, BITS);
}

#define PLACES 60

static bool find_divergence(sc_filter *f)
{
    SC_OWN(sc_ball, budget);
    renyi_budget(f, &budget);
    return sc_ball_is_finite(&budget) &&
           sc_ball_round_down(&budget, PLACES, &f->amount) &&
           sc_ratio_sign(&f->amount) > 0;
}

/* For people: twelve decimal digits are left of a number that has them within twenty places. */
static void round_down_decimal(sc_ratio *x)
{
    SC_OWN(sc_integer, scale, whole, limit, ten);
    SC_OWN(sc_ratio, factor);
    sc_integer_set_uint128(&scale, 1);
    sc_integer_set_uint128(&ten, 10);
    sc_integer_set_uint128(&limit, UINT64_C(100000000000));
    for (int places = 0; places <= 20; places++) {
        sc_integer_set_uint128(&whole, 1);
        sc_ratio_set_fraction(&factor, &scale, &whole);
        sc_ratio_mul(&factor, &factor, x);
        sc_ratio_floor(&factor, &whole);
        if (sc_integer_compare(&whole, &limit) >= 0) {
            sc_ratio_set_fraction(x, &whole, &scale);
            break;
        }
        sc_integer_mul(&scale, &scale, &ten);
    }
}

static scrim_status check_declared(const sc_filter *f, scrim_error *error)
{
    if (f->rule < SC_FILTER_SUM || f->rule > SC_FILTER_RENYI)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_SYNTAX, "accounting",
                           "accounting must be sum, concentrated or renyi=ORDER");
    if (f->neighbours < SCRIM_ADD_REMOVE || f->neighbours > SCRIM_LOCAL)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, "neighbours",
                           "a budget needs its neighbours: add-remove or replace");
    if (sc_ratio_sign(&f->epsilon) <= 0)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "epsilon",
                           "the budget's epsilon must be above 0");
    if (sc_ratio_sign(&f->delta) < 0 || sc_ratio_compare_int64(&f->delta, 1) >= 0)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "delta",
                           "the budget's delta must be at least 0 and less than 1");
    if (f->rule == SC_FILTER_SUM)
        return SCRIM_OK;
    if (sc_ratio_sign(&f->delta) == 0)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "delta",
                           "this accounting needs a budget with a delta above 0");
    if (f->rule == SC_FILTER_RENYI && (sc_ratio_compare_int64(&f->order, 1) <= 0 ||
                                       sc_ratio_compare_int64(&f->order, 65536) > 0))
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "accounting",
                           "the order of renyi=ORDER must be above 1 and at most 65536");
    return SCRIM_OK;
}

static void set_parts(sc_filter *f)
{
    if (f->rule == SC_FILTER_SUM)
        sc_ratio_set(&f->parts, &f->delta);
    else
        set_half(&f->parts, &f->delta);
}

scrim_status sc_filter_fix(sc_filter *f, scrim_error *error)
{
    scrim_status status = check_declared(f, error);
    if (status != SCRIM_OK)
        return status;
    SC_BALL_SCOPE(scope);
    bool found = true;
    if (f->rule == SC_FILTER_SUM)
        sc_ratio_set(&f->amount, &f->epsilon);
    else
        found = f->rule == SC_FILTER_CONCENTRATED ? find_rho(f) : find_divergence(f);
    if (found && f->rule != SC_FILTER_SUM)
        round_down_decimal(&f->amount);
    set_parts(f);
    if (found)
        return SCRIM_OK;
    return sc_fail_for(
        error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "budget",
        f->rule == SC_FILTER_RENYI
            ? "that epsilon and delta are too small for this order; take larger ones"
            : "that epsilon and delta are too small for a rho");
}

bool sc_filter_holds(sc_filter *f)
{
    if (check_declared(f, NULL) != SCRIM_OK || sc_ratio_sign(&f->amount) <= 0)
        return false;
    SC_BALL_SCOPE(scope);
    SC_OWN(sc_ball, amount, most);
    bool holds;
    if (f->rule == SC_FILTER_SUM) {
        holds = sc_ratio_compare(&f->amount, &f->epsilon) == 0;
    } else if (f->rule == SC_FILTER_CONCENTRATED) {
        holds = rho_fits(f, &f->amount);
    } else {
        renyi_budget(f, &most);
        sc_ball_set_ratio(&amount, &f->amount, BITS);
        holds = sc_ball_is_less_equal(&amount, &most);
    }
    set_parts(f);
    return holds;
}

/* Prices. */

/* Is the rho of this cost, or its curve, all there is? It is unless the promise holds only but
 * for an event of probability delta, and then no divergence is finite. */
static bool is_without_parts(const sc_exact_cost *cost)
{
    if (sc_ratio_sign(&cost->delta) == 0)
        return true;
    SC_OWN(sc_ratio, two);
    SC_OWN(sc_ball, divergence);
    sc_ratio_set_int64(&two, 2);
    sc_curve_renyi_upper(&cost->curve, &two, BITS, &divergence);
    return sc_ball_is_finite(&divergence);
}

static scrim_status price_sum(const sc_exact_cost *here, sc_ratio *amount,
                              sc_ratio *delta, scrim_error *error)
{
    if (!here->has_epsilon)
        return sc_fail(
            error, SCRIM_E_POLICY,
            "this budget counts epsilon, and the measurement has only a curve; "
            "give it epsilon and delta");
    sc_cost_round_up(&here->epsilon, amount);
    sc_cost_round_up(&here->delta, delta);
    return SCRIM_OK;
}

static scrim_status price_concentrated(const sc_exact_cost *here, bool without_parts,
                                       sc_ratio *amount, sc_ratio *delta,
                                       scrim_error *error)
{
    if (!here->has_rho && !here->has_epsilon)
        return sc_fail(error, SCRIM_E_POLICY,
                       "this budget counts rho, and the measurement has neither rho nor "
                       "epsilon");
    sc_ratio_set(amount, &here->rho);
    if (!here->has_rho) {
        sc_ratio_mul(amount, &here->epsilon, &here->epsilon);
        set_half(amount, amount);
    }
    sc_cost_round_up(amount, amount);
    if (without_parts && here->has_rho)
        sc_ratio_set_int64(delta, 0);
    else
        sc_cost_round_up(&here->delta, delta);
    return SCRIM_OK;
}

/* Keeps the smaller one in amount; *found says whether amount is set. */
static void take_smaller(const sc_ball *bound, sc_ratio *amount, bool *found)
{
    SC_OWN(sc_ratio, rounded);
    if (sc_ball_is_finite(bound) && sc_cost_round_up_ball(bound, &rounded) &&
        (!*found || sc_ratio_compare(&rounded, amount) < 0)) {
        sc_ratio_set(amount, &rounded);
        *found = true;
    }
}

static scrim_status price_renyi(const sc_filter *f, const sc_exact_cost *cost,
                                const sc_exact_cost *here, bool without_parts,
                                sc_ratio *amount, sc_ratio *delta, scrim_error *error)
{
    bool found = false;
    SC_OWN(sc_curve, pure);
    SC_OWN(sc_ratio, line);
    SC_OWN(sc_ball, bound);
    sc_ratio_set_int64(delta, 0);
    if (without_parts && cost->neighbours == f->neighbours &&
        cost->curve.functions != NULL) {
        sc_curve_renyi_upper(&cost->curve, &f->order, BITS, &bound);
        take_smaller(&bound, amount, &found);
    }
    if (without_parts && here->has_rho) {
        sc_ratio_mul(&line, &here->rho, &f->order);
        sc_ball_set_ratio(&bound, &line, BITS);
        take_smaller(&bound, amount, &found);
    }
    if (here->has_epsilon && (!found || sc_ratio_sign(&here->delta) == 0)) {
        sc_cost_round_up(&here->delta, delta);
        sc_curve_set_pure(&pure, &here->epsilon);
        sc_curve_renyi_upper(&pure, &f->order, BITS, &bound);
        take_smaller(&bound, amount, &found);
    }
    if (found)
        return SCRIM_OK;
    return sc_fail(error, SCRIM_E_POLICY,
                   "the measurement has no finite divergence of this budget's order");
}

scrim_status sc_filter_price(const sc_filter *f, const sc_exact_cost *cost,
                             sc_ratio *amount, sc_ratio *delta, scrim_error *error)
{
    sc_exact_cost here;
    SC_BALL_SCOPE(scope);
    sc_cost_init(&here);
    scrim_status status = sc_ledger_convert(cost, f->neighbours, &here, error);
    if (status == SCRIM_OK && f->rule == SC_FILTER_SUM)
        status = price_sum(&here, amount, delta, error);
    else if (status == SCRIM_OK && f->rule == SC_FILTER_CONCENTRATED)
        status = price_concentrated(&here, is_without_parts(cost), amount, delta, error);
    else if (status == SCRIM_OK)
        status =
            price_renyi(f, cost, &here, is_without_parts(cost), amount, delta, error);
    sc_cost_clear(&here);
    return status;
}

scrim_status sc_filter_price_all(const sc_filter *f, const sc_exact_cost *costs,
                                 size_t count, sc_ratio *amount, sc_ratio *delta,
                                 scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    SC_OWN(sc_ratio, one, part);
    sc_ratio_set_int64(amount, 0);
    sc_ratio_set_int64(delta, 0);
    for (size_t i = 0; status == SCRIM_OK && i < count; i++) {
        status = sc_filter_price(f, &costs[i], &one, &part, error);
        if (status != SCRIM_OK)
            break;
        sc_ratio_add(amount, amount, &one);
        sc_ratio_add(delta, delta, &part);
        sc_cost_round_up(amount, amount);
        sc_cost_round_up(delta, delta);
    }
    return status;
}

scrim_status sc_filter_price_jointly(const sc_filter *filter,
                                     const sc_filter_parts *parts,
                                     const sc_ratio *most_delta, sc_ratio *amount,
                                     sc_ratio *delta, bool *is_joint, scrim_error *error)
{
    const sc_exact_cost *joint = parts->joint;
    scrim_status status =
        sc_filter_price_all(filter, parts->costs, parts->count, amount, delta, error);
    *is_joint = status == SCRIM_OK && joint != NULL && filter->rule == SC_FILTER_SUM &&
                joint->neighbours == filter->neighbours &&
                sc_ratio_compare(&joint->epsilon, amount) < 0 &&
                sc_ratio_compare(&joint->delta, most_delta) <= 0;
    if (*is_joint) {
        sc_ratio_set(amount, &joint->epsilon);
        sc_ratio_set(delta, &joint->delta);
    }
    return status;
}
