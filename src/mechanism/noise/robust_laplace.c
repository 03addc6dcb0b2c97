#include "mechanism/noise/robust_laplace.h"

#include "base/memory.h"
#include "mechanism/noise/additive.h"
#include "mechanism/noise/laplace.h"
#include "model/neighbours.h"
#include "scrim/accuracy.h"

static const sc_parameter parameters[] = {
    {.name = "rho",
     .kind = SC_PARAMETER_RATIONAL,
     .above = "0",
     .limit_low = "2^-60",
     .limit_high = "2^60",
     .domain = "a rational above 0, from 2^-60 to 2^60"},
    {.name = "epsilon",
     .kind = SC_PARAMETER_RATIONAL,
     .above = "0",
     .limit_low = "2^-60",
     .limit_high = "1000",
     .domain = "a rational above 0, from 2^-60 to 1000"},
    {.name = "theta",
     .kind = SC_PARAMETER_RATIONAL,
     .optional = true,
     .at_least = "0",
     .below = "1",
     .domain = "a rational from 0 on and below 1"},
    SC_PARAMETER_GRID,
    SC_PARAMETER_NEIGHBOURS,
};

typedef struct robust {
    sc_ratio steps; /* rho, in steps */
    sc_law law;     /* its shape is the scale, in steps */
    sc_blocks blocks;
    bool is_ready;
} robust;

static const robust *state_of(const scrim_measurement *m)
{
    return m->state;
}

/* R = ceil(rho/step), and the scale R / epsilon. */
static scrim_status set_scale(const scrim_measurement *m, robust *s, sc_ratio *scale,
                              scrim_error *error)
{
    sc_integer steps;
    sc_integer_init(&steps);
    sc_grid_sensitivity_upper(&m->domain.grid, sc_measurement_get(m, "rho"), &steps);
    sc_ratio_set_integer(&s->steps, &steps);
    sc_ratio_div(scale, &s->steps, sc_measurement_get(m, "epsilon"));
    sc_integer_clear(&steps);
    return sc_laplace_scale_check(m, scale, error);
}

static scrim_status check(scrim_measurement *m, scrim_error *error)
{
    sc_ratio scale;
    scrim_status status = sc_additive_domain(m, error);
    if (status != SCRIM_OK)
        return status;
    robust *s = sc_allocate(1, sizeof *s);
    if (s == NULL)
        return sc_fail(error, SCRIM_E_MEMORY, "no memory for a measurement");
    m->state = s;
    m->domain.count_max = 1; /* rho is the distance of two laws of one number */
    sc_ratio_init(&scale);
    sc_ratio_init(&s->steps);
    status = set_scale(m, s, &scale, error);
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
    robust *s = m->state;
    if (s == NULL)
        return;
    if (s->is_ready)
        sc_blocks_clear(&s->blocks);
    sc_law_clear(&s->law);
    sc_ratio_clear(&s->steps);
    sc_free(s);
}

static scrim_status cost(const scrim_measurement *m, sc_cost *out, scrim_error *error)
{
    const robust *s = state_of(m);
    const sc_ratio *epsilon = sc_measurement_get(m, "epsilon");
    const sc_ratio *theta = sc_measurement_get(m, "theta");
    (void)error;
    if (theta != NULL && sc_ratio_sign(theta) > 0) {
        sc_cost_set_approximate(out, epsilon, theta);
        return SCRIM_OK;
    }
    sc_cost_set_pure(out, epsilon);
    const uint64_t shift = sc_additive_shift(&s->steps);
    if (sc_ratio_compare_int64(&s->steps, (int64_t)shift) == 0)
        sc_curve_set_laplace(&out->curve, &s->law.shape, shift);
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
    return sc_additive_law(m, &state_of(m)->law, false, input, bits, out, error);
}

static size_t pair_count(const scrim_measurement *m)
{
    return sc_additive_pair_count(m, sc_additive_shift(&state_of(m)->steps));
}

static void pair(const scrim_measurement *m, size_t index, sc_pair *out)
{
    sc_additive_pair(m, sc_additive_shift(&state_of(m)->steps), index, out);
}

static void change(const scrim_measurement *m, sc_change *out)
{
    out->kind = SC_CHANGE_SUM;
    sc_ratio_set(&out->amount, sc_measurement_get(m, "rho"));
}

const sc_mechanism sc_robust_laplace = {
    .entry = {.name = "robust-laplace",
              .parameters = "rho=R epsilon=R [theta=R grid=R]",
              .input = "numbers",
              .claim = "(epsilon, theta)-DP of a drawn number whose laws are within rho "
                       "but for theta",
              .reference = "flexible accuracy: robust release, corrected"},
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
    .change = change,
};
