#include "mechanism/body/body_budget.h"

#include "model/curve.h"
#include "model/renyi_conversion.h"

#define BITS 256
/* rho is a multiple of 10^-9, and each of 10^-12. */
#define RHO_STEPS 1000000000
#define EACH_STEPS 1000000000000
#define LEAST_STEPS 1000000 /* of each */

void sc_body_budget_init(sc_body_budget *b)
{
    b->is_concentrated = false;
    sc_ratio_init(&b->rho);
    sc_ratio_init(&b->each);
}

void sc_body_budget_clear(sc_body_budget *b)
{
    sc_ratio_clear(&b->each);
    sc_ratio_clear(&b->rho);
}

static void set_steps(sc_ratio *out, const sc_integer *count, int64_t steps)
{
    SC_OWN(sc_integer, whole);
    sc_integer_set_int128(&whole, steps);
    sc_ratio_set_fraction(out, count, &whole);
}

/* Is the delta of rho at epsilon at most delta? */
static bool keeps(const sc_ratio *rho, const sc_ratio *epsilon, const sc_ratio *delta)
{
    SC_BALL_SCOPE(scope);
    SC_OWN(sc_curve, curve);
    SC_OWN(sc_ball, got, most);
    sc_curve_set_concentrated(&curve, rho);
    sc_curve_delta_upper(&curve, epsilon, BITS, &got);
    sc_ball_set_ratio(&most, delta, BITS);
    return sc_ball_is_finite(&got) && sc_ball_is_less_equal(&got, &most);
}

/* The largest rho on its grid, up to the search; 0 where there is none. */
static void find_rho(const sc_ratio *epsilon, const sc_ratio *delta, sc_ratio *rho)
{
    SC_BALL_SCOPE(scope);
    SC_OWN(sc_ball, log_delta, found);
    SC_OWN(sc_ratio, bound);
    SC_OWN(sc_integer, steps, one);
    sc_ratio_set_int64(rho, 0);
    sc_ball_set_ratio(&log_delta, delta, BITS);
    sc_ball_log(&log_delta, &log_delta, BITS);
    if (!sc_renyi_rho(epsilon, &log_delta, BITS, &found))
        return;
    sc_ball_mul_int64(&found, &found, RHO_STEPS, BITS);
    if (!sc_ball_round_up(&found, 0, &bound))
        return;
    sc_ratio_floor(&bound, &steps);
    sc_integer_set_int128(&one, 1);
    for (int turn = 0; turn < 64 && sc_integer_sign(&steps) > 0; turn++) {
        set_steps(rho, &steps, RHO_STEPS);
        if (keeps(rho, epsilon, delta))
            return;
        sc_integer_sub(&steps, &steps, &one);
    }
    sc_ratio_set_int64(rho, 0);
}

/* floor(sqrt(8 rho/count) 10^12)/10^12. */
static void share_rho(const sc_ratio *rho, size_t count, sc_ratio *out)
{
    SC_OWN(sc_ratio, square, part);
    SC_OWN(sc_integer, whole);
    sc_ratio_set_int64(&square, 8);
    sc_ratio_mul(&square, &square, rho);
    sc_ratio_set_int64(&part, (int64_t)count);
    sc_ratio_div(&square, &square, &part);
    sc_ratio_set_int64(&part, EACH_STEPS);
    sc_ratio_mul(&square, &square, &part);
    sc_ratio_mul(&square, &square, &part);
    sc_ratio_floor(&square, &whole);
    sc_integer_sqrt(&whole, &whole);
    set_steps(out, &whole, EACH_STEPS);
}

/* epsilon/count where that is a short number, else below it. */
static void share_epsilon(const sc_ratio *epsilon, size_t count, sc_ratio *out)
{
    SC_OWN(sc_ratio, part);
    SC_OWN(sc_integer, whole);
    sc_ratio_set_int64(&part, (int64_t)count);
    sc_ratio_div(out, epsilon, &part);
    if (sc_ratio_bits(out) <= 64)
        return;
    sc_ratio_set_int64(&part, EACH_STEPS);
    sc_ratio_mul(&part, &part, out);
    sc_ratio_floor(&part, &whole);
    set_steps(out, &whole, EACH_STEPS);
}

scrim_status sc_body_budget_set(sc_body_budget *b, const sc_ratio *epsilon,
                                const sc_ratio *delta, size_t count, scrim_error *error)
{
    SC_OWN(sc_ratio, each, least);
    b->is_concentrated = false;
    share_epsilon(epsilon, count, &b->each);
    if (delta != NULL && sc_ratio_sign(delta) > 0) {
        find_rho(epsilon, delta, &b->rho);
        share_rho(&b->rho, count, &each);
        b->is_concentrated = sc_ratio_compare(&each, &b->each) > 0;
        if (b->is_concentrated)
            sc_ratio_set(&b->each, &each);
    }
    sc_ratio_set_int64(&least, 1);
    sc_ratio_set_int64(&each, LEAST_STEPS);
    sc_ratio_div(&least, &least, &each);
    if (sc_ratio_compare(&b->each, &least) < 0)
        return sc_fail_parameter(error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE, "epsilon",
                                 "epsilon: less than 1e-6 is left for each of %zu "
                                 "directions; choose a larger epsilon or fewer of them",
                                 count);
    return SCRIM_OK;
}
