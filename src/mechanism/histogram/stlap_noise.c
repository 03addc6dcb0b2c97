#include "mechanism/histogram/stlap_noise.h"

#include "base/number/ratio.h"
#include "sampling/law.h"

/* As a polynomial, which is exact where d is. */
void sc_stlap_sides(const sc_ball *d, unsigned sides, long bits, sc_ball *out)
{
    if (sides == 1) {
        sc_ball_set(out, d);
        return;
    }
    SC_OWN(sc_ball, both);
    sc_ball_neg(&both, d);
    sc_ball_add_int64(&both, &both, 2, bits);
    sc_ball_mul(out, d, &both, bits);
}

void sc_stlap_delta(const sc_ratio *epsilon, uint64_t q, uint64_t group, unsigned sides,
                    long bits, sc_ball *out)
{
    if (group > q) {
        sc_ball_set_int64(out, 1);
        return;
    }
    if (2 * group == q + 1) { /* one half of the law, exactly */
        sc_ball_set_int64(out, 1);
        sc_ball_mul_power2(out, out, -1);
    } else {
        sc_law law;
        sc_law_init(&law, &sc_shifted_laplace_law, epsilon, (sc_int128)q);
        sc_law_at_least(&law, 1 - (sc_int128)group, bits, out);
        sc_law_clear(&law);
    }
    sc_stlap_sides(out, sides, bits, out);
}

static bool has_delta(const sc_ratio *epsilon, uint64_t q, uint64_t group, unsigned sides,
                      const sc_ball *delta)
{
    SC_OWN(sc_ball, mass);
    sc_stlap_delta(epsilon, q, group, sides, SC_STLAP_BITS, &mass);
    return sc_ball_is_less_equal(&mass, delta);
}

/* The mass at the end falls as q grows. */
scrim_status sc_stlap_q_of(const sc_ratio *epsilon, const sc_ratio *delta, uint64_t group,
                           unsigned sides, uint64_t *q, scrim_error *error)
{
    uint64_t low = group - 1, high = group; /* below group it is 1 */
    scrim_status status = SCRIM_OK;
    SC_OWN(sc_ball, target);
    sc_ball_set_ratio(&target, delta, SC_STLAP_BITS);
    while (high < SC_STLAP_Q_MAX && !has_delta(epsilon, high, group, sides, &target)) {
        low = high;
        high = 2 * high < SC_STLAP_Q_MAX ? 2 * high : SC_STLAP_Q_MAX;
    }
    if (high > SC_STLAP_Q_MAX || !has_delta(epsilon, high, group, sides, &target))
        status =
            sc_fail(error, SCRIM_E_LIMIT,
                    "that epsilon and delta need a q above 2147483647, so that a bar "
                    "may lose as many elements; choose a larger one of them");
    while (status == SCRIM_OK && high - low > 1) {
        const uint64_t middle = low + (high - low) / 2;
        if (has_delta(epsilon, middle, group, sides, &target))
            high = middle;
        else
            low = middle;
    }
    if (status == SCRIM_OK)
        *q = high;
    return status;
}

typedef struct wish {
    uint64_t q;
    const sc_ball *delta;
} wish;

static bool is_enough(const void *context, const sc_ratio *epsilon)
{
    const wish *w = context;
    return has_delta(epsilon, w->q, 1, 1, w->delta);
}

#define EPSILON_NEAR (-60)
#define EPSILON_FAR 20
#define EPSILON_STEPS 44

/* 1/(q+1), which no epsilon exceeds. */
static bool is_always(uint64_t q, const sc_ratio *delta)
{
    SC_OWN(sc_ratio, even, one);
    sc_ratio_set_int64(&one, 1);
    sc_ratio_set_int128(&even, (sc_int128)q + 1);
    sc_ratio_div(&even, &one, &even);
    return sc_ratio_compare(delta, &even) >= 0;
}

scrim_status sc_stlap_epsilon_of(uint64_t q, const sc_ratio *delta, sc_ratio *epsilon,
                                 scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    if (q >= 1 && is_always(q, delta)) {
        sc_ratio_set_int64(epsilon, 0);
        return SCRIM_OK;
    }
    if (q <= 1)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "q",
                           "with q=1 delta is 1/2 at every epsilon; choose a larger q");
    SC_OWN(sc_ratio, low, high);
    SC_OWN(sc_ball, target);
    sc_ball_set_ratio(&target, delta, SC_STLAP_BITS);
    const wish w = {q, &target};
    const bool is_between =
        sc_ratio_bracket(is_enough, &w, EPSILON_NEAR, EPSILON_FAR, &low, &high);
    if (is_between)
        sc_ratio_bisect(is_enough, &w, EPSILON_STEPS, &low, &high);
    if (is_between || is_enough(&w, &high)) {
        sc_ratio_set(epsilon,
                     &high); /* at most 2^EPSILON_NEAR where there is no bracket */
    } else {
        status = sc_fail(error, SCRIM_E_LIMIT,
                         "that q and delta need an epsilon above 1048576");
    }
    return status;
}
