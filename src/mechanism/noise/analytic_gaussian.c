#include "mechanism/noise/analytic_gaussian.h"

#include "base/number/ratio.h"

/* Q(x) = erfc(x / sqrt 2) / 2. */
static void upper_tail(const sc_ball *x, const sc_ball *root_two, long bits, sc_ball *out)
{
    sc_ball_div(out, x, root_two, bits);
    sc_ball_erfc(out, out, bits);
    sc_ball_mul_power2(out, out, -1);
}

/* The difference of the two tails, each to so many bits. */
static void difference(const sc_ratio *epsilon, const sc_ball *ratio, long bits,
                       sc_ball *out)
{
    sc_ball root_two, e, near, far, half;
    sc_ball *const all[] = {&root_two, &e, &near, &far, &half};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        sc_ball_init(all[i]);
    sc_ball_set_int64(&root_two, 2);
    sc_ball_sqrt(&root_two, &root_two, bits);
    sc_ball_set_ratio(&e, epsilon, bits);
    sc_ball_div(&near, &e, ratio, bits);
    sc_ball_mul_power2(&half, ratio, -1);
    sc_ball_add(&far, &near, &half, bits);
    sc_ball_sub(&near, &near, &half, bits);
    upper_tail(&near, &root_two, bits, out);
    upper_tail(&far, &root_two, bits, &half);
    sc_ball_exp(&e, &e, bits);
    sc_ball_mul(&half, &half, &e, bits);
    sc_ball_sub(out, out, &half, bits);
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        sc_ball_clear(all[i]);
}

/* The tails agree in about log2(1/s) + 2 log2(epsilon/s) bits, which are asked for again. */
void sc_analytic_gaussian_delta(const sc_ratio *epsilon, const sc_ball *ratio, long bits,
                                sc_ball *out)
{
    sc_ball delta; /* ratio is asked for again, and out may be the same ball */
    sc_ball_init(&delta);
    for (long more = bits + 64; more <= 16 * (bits + 64); more *= 2) {
        difference(epsilon, ratio, more, &delta);
        if (sc_ball_is_accurate(&delta, bits))
            break;
    }
    sc_ball_cut_unit(&delta);
    sc_ball_set(out, &delta);
    sc_ball_clear(&delta);
}

#define SIGMA_BITS 128L  /* of the deltas in the search */
#define SIGMA_STEPS 64   /* of the bisection */
#define SIGMA_NEAR (-62) /* powers of 2 that are tried */
#define SIGMA_FAR 130

typedef struct wish {
    const sc_ratio *epsilon;
    sc_ball delta;
} wish;

/* Has noise of this sigma at most the wanted delta? */
static bool meets(const void *context, const sc_ratio *sigma)
{
    const wish *w = context;
    SC_OWN(sc_ratio, one);
    SC_OWN(sc_ball, ratio, delta);
    sc_ratio_set_int64(&one, 1);
    sc_ratio_div(&one, &one, sigma);
    sc_ball_set_ratio(&ratio, &one, 16 * SIGMA_BITS);
    sc_analytic_gaussian_delta(w->epsilon, &ratio, SIGMA_BITS, &delta);
    return sc_ball_is_less_equal(&delta, &w->delta);
}

scrim_status sc_analytic_gaussian_sigma_upper(const sc_ratio *epsilon,
                                              const sc_ratio *delta, sc_ratio *out,
                                              scrim_error *error)
{
    wish w = {.epsilon = epsilon};
    scrim_status status = SCRIM_OK;
    SC_OWN(sc_ratio, low, high);
    sc_ball_init(&w.delta);
    sc_ball_set_ratio(&w.delta, delta, 2 * SIGMA_BITS);
    if (sc_ratio_bracket(meets, &w, SIGMA_NEAR, SIGMA_FAR, &low, &high)) {
        sc_ratio_bisect(meets, &w, SIGMA_STEPS, &low, &high);
        sc_ratio_set(out, &high);
    } else {
        status = sc_fail(error, SCRIM_E_LIMIT,
                         "no Gaussian between 2.2e-19 and 1.3e39 has that cost");
    }
    sc_ball_clear(&w.delta);
    return status;
}
