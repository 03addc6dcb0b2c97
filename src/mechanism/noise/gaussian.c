#include "mechanism/noise/gaussian.h"

#include "base/memory.h"
#include "mechanism/noise/additive.h"
#include "mechanism/noise/gaussian_calibration.h"
#include "model/neighbours.h"

static const sc_parameter parameters[] = {
    SC_PARAMETER_SENSITIVITY,
    SC_PARAMETER_EPSILON,
    SC_PARAMETER_DELTA,
    {.name = "rho",
     .kind = SC_PARAMETER_RATIONAL,
     .optional = true,
     .above = "0",
     .limit_low = "2^-120",
     .limit_high = "2^20",
     .domain = "a rational above 0, from 2^-120 to 2^20"},
    {.name = "sigma",
     .kind = SC_PARAMETER_RATIONAL,
     .optional = true,
     .above = "0",
     .limit_low = "2^-60",
     .limit_high = "2^60",
     .domain = "a rational above 0, from 2^-60 to 2^60"},
    {.name = "variance",
     .kind = SC_PARAMETER_RATIONAL,
     .optional = true,
     .above = "0",
     .limit_low = "2^-120",
     .limit_high = "2^120",
     .domain = "a rational above 0, from 2^-120 to 2^120"},
    SC_PARAMETER_GRID,
    SC_PARAMETER_SIZE,
    SC_PARAMETER_WHOLE,
    SC_PARAMETER_NEIGHBOURS,
};

typedef struct gaussian {
    sc_ratio steps; /* the sensitivity, in steps */
    sc_law law;     /* its shape is the variance, in steps squared */
    sc_blocks blocks;
    bool is_single; /* one value: the exact curve */
    bool is_ready;
} gaussian;

static const gaussian *state_of(const scrim_measurement *m)
{
    return m->state;
}

static scrim_status check_parameters(const scrim_measurement *m, scrim_error *error)
{
    static const char *const either[] = {"epsilon", "rho", "sigma", "variance", NULL};
    bool has_epsilon = sc_measurement_get(m, "epsilon") != NULL;
    bool has_delta = sc_measurement_get(m, "delta") != NULL;
    if (has_epsilon != has_delta)
        return sc_fail(error, SCRIM_E_PARAM,
                       "gaussian: give epsilon and delta together, or rho, sigma or "
                       "variance without them");
    return sc_measurement_one_of(m, either, error);
}

/* steps^2 / (2 rho): the variance for a rho, and the rho for a variance. */
static void half_square_over(const sc_ratio *steps, const sc_ratio *divisor,
                             sc_ratio *out)
{
    sc_ratio twice;
    sc_ratio_init(&twice);
    sc_ratio_add(&twice, divisor, divisor);
    sc_ratio_mul(out, steps, steps);
    sc_ratio_div(out, out, &twice);
    sc_ratio_clear(&twice);
}

/* What was given in the unit of the input, in steps squared. */
static void in_steps(const scrim_measurement *m, const sc_ratio *sigma,
                     const sc_ratio *variance, sc_ratio *out)
{
    sc_ratio step;
    sc_ratio_init(&step);
    sc_grid_step(&m->domain.grid, &step);
    if (sigma != NULL)
        sc_ratio_mul(out, sigma, sigma);
    else
        sc_ratio_set(out, variance);
    sc_ratio_div(out, out, &step);
    sc_ratio_div(out, out, &step);
    sc_ratio_clear(&step);
}

static scrim_status calibrate(const scrim_measurement *m, const gaussian *s,
                              sc_ratio *variance, scrim_error *error)
{
    const sc_ratio *epsilon = sc_measurement_get(m, "epsilon");
    const sc_ratio *delta = sc_measurement_get(m, "delta");
    if (!s->is_single)
        return sc_gaussian_variance_concentrated(epsilon, delta, &s->steps, variance,
                                                 error);
    uint64_t shift = sc_additive_shift(&s->steps);
    if (sc_ratio_compare_int64(&s->steps, (int64_t)shift) != 0)
        return sc_fail(error, SCRIM_E_LIMIT,
                       "gaussian: the sensitivity is above 2^62 steps; choose a coarser "
                       "grid");
    return sc_gaussian_variance_exact(epsilon, delta, shift, variance, error);
}

static scrim_status set_variance(const scrim_measurement *m, const gaussian *s,
                                 sc_ratio *variance, scrim_error *error)
{
    const sc_ratio *rho = sc_measurement_get(m, "rho");
    const sc_ratio *sigma = sc_measurement_get(m, "sigma");
    const sc_ratio *given = sc_measurement_get(m, "variance");
    if (rho == NULL && sigma == NULL && given == NULL)
        return calibrate(m, s, variance, error);
    if (rho != NULL)
        half_square_over(&s->steps, rho, variance);
    else
        in_steps(m, sigma, given, variance);
    return SCRIM_OK;
}

static scrim_status check_variance(const sc_ratio *variance, scrim_error *error)
{
    sc_ratio far, near, one;
    sc_ratio_init(&far);
    sc_ratio_init(&near);
    sc_ratio_init(&one);
    sc_ratio_set_int64(&one, 1);
    sc_ratio_set_int64(&far, (int64_t)1 << 60);
    sc_ratio_mul(&far, &far, &far);
    sc_ratio_div(&near, &one, &far);
    bool fits =
        sc_ratio_compare(variance, &near) >= 0 && sc_ratio_compare(variance, &far) <= 0;
    sc_ratio_clear(&one);
    sc_ratio_clear(&near);
    sc_ratio_clear(&far);
    if (fits)
        return SCRIM_OK;
    return sc_fail(error, SCRIM_E_LIMIT,
                   "gaussian: the variance in grid steps is beyond 2^-120 to 2^120; "
                   "choose another grid");
}

static scrim_status prepare(gaussian *s, scrim_error *error)
{
    scrim_status status = sc_blocks_init_shape(
        &s->blocks, &(sc_blocks_law){.sides = SC_SIDES_BOTH, .is_square = true},
        &s->law.shape, error);
    s->is_ready = status == SCRIM_OK;
    return status;
}

static scrim_status check(scrim_measurement *m, scrim_error *error)
{
    scrim_status status = check_parameters(m, error);
    if (status == SCRIM_OK)
        status = sc_additive_domain(m, error);
    if (status != SCRIM_OK)
        return status;
    gaussian *s = sc_allocate(1, sizeof *s);
    if (s == NULL)
        return sc_fail(error, SCRIM_E_MEMORY, "no memory for a measurement");
    m->state = s;
    s->is_single = sc_measurement_integer(m, "size", 1) == 1;
    if (s->is_single)
        m->domain.count_max = 1; /* the exact curve is that of one value */
    sc_ratio variance;
    sc_ratio_init(&variance);
    sc_ratio_init(&s->steps);
    sc_additive_sensitivity_upper(m, SC_NORM_L2, &s->steps);
    status = set_variance(m, s, &variance, error);
    if (status == SCRIM_OK)
        status = check_variance(&variance, error);
    sc_law_init(&s->law, &sc_discrete_gaussian_law, &variance, 0);
    if (status == SCRIM_OK)
        status = prepare(s, error);
    sc_ratio_clear(&variance);
    return status;
}

static void discard(scrim_measurement *m)
{
    gaussian *s = m->state;
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
    const gaussian *s = state_of(m);
    const sc_ratio *epsilon = sc_measurement_get(m, "epsilon");
    uint64_t shift = sc_additive_shift(&s->steps);
    sc_ratio rho;
    (void)error;
    sc_ratio_init(&rho);
    half_square_over(&s->steps, &s->law.shape, &rho);
    if (epsilon != NULL)
        sc_cost_set_approximate(out, epsilon, sc_measurement_get(m, "delta"));
    out->has_rho = true;
    sc_cost_round_up(&rho, &out->rho);
    if (s->is_single && sc_ratio_compare_int64(&s->steps, (int64_t)shift) == 0)
        sc_curve_set_gaussian(&out->curve, &s->law.shape, shift);
    else
        sc_curve_set_concentrated(&out->curve, &rho);
    out->curve.is_attained = out->curve.functions->pair == SC_CURVE_PAIR_GAUSSIAN &&
                             sc_additive_is_attained(m);
    sc_ratio_clear(&rho);
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

/* Beside one value that moves, two that move alike, where their law is short enough to be
 * listed: floor(D / sqrt 2) each, 0 where that is none. */
#define PLANE_VARIANCE 1000

static uint64_t plane_shift(const gaussian *s)
{
    uint64_t shift = sc_additive_shift(&s->steps);
    if (s->is_single || shift > (uint64_t)1 << 30 ||
        sc_ratio_compare_int64(&s->law.shape, PLANE_VARIANCE) > 0)
        return 0;
    sc_integer root;
    sc_ratio square, two;
    uint64_t each = 0;
    sc_integer_init(&root);
    sc_ratio_init(&square);
    sc_ratio_init(&two);
    sc_ratio_set_int64(&two, 2);
    sc_ratio_mul(&square, &s->steps, &s->steps);
    sc_ratio_div(&square, &square, &two);
    sc_ratio_floor(&square, &root);
    sc_integer_sqrt(&root, &root);
    (void)sc_integer_get_uint64(&root, &each);
    sc_ratio_clear(&two);
    sc_ratio_clear(&square);
    sc_integer_clear(&root);
    return each;
}

static size_t pair_count(const scrim_measurement *m)
{
    const gaussian *s = state_of(m);
    return sc_additive_pair_count(m, sc_additive_shift(&s->steps)) +
           (plane_shift(s) > 0 ? 1 : 0);
}

static void pair(const scrim_measurement *m, size_t index, sc_pair *out)
{
    const gaussian *s = state_of(m);
    uint64_t shift = sc_additive_shift(&s->steps);
    if (index < sc_additive_pair_count(m, shift)) {
        sc_additive_pair(m, shift, index, out);
        return;
    }
    out->x_count = out->y_count = 2;
    out->x[0] = out->x[1] = 0;
    out->y[0] = out->y[1] = (int64_t)plane_shift(s);
}

const sc_mechanism sc_gaussian_noise = {
    .entry = {.name = "gaussian",
              .parameters =
                  "sensitivity=R epsilon=R delta=R|rho=R|sigma=R|variance=R [grid=R "
                  "size=N whole=yes]",
              .input = "numbers",
              .claim = "(epsilon, delta)-DP and rho-concentrated",
              .reference = "Canonne, Kamath, Steinke 2020"},
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
    .change = sc_additive_change_length,
};
