#include "distance/robust_release.h"

static scrim_status check_unit(const sc_ratio *gamma, scrim_error *error)
{
    if (sc_ratio_sign(gamma) >= 0 && sc_ratio_compare_int64(gamma, 1) <= 0)
        return SCRIM_OK;
    return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "gamma",
                             "give a number from 0 to 1");
}

/* The working precision. Near gamma = 1 the value is about (1 - gamma)^2 / 2, so twice the bits
 * of 1 - gamma cancel. */
static long precision(const sc_ratio *gamma, long bits)
{
    SC_OWN(sc_ratio, rest);
    sc_ratio_set_int64(&rest, 1);
    sc_ratio_sub(&rest, &rest, gamma);
    const long lost = sc_ratio_sign(&rest) > 0 ? -2 * sc_ratio_exponent(&rest) : 0;
    return bits + 64 + (lost > 0 ? lost : 0);
}

scrim_status sc_robust_mean(const sc_ratio *scale, const sc_ratio *gamma, long bits,
                            sc_ball *out, scrim_error *error)
{
    const long work = precision(gamma, bits);
    scrim_status status = check_unit(gamma, error);
    if (status != SCRIM_OK)
        return status;
    SC_OWN(sc_ball, g, b);
    sc_ball_set_int64(out, 1);
    if (sc_ratio_sign(gamma) > 0) {
        /* 1 - gamma + gamma ln(gamma) */
        sc_ball_set_ratio(&g, gamma, work);
        sc_ball_log(&b, &g, work);
        sc_ball_add_int64(&b, &b, -1, work);
        sc_ball_mul(&b, &b, &g, work);
        sc_ball_add(out, out, &b, work);
    }
    if (sc_ratio_compare_int64(gamma, 1) == 0)
        sc_ball_set_int64(out, 0);
    sc_ball_set_ratio(&b, scale, work);
    sc_ball_mul(out, out, &b, bits);
    return SCRIM_OK;
}

scrim_status sc_robust_radius(const sc_ratio *scale, const sc_ratio *gamma, long bits,
                              sc_ball *out, scrim_error *error)
{
    const long work = precision(gamma, bits);
    scrim_status status = check_unit(gamma, error);
    if (status != SCRIM_OK)
        return status;
    if (sc_ratio_sign(gamma) == 0) {
        sc_ball_set_infinite(out);
        return SCRIM_OK;
    }
    SC_OWN(sc_ball, b);
    sc_ball_set_ratio(out, gamma, work);
    sc_ball_log(out, out, work);
    sc_ball_neg(out, out);
    sc_ball_set_ratio(&b, scale, work);
    sc_ball_mul(out, out, &b, bits);
    return SCRIM_OK;
}

/* acosh(exp(t)) = t + ln(1 + sqrt(1 - exp(-2 t))) */
static void acosh_exp(const sc_ball *t, long bits, sc_ball *out)
{
    SC_OWN(sc_ball, root);
    sc_ball_mul_power2(&root, t, 1);
    sc_ball_neg(&root, &root);
    sc_ball_expm1(&root, &root, bits);
    sc_ball_neg(&root, &root);
    sc_ball_sqrt(&root, &root, bits);
    sc_ball_log1p(&root, &root, bits);
    sc_ball_add(out, t, &root, bits);
}

void sc_robust_output_epsilon(const sc_ratio *epsilon, long bits, sc_ball *out)
{
    SC_OWN(sc_ball, half);
    sc_ball_set_ratio(&half, epsilon, bits);
    sc_ball_mul_power2(&half, &half, -1);
    acosh_exp(&half, bits, out);
    sc_ball_mul_power2(out, out, 1);
}
