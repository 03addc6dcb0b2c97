#include "mechanism/noise/share_noise.h"

#include "mechanism/noise/laplace.h"
#include "model/domain.h"
#include "sampling/laplace_share.h"

#define BITS 192

static const sc_parameter_rule parameters[] = {
    SC_PARAMETER_SENSITIVITY,
    SC_PARAMETER_EPSILON,
    SC_PARAMETER_SCALE,
    {.name = "shares",
     .kind = SC_PARAMETER_INTEGER,
     .at_least = "1",
     .limit_high = "1000000",
     .domain = "the number of shares that are the noise, an integer from 1 to 1000000"},
    SC_RULE_COUNT("honest", "1000000", "an integer from 1 to 1000000"),
    SC_PARAMETER_GRID,
    SC_PARAMETER_SIZE,
    SC_PARAMETER_WHOLE,
    SC_PARAMETER_NEIGHBOURS,
};

static uint64_t shares_of(const scrim_measurement *m)
{
    return (uint64_t)sc_measurement_integer(m, "shares", 1);
}

static uint64_t honest_of(const scrim_measurement *m)
{
    return (uint64_t)sc_measurement_integer(m, "honest", (int64_t)shares_of(m));
}

/* Which law it is: see law.h. */
static scrim_status set_parts(const scrim_measurement *m, sc_additive *s,
                              scrim_error *error)
{
    s->law.bound = SC_SHARES_BASE * honest_of(m) + shares_of(m);
    if (honest_of(m) != shares_of(m) &&
        sc_ratio_compare_int64(&s->law.shape, SC_SHARE_SCALE_MAX) > 0)
        return sc_fail(error, SCRIM_E_LIMIT,
                       "laplace-share: the scale of a part of the shares is at most 1000 "
                       "steps; choose a coarser grid");
    return SCRIM_OK;
}

static scrim_status check(scrim_measurement *m, scrim_error *error)
{
    static const char *const either[] = {"epsilon", "scale", NULL};
    static const sc_noise_kind kind = {.law = &sc_laplace_share_law,
                                       .blocks = {.sides = SC_SIDES_BOTH},
                                       .scale = sc_laplace_scale,
                                       .bound = set_parts};
    scrim_status status = sc_measurement_one_of(m, either, error);
    return status == SCRIM_OK ? sc_additive_check(m, &kind, error) : status;
}

/* D ln(P(0)/P(1)), rounded up. */
static scrim_status partial_epsilon(const sc_additive *s, sc_ratio *out,
                                    scrim_error *error)
{
    SC_OWN(sc_ball, here, next);
    sc_law_pmf(&s->law, 0, BITS, &here);
    sc_law_pmf(&s->law, 1, BITS, &next);
    sc_ball_div(&here, &here, &next, BITS);
    sc_ball_log(&here, &here, BITS);
    sc_ball_set_ratio(&next, &s->steps, BITS);
    sc_ball_mul(&here, &here, &next, BITS);
    if (!sc_cost_round_up_ball(&here, out))
        return sc_fail(error, SCRIM_E_INTERNAL, "an epsilon is not finite");
    return SCRIM_OK;
}

static scrim_status cost(const scrim_measurement *m, sc_exact_cost *out,
                         scrim_error *error)
{
    const sc_additive *s = sc_additive_of(m);
    SC_OWN(sc_ratio, epsilon);
    sc_ratio_set(&epsilon, &s->epsilon);
    if (honest_of(m) < shares_of(m)) {
        const scrim_status status = partial_epsilon(s, &epsilon, error);
        if (status != SCRIM_OK)
            return status;
    }
    sc_cost_set_pure(out, &epsilon);
    return SCRIM_OK;
}

/* The sum of the shares first, for every value, with no data near. */
static scrim_status draw_noise(const scrim_measurement *m, sc_bits *bits, size_t count,
                               sc_int128 *out, scrim_error *error)
{
    const sc_additive *s = sc_additive_of(m);
    scrim_status status = SCRIM_OK;
    if (honest_of(m) == shares_of(m))
        return sc_additive_fill(s, bits, count, out, error);
    sc_fraction scale;
    sc_fraction_init(&scale, &s->law.shape);
    for (size_t i = 0; i < count && status == SCRIM_OK; i++)
        status = sc_laplace_share_sum(bits, &scale, shares_of(m), honest_of(m), &out[i],
                                      error);
    sc_fraction_clear(&scale);
    return status;
}

static scrim_status draw(const scrim_measurement *m, sc_bits *bits,
                         const sc_private_input *input, sc_draw *out, scrim_error *error)
{
    const scrim_status status = draw_noise(m, bits, input->count, out->values, error);
    if (status != SCRIM_OK)
        return status;
    for (size_t i = 0; i < input->count; i++) {
        out->values[i] += input->wide != NULL ? input->wide[i] : input->values[i];
        out->marks[i] = SC_MARK_VALUE;
    }
    out->count = input->count;
    return SCRIM_OK;
}

const sc_mechanism sc_laplace_share = {
    .entry = {.name = "laplace-share",
              .parameters = "sensitivity=R epsilon=R|scale=R shares=N [honest=N grid=R "
                            "size=N whole=yes]",
              .input = "numbers",
              .claim = "epsilon-DP, pure; with fewer honest shares a larger epsilon",
              .does = "Adds one party's share of discrete Laplace noise; the shares of "
                      "all parties add up to the whole noise. Use it where parties add "
                      "their numbers by secure aggregation and nobody is trusted with "
                      "the data.",
              .example =
                  "sensitivity=1 epsilon=1 shares=10 honest=8 neighbours=add-remove",
              .example_input = "120\n",
              .reference = "Goryczka, Xiong: A Comprehensive Comparison of Multiparty "
                           "Secure Additions with Differential Privacy, 2015"},
    SC_ADDITIVE_MEMBERS,
    .draw = draw,
    .noise = sc_additive_noise,
    .law = sc_additive_law,
    .answers_numbers = true,
    .certify = sc_additive_certify,
    .pair_count = sc_additive_pair_count,
    .pair = sc_additive_pair,
    .change = sc_additive_change_sum,
};
