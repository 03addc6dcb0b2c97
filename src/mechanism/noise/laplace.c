#include "mechanism/noise/laplace.h"

#include "base/memory.h"
#include "mechanism/noise/additive.h"
#include "model/neighbours.h"
#include "sampling/coin/geometric.h"

static const sc_parameter parameters[] = {
    SC_PARAMETER_SENSITIVITY, SC_PARAMETER_EPSILON, SC_PARAMETER_SCALE,
    SC_PARAMETER_GRID,        SC_PARAMETER_LOWER,   SC_PARAMETER_UPPER,
    SC_PARAMETER_SIZE,        SC_PARAMETER_WHOLE,   SC_PARAMETER_NEIGHBOURS,
};

typedef struct laplace {
    sc_ratio steps;   /* the sensitivity, in steps */
    sc_ratio epsilon; /* steps / scale */
    sc_law law;       /* its shape is the scale, in steps */
    sc_blocks blocks;
    bool is_ready;
} laplace;

static const laplace *state_of(const scrim_measurement *m)
{
    return m->state;
}

scrim_status sc_laplace_scale_check(const scrim_measurement *m, const sc_ratio *scale,
                                    scrim_error *error)
{
    sc_ratio far, near, one;
    sc_ratio_init(&far);
    sc_ratio_init(&near);
    sc_ratio_init(&one);
    sc_ratio_set_int64(&one, 1);
    sc_ratio_set_int64(&far, (int64_t)1 << SC_SCALE_BITS);
    sc_ratio_div(&near, &one, &far);
    bool fits = sc_ratio_compare(scale, &near) >= 0 && sc_ratio_compare(scale, &far) <= 0;
    sc_ratio_clear(&one);
    sc_ratio_clear(&near);
    sc_ratio_clear(&far);
    if (fits)
        return SCRIM_OK;
    return sc_fail(error, SCRIM_E_LIMIT,
                   "%s: the scale in grid steps, sensitivity / (epsilon grid), is "
                   "beyond 2^-60 to 2^60; choose another grid",
                   m->mechanism->entry.name);
}

/* scale = D / epsilon, or epsilon = D / scale: the one that was not given, in steps. */
scrim_status sc_laplace_scale(const scrim_measurement *m, sc_ratio *steps,
                              sc_ratio *epsilon, sc_ratio *scale, scrim_error *error)
{
    const sc_ratio *given = sc_measurement_get(m, "epsilon");
    sc_additive_sensitivity_upper(m, SC_NORM_L1, steps);
    if (given != NULL) {
        sc_ratio_set(epsilon, given);
        sc_ratio_div(scale, steps, given);
    } else {
        sc_grid_step(&m->domain.grid, scale);
        sc_ratio_div(scale, sc_measurement_get(m, "scale"), scale);
        sc_ratio_div(epsilon, steps, scale);
    }
    return sc_laplace_scale_check(m, scale, error);
}

static scrim_status check(scrim_measurement *m, scrim_error *error)
{
    static const char *const either[] = {"epsilon", "scale", NULL};
    scrim_status status = sc_measurement_one_of(m, either, error);
    if (status == SCRIM_OK)
        status = sc_additive_domain(m, error);
    if (status != SCRIM_OK)
        return status;
    laplace *s = sc_allocate(1, sizeof *s);
    if (s == NULL)
        return sc_fail(error, SCRIM_E_MEMORY, "no memory for a measurement");
    m->state = s;
    sc_ratio scale;
    sc_ratio_init(&scale);
    sc_ratio_init(&s->steps);
    sc_ratio_init(&s->epsilon);
    status = sc_laplace_scale(m, &s->steps, &s->epsilon, &scale, error);
    sc_law_init(&s->law, &sc_discrete_laplace_law, &scale, 0);
    if (status == SCRIM_OK) {
        status = sc_blocks_init_shape(
            &s->blocks, &(sc_blocks_law){.sides = SC_SIDES_BOTH}, &scale, error);
        s->is_ready = status == SCRIM_OK;
    }
    sc_ratio_clear(&scale);
    return status;
}

static void discard(scrim_measurement *m)
{
    laplace *s = m->state;
    if (s == NULL)
        return;
    if (s->is_ready)
        sc_blocks_clear(&s->blocks);
    sc_law_clear(&s->law);
    sc_ratio_clear(&s->epsilon);
    sc_ratio_clear(&s->steps);
    sc_free(s);
}

/* The curve of the exact law; a sensitivity beyond every grid is charged as any pure mechanism. */
static scrim_status cost(const scrim_measurement *m, sc_cost *out, scrim_error *error)
{
    const laplace *s = state_of(m);
    (void)error;
    sc_cost_set_pure(out, &s->epsilon);
    uint64_t shift = sc_additive_shift(&s->steps);
    if (sc_ratio_compare_int64(&s->steps, (int64_t)shift) == 0)
        sc_curve_set_laplace(&out->curve, &s->law.shape, shift);
    out->curve.is_attained =
        out->curve.functions->pair == SC_CURVE_PAIR_LAPLACE && sc_additive_is_attained(m);
    return SCRIM_OK;
}

static scrim_status certify(const scrim_measurement *m, const sc_ratio *beta,
                            size_t count, scrim_certificate *out, scrim_error *error)
{
    (void)count;
    return sc_additive_certify(m, &state_of(m)->law, beta, out, error);
}

static const sc_law *noise(const scrim_measurement *m)
{
    return &state_of(m)->law;
}

static scrim_status draw(const scrim_measurement *m, sc_bits *bits, const sc_input *input,
                         sc_draw *out, scrim_error *error)
{
    return sc_additive_draw(m, &state_of(m)->blocks, bits, input, out, error);
}

static scrim_status law(const scrim_measurement *m, const sc_input *input, long bits,
                        sc_outcomes *out, scrim_error *error)
{
    return sc_additive_law(m, &state_of(m)->law, sc_measurement_get(m, "lower") != NULL,
                           input, bits, out, error);
}

static size_t pair_count(const scrim_measurement *m)
{
    return sc_additive_pair_count(m, sc_additive_shift(&state_of(m)->steps));
}

static void pair(const scrim_measurement *m, size_t index, sc_pair *out)
{
    sc_additive_pair(m, sc_additive_shift(&state_of(m)->steps), index, out);
}

const sc_mechanism sc_laplace = {
    .entry = {.name = "laplace",
              .parameters = "sensitivity=R epsilon=R|scale=R [grid=R lower=R upper=R "
                            "size=N whole=yes]",
              .input = "numbers",
              .claim = "epsilon-DP, pure",
              .reference = "Ghosh, Roughgarden, Sundararajan 2009"},
    .parameters = parameters,
    .parameter_count = sizeof parameters / sizeof *parameters,
    .takes_wide = true,
    .check = check,
    .discard = discard,
    .cost = cost,
    .certify = certify,
    .answer_count = sc_additive_count,
    .draw = draw,
    .noise = noise,
    .width = sc_additive_count,
    .law = law,
    .pair_count = pair_count,
    .pair = pair,
    .change = sc_additive_change_sum,
};
