#include "mechanism/noise/gaussian.h"

#include "mechanism/noise/additive.h"
#include "mechanism/noise/gaussian_calibration.h"
#include "model/domain.h"

static const sc_parameter_rule parameters[] = {
    SC_PARAMETER_SENSITIVITY,
    SC_PARAMETER_EPSILON,
    SC_PARAMETER_DELTA,
    {.name = "rho",
     .kind = SC_PARAMETER_RATIONAL,
     .optional = true,
     .above = "0",
     .limit_low = "2^-120",
     .limit_high = "2^20",
     .domain = "a rational above 0, from 7.6e-37 to 1048576"},
    {.name = "sigma",
     .kind = SC_PARAMETER_RATIONAL,
     .optional = true,
     .above = "0",
     .limit_low = "2^-60",
     .limit_high = "2^60",
     .domain = "a rational above 0, from 8.7e-19 to 1.1e18"},
    {.name = "variance",
     .kind = SC_PARAMETER_RATIONAL,
     .optional = true,
     .above = "0",
     .limit_low = "2^-120",
     .limit_high = "2^120",
     .domain = "a rational above 0, from 7.6e-37 to 1.3e36"},
    SC_PARAMETER_GRID,
    SC_PARAMETER_SIZE,
    SC_PARAMETER_WHOLE,
    SC_PARAMETER_NEIGHBOURS,
};

/* One value: the exact curve. */
static bool is_single(const scrim_measurement *m)
{
    return m->domain.count_max == 1;
}

static scrim_status check_parameters(const scrim_measurement *m, scrim_error *error)
{
    static const char *const either[] = {"epsilon", "rho", "sigma", "variance", NULL};
    bool has_epsilon = sc_measurement_get(m, "epsilon") != NULL;
    bool has_delta = sc_measurement_get(m, "delta") != NULL;
    if (has_epsilon != has_delta)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "epsilon",
                           "gaussian: give epsilon and delta together, or rho, sigma or "
                           "variance without them");
    return sc_measurement_one_of(m, either, error);
}

/* steps^2 / (2 rho): the variance for a rho, and the rho for a variance. */
static void half_square_over(const sc_ratio *steps, const sc_ratio *divisor,
                             sc_ratio *out)
{
    SC_OWN(sc_ratio, twice);
    sc_ratio_add(&twice, divisor, divisor);
    sc_ratio_mul(out, steps, steps);
    sc_ratio_div(out, out, &twice);
}

/* The given sigma or variance, from the unit of the input to steps squared. */
static void in_steps(const scrim_measurement *m, const sc_ratio *sigma,
                     const sc_ratio *variance, sc_ratio *out)
{
    SC_OWN(sc_ratio, step);
    sc_grid_step(&m->domain.grid, &step);
    if (sigma != NULL)
        sc_ratio_mul(out, sigma, sigma);
    else
        sc_ratio_set(out, variance);
    sc_ratio_div(out, out, &step);
    sc_ratio_div(out, out, &step);
}

static scrim_status calibrate(const scrim_measurement *m, const sc_ratio *steps,
                              sc_ratio *variance, scrim_error *error)
{
    const sc_ratio *epsilon = sc_measurement_get(m, "epsilon");
    const sc_ratio *delta = sc_measurement_get(m, "delta");
    uint64_t shift = 0;
    if (!is_single(m))
        return sc_gaussian_variance_concentrated(epsilon, delta, steps, variance, error);
    SC_OWN(sc_integer, whole);
    sc_ratio_floor(steps, &whole); /* one value moves by a whole number of steps */
    const bool fits =
        sc_integer_get_uint64(&whole, &shift) && shift < (uint64_t)1 << SC_GRID_BITS;
    if (!fits)
        return sc_fail(
            error, SCRIM_E_LIMIT,
            "gaussian: the sensitivity is above 4.6e18 steps; choose a coarser "
            "grid");
    return sc_gaussian_variance_exact(epsilon, delta, shift, variance, error);
}

static scrim_status set_variance(scrim_measurement *m, sc_additive *s, sc_ratio *variance,
                                 scrim_error *error)
{
    const sc_ratio *rho = sc_measurement_get(m, "rho");
    const sc_ratio *sigma = sc_measurement_get(m, "sigma");
    const sc_ratio *given = sc_measurement_get(m, "variance");
    scrim_status status = SCRIM_OK;
    if (sc_measurement_integer(m, "size", 1) == 1)
        m->domain.count_max = 1; /* the exact curve is that of one value */
    sc_additive_sensitivity_upper(m, SC_NORM_L2, &s->steps);
    if (rho != NULL)
        half_square_over(&s->steps, rho, variance);
    else if (sigma != NULL || given != NULL)
        in_steps(m, sigma, given, variance);
    else
        status = calibrate(m, &s->steps, variance, error);
    if (status == SCRIM_OK && !sc_additive_fits(variance, 120))
        status = sc_fail(error, SCRIM_E_LIMIT,
                         "gaussian: the variance in grid steps is beyond 7.6e-37 to "
                         "1.3e36; choose another grid");
    return status;
}

/* The square of the largest move, in steps; what is too large to list is one more than that. */
static uint64_t square_of(const sc_additive *s)
{
    uint64_t square = 0;
    SC_OWN(sc_ratio, exact);
    SC_OWN(sc_integer, whole);
    sc_ratio_mul(&exact, &s->steps, &s->steps);
    sc_ratio_floor(&exact, &whole);
    const bool fits =
        sc_integer_get_uint64(&whole, &square) && square <= SC_VECTOR_LOSS_SQUARE;
    return fits ? square : SC_VECTOR_LOSS_SQUARE + 1;
}

/* The loss of several values that one unit moves together; none needs listing if one can move by 1. */
static scrim_status list_moves(const scrim_measurement *m, scrim_error *error)
{
    sc_additive *s = m->state;
    const uint64_t square = square_of(s);
    const int64_t size = sc_measurement_integer(m, "size", 0);
    if (is_single(m) || square < 2 || square > SC_VECTOR_LOSS_SQUARE)
        return SCRIM_OK;
    return sc_vector_loss_new(&s->law.shape, square, size > 0 ? (uint64_t)size : square,
                              &s->vector, error);
}

static scrim_status check(scrim_measurement *m, scrim_error *error)
{
    static const sc_noise_kind kind = {
        .law = &sc_discrete_gaussian_law,
        .blocks = {.sides = SC_SIDES_BOTH, .is_square = true},
        .scale = set_variance};
    scrim_status status = check_parameters(m, error);
    if (status == SCRIM_OK)
        status = sc_additive_check(m, &kind, error);
    return status == SCRIM_OK ? list_moves(m, error) : status;
}

/* By how much one value moves, where one alone does: else 0. */
static uint64_t only_shift(const scrim_measurement *m)
{
    const sc_additive *s = sc_additive_of(m);
    if (is_single(m))
        return sc_additive_is_whole(s) ? s->shift : 0;
    return square_of(s) == 1 ? 1 : 0;
}

static scrim_status cost(const scrim_measurement *m, sc_exact_cost *out,
                         scrim_error *error)
{
    const sc_additive *s = sc_additive_of(m);
    const sc_ratio *epsilon = sc_measurement_get(m, "epsilon");
    (void)error;
    SC_OWN(sc_ratio, rho);
    half_square_over(&s->steps, &s->law.shape, &rho);
    if (epsilon != NULL)
        sc_cost_set_approximate(out, epsilon, sc_measurement_get(m, "delta"));
    out->has_rho = true;
    sc_cost_round_up(&rho, &out->rho);
    const uint64_t shift = only_shift(m);
    if (shift > 0)
        sc_curve_set_gaussian(&out->curve, &s->law.shape, shift);
    else if (s->vector != NULL)
        sc_curve_set_vector(&out->curve, s->vector, &rho);
    else
        sc_curve_set_concentrated(&out->curve, &rho);
    out->curve.is_attained = out->curve.functions->pair == SC_CURVE_PAIR_GAUSSIAN &&
                             sc_additive_is_attained(m);
    return SCRIM_OK;
}

/* Beside one value that moves, two that move alike, where their law is short enough to be
 * listed: floor(D / sqrt 2) each; 0 if they are not used. */
#define PLANE_VARIANCE 1000

static uint64_t plane_shift(const scrim_measurement *m)
{
    const sc_additive *s = sc_additive_of(m);
    if (is_single(m) || s->shift > (uint64_t)1 << 30 ||
        sc_ratio_compare_int64(&s->law.shape, PLANE_VARIANCE) > 0)
        return 0;
    uint64_t each = 0;
    SC_OWN(sc_integer, root);
    SC_OWN(sc_ratio, square, two);
    sc_ratio_set_int64(&two, 2);
    sc_ratio_mul(&square, &s->steps, &s->steps);
    sc_ratio_div(&square, &square, &two);
    sc_ratio_floor(&square, &root);
    sc_integer_sqrt(&root, &root);
    (void)sc_integer_get_uint64(&root, &each);
    return each;
}

static size_t pair_count(const scrim_measurement *m)
{
    return sc_additive_pair_count(m) + (plane_shift(m) > 0 ? 1 : 0);
}

static void pair(const scrim_measurement *m, size_t index, sc_pair *out)
{
    if (index < sc_additive_pair_count(m)) {
        sc_additive_pair(m, index, out);
        return;
    }
    out->x_count = out->y_count = 2;
    out->x[0] = out->x[1] = 0;
    out->y[0] = out->y[1] = (int64_t)plane_shift(m);
}

const sc_mechanism sc_gaussian_noise = {
    .entry = {.name = "gaussian",
              .parameters =
                  "sensitivity=R epsilon=R delta=R|rho=R|sigma=R|variance=R [grid=R "
                  "size=N whole=yes]",
              .input = "numbers",
              .claim = "(epsilon, delta)-DP and rho-concentrated",
              .does = "Adds exact discrete Gaussian noise to each number. Use it where "
                      "one person changes many numbers, or where many releases share "
                      "one budget.",
              .example = "sensitivity=1 epsilon=1 delta=1e-6 neighbours=add-remove",
              .example_input = "1234\n",
              .reference = "Canonne, Kamath, Steinke: The Discrete Gaussian for "
                           "Differential Privacy, 2020"},
    SC_ADDITIVE_MEMBERS,
    SC_ADDITIVE_MEMBERS_SHOWN,
    .certify = sc_additive_certify,
    .pair_count = pair_count,
    .pair = pair,
    .change = sc_additive_change_length,
};
