#include "accuracy/robust_release.h"

static scrim_status check_unit(const char *name, const sc_ratio *x, scrim_error *error)
{
    if (sc_ratio_sign(x) >= 0 && sc_ratio_compare_int64(x, 1) <= 0)
        return SCRIM_OK;
    return sc_fail(error, SCRIM_E_PARAM, "%s: give a number from 0 to 1", name);
}

/* Near gamma = 1 the value is about (1 - gamma)^2 / 2: so many bits cancel. */
static long precision(const sc_ratio *gamma, long bits)
{
    sc_ratio rest;
    sc_ratio_init(&rest);
    sc_ratio_set_int64(&rest, 1);
    sc_ratio_sub(&rest, &rest, gamma);
    const long lost = sc_ratio_sign(&rest) > 0 ? -2 * sc_ratio_exponent(&rest) : 0;
    sc_ratio_clear(&rest);
    return bits + 64 + (lost > 0 ? lost : 0);
}

scrim_status sc_robust_mean(const sc_ratio *scale, const sc_ratio *gamma, long bits,
                            sc_ball *out, scrim_error *error)
{
    sc_ball g, b;
    const long work = precision(gamma, bits);
    scrim_status status = check_unit("gamma", gamma, error);
    if (status != SCRIM_OK)
        return status;
    sc_ball_init(&g);
    sc_ball_init(&b);
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
    sc_ball_clear(&b);
    sc_ball_clear(&g);
    return SCRIM_OK;
}

scrim_status sc_robust_radius(const sc_ratio *scale, const sc_ratio *gamma, long bits,
                              sc_ball *out, scrim_error *error)
{
    sc_ball b;
    const long work = precision(gamma, bits);
    scrim_status status = check_unit("gamma", gamma, error);
    if (status != SCRIM_OK)
        return status;
    if (sc_ratio_sign(gamma) == 0) {
        sc_ball_set_infinite(out);
        return SCRIM_OK;
    }
    sc_ball_init(&b);
    sc_ball_set_ratio(out, gamma, work);
    sc_ball_log(out, out, work);
    sc_ball_neg(out, out);
    sc_ball_set_ratio(&b, scale, work);
    sc_ball_mul(out, out, &b, bits);
    sc_ball_clear(&b);
    return SCRIM_OK;
}

/* The sum of |z| P(z) over |z| < radius: 2 c (a + 2 a^2 + ... + m a^m), m = radius - 1, with
 * c = (1 - a)/(1 + a) and a = exp(-1/scale): 2 a (1 - (m + 1) a^m + m a^(m+1)) / (1 - a^2). */
static void add_inside(const sc_ratio *scale, sc_int128 radius, long bits, sc_ball *out)
{
    sc_ball rate, a, power, term;
    sc_ball_init(&rate);
    sc_ball_init(&a);
    sc_ball_init(&power);
    sc_ball_init(&term);
    sc_ball_set_ratio(&rate, scale, bits);
    sc_ball_set_int64(&a, -1);
    sc_ball_div(&rate, &a, &rate, bits);
    sc_ball_exp(&a, &rate, bits);
    sc_ball_set_int128(&term, radius - 1);
    sc_ball_mul(&power, &term, &rate, bits);
    sc_ball_exp(&power, &power, bits);
    /* 1 + a^m (m a - m - 1) */
    sc_ball_expm1(&rate, &rate, bits);
    sc_ball_mul(&term, &term, &rate, bits);
    sc_ball_add_int64(&term, &term, -1, bits);
    sc_ball_mul(&term, &term, &power, bits);
    sc_ball_add_int64(&term, &term, 1, bits);
    sc_ball_mul(&term, &term, &a, bits);
    sc_ball_mul_power2(&term, &term, 1);
    /* 1 - a^2 = -expm1 (2 + expm1) */
    sc_ball_add_int64(&a, &rate, 2, bits);
    sc_ball_mul(&a, &a, &rate, bits);
    sc_ball_neg(&a, &a);
    sc_ball_div(&term, &term, &a, bits);
    sc_ball_add(out, out, &term, bits);
    sc_ball_clear(&term);
    sc_ball_clear(&power);
    sc_ball_clear(&a);
    sc_ball_clear(&rate);
}

/* What is kept beyond the inside lies at the radius: 1 - gamma less P(|Z| < radius), which is
 * P(|Z| >= radius) - gamma. */
static void add_edge(const sc_law *law, const sc_ratio *gamma, sc_int128 radius,
                     long bits, sc_ball *out)
{
    sc_ball edge, lost;
    sc_ball_init(&edge);
    sc_ball_init(&lost);
    sc_law_at_least(law, radius, bits, &edge);
    sc_ball_mul_power2(&edge, &edge, 1);
    sc_ball_set_ratio(&lost, gamma, bits);
    sc_ball_sub(&edge, &edge, &lost, bits);
    sc_ball_set_int128(&lost, radius);
    sc_ball_mul(&edge, &edge, &lost, bits);
    sc_ball_add(out, out, &edge, bits);
    sc_ball_clear(&lost);
    sc_ball_clear(&edge);
}

scrim_status sc_robust_grid(const sc_ratio *scale, const sc_ratio *gamma, long bits,
                            sc_int128 *radius, sc_ball *mean, scrim_error *error)
{
    sc_law law;
    sc_int128 found = 0;
    if (sc_ratio_sign(gamma) <= 0 || sc_ratio_compare_int64(gamma, 1) >= 0)
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "gamma",
                                 "give a number above 0 and below 1");
    sc_law_init(&law, &sc_discrete_laplace_law, scale, 0);
    scrim_status status = sc_law_radius(&law, gamma, &found, error);
    if (status == SCRIM_OK) {
        *radius = found;
        sc_ball_set_int64(mean, 0);
        if (found > 0) {
            add_inside(scale, found, bits, mean);
            add_edge(&law, gamma, found, bits, mean);
        }
    }
    sc_law_clear(&law);
    return status;
}

/* acosh(exp(t)) = t + ln(1 + sqrt(1 - exp(-2 t))) */
static void acosh_exp(const sc_ball *t, long bits, sc_ball *out)
{
    sc_ball root;
    sc_ball_init(&root);
    sc_ball_mul_power2(&root, t, 1);
    sc_ball_neg(&root, &root);
    sc_ball_expm1(&root, &root, bits);
    sc_ball_neg(&root, &root);
    sc_ball_sqrt(&root, &root, bits);
    sc_ball_log1p(&root, &root, bits);
    sc_ball_add(out, t, &root, bits);
    sc_ball_clear(&root);
}

void sc_robust_output_epsilon(const sc_ratio *epsilon, long bits, sc_ball *out)
{
    sc_ball half;
    sc_ball_init(&half);
    sc_ball_set_ratio(&half, epsilon, bits);
    sc_ball_mul_power2(&half, &half, -1);
    acosh_exp(&half, bits, out);
    sc_ball_mul_power2(out, out, 1);
    sc_ball_clear(&half);
}

void sc_robust_output_lower(const sc_ratio *epsilon, long bits, sc_ball *out)
{
    sc_ball whole;
    sc_ball_init(&whole);
    sc_ball_set_ratio(&whole, epsilon, bits);
    acosh_exp(&whole, bits, out);
    sc_ball_clear(&whole);
}

scrim_status sc_theta_sensitivity(const sc_masses *laws, const sc_law_indices *pairs,
                                  size_t count, const sc_ratio *theta,
                                  const sc_ground *ground, sc_span *out,
                                  scrim_error *error)
{
    sc_span most = {.value = 0};
    scrim_status status = check_unit("theta", theta, error);
    for (size_t i = 0; status == SCRIM_OK && i < count; i++) {
        sc_transport t;
        sc_span span = {.value = 0};
        status = sc_transport_init_laws(&t, &laws[pairs[i].first], &laws[pairs[i].second],
                                        theta, error);
        if (status != SCRIM_OK)
            break;
        status = sc_wasserstein_radius(&t, ground, &span, error);
        sc_transport_clear(&t);
        most.is_infinite = most.is_infinite || span.is_infinite;
        most.value = span.value > most.value ? span.value : most.value;
    }
    if (status == SCRIM_OK)
        *out = most.is_infinite ? (sc_span){.is_infinite = true} : most;
    return status;
}
