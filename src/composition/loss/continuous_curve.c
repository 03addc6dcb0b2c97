#include "composition/loss/continuous_curve.h"

#include "base/memory.h"
#include "mechanism/noise/gaussian_calibration.h"
#include "model/domain.h"
#include "model/renyi_conversion.h"

/* 1 / shape as a ball. */
static void inverse_shape(const sc_curve *curve, long bits, sc_ball *out)
{
    SC_OWN(sc_ratio, inverse);
    sc_ratio_set_int64(&inverse, 1);
    sc_ratio_div(&inverse, &inverse, &curve->shape);
    sc_ball_set_ratio(out, &inverse, bits);
}

static void gaussian_delta(const sc_curve *curve, const sc_ratio *epsilon, long bits,
                           sc_ball *out)
{
    SC_OWN(sc_ball, ratio);
    inverse_shape(curve, 16 * (bits + 64), &ratio);
    sc_analytic_gaussian_delta(epsilon, &ratio, bits, out);
}

static void gaussian_renyi(const sc_curve *curve, const sc_ratio *order, long bits,
                           sc_ball *out)
{
    SC_OWN(sc_ratio, line);
    sc_ratio_add(&line, &curve->shape, &curve->shape);
    sc_ratio_mul(&line, &line, &curve->shape);
    sc_ratio_div(&line, order, &line);
    sc_ball_set_ratio(out, &line, bits);
}

static const sc_curve_functions gaussian = {"continuous-gaussian", gaussian_delta,
                                            gaussian_renyi,
                                            SC_CURVE_PAIR_CONTINUOUS_GAUSSIAN};

void sc_curve_set_continuous_gaussian(sc_curve *curve, const sc_ratio *sigma)
{
    curve->functions = &gaussian;
    sc_ratio_set(&curve->shape, sigma);
    curve->is_attained = true;
}

static void laplace_delta(const sc_curve *curve, const sc_ratio *epsilon, long bits,
                          sc_ball *out)
{
    SC_OWN(sc_ratio, gap);
    sc_ratio_set_int64(&gap, 1);
    sc_ratio_div(&gap, &gap, &curve->shape);
    sc_ratio_sub(&gap, epsilon, &gap);
    if (sc_ratio_sign(&gap) >= 0) {
        sc_ball_set_int64(out, 0);
    } else {
        sc_ball_set_ratio(out, &gap, bits);
        sc_ball_mul_power2(out, out, -1);
        sc_ball_expm1(out, out, bits);
        sc_ball_neg(out, out);
    }
}

/* 1/(a-1) ln( a/(2a-1) exp((a-1)/b) + (a-1)/(2a-1) exp(-a/b) ), of which exp((a-1)/b) is taken
 * out: 1/b + ln( (a + (a-1) exp(-(2a-1)/b)) / (2a-1) ) / (a-1). */
static void laplace_renyi(const sc_curve *curve, const sc_ratio *order, long bits,
                          sc_ball *out)
{
    SC_OWN(sc_ratio, less, twice);
    SC_OWN(sc_ball, part);
    sc_renyi_less_one(order, &less);
    sc_ratio_add(&twice, &less, order);
    /* What is in the logarithm, less 1: (a-1) expm1(-(2a-1)/b) / (2a-1). */
    sc_ball_set_ratio(&part, &twice, bits);
    inverse_shape(curve, bits, out);
    sc_ball_mul(out, out, &part, bits);
    sc_ball_neg(out, out);
    sc_ball_expm1(out, out, bits);
    sc_ratio_div(&twice, &less, &twice);
    sc_ball_set_ratio(&part, &twice, bits);
    sc_ball_mul(out, out, &part, bits);
    sc_ball_log1p(out, out, bits);
    sc_ball_set_ratio(&part, &less, bits);
    sc_ball_div(out, out, &part, bits);
    inverse_shape(curve, bits, &part);
    sc_ball_add(out, out, &part, bits);
}

static const sc_curve_functions laplace = {
    "continuous-laplace", laplace_delta, laplace_renyi, SC_CURVE_PAIR_CONTINUOUS_LAPLACE};

void sc_curve_set_continuous_laplace(sc_curve *curve, const sc_ratio *scale)
{
    curve->functions = &laplace;
    sc_ratio_set(&curve->shape, scale);
    curve->is_attained = true;
}

/* By name. */

/* rho = 1 / (2 sigma^2). */
static void gaussian_cost(const sc_ratio *sigma, sc_exact_cost *out)
{
    SC_OWN(sc_ratio, rho);
    sc_ratio_add(&rho, sigma, sigma);
    sc_ratio_mul(&rho, &rho, sigma);
    sc_ratio_set_int64(&out->rho, 1);
    sc_ratio_div(&rho, &out->rho, &rho);
    out->has_rho = true;
    sc_cost_round_up(&rho, &out->rho);
    sc_curve_set_continuous_gaussian(&out->curve, sigma);
}

/* epsilon = 1 / b. */
static void laplace_cost(const sc_ratio *scale, sc_exact_cost *out)
{
    SC_OWN(sc_ratio, epsilon);
    sc_ratio_set_int64(&epsilon, 1);
    sc_ratio_div(&epsilon, &epsilon, scale);
    sc_cost_set_pure(out, &epsilon);
    sc_curve_set_continuous_laplace(&out->curve, scale);
}

#define POSITIVE(key, is_optional)                                                       \
    {                                                                                    \
        .name = (key), .kind = SC_PARAMETER_RATIONAL, .optional = (is_optional),         \
        .above = "0", .limit_low = "2^-60", .limit_high = "2^60",                        \
        .domain = "a rational above 0, from 8.7e-19 to 1.1e18"                           \
    }

static const sc_parameter_rule gaussian_parameters[] = {
    POSITIVE("sigma", false), POSITIVE("sensitivity", true), SC_PARAMETER_NEIGHBOURS};
static const sc_parameter_rule laplace_parameters[] = {
    POSITIVE("scale", false), POSITIVE("sensitivity", true), SC_PARAMETER_NEIGHBOURS};

static const sc_continuous list[] = {
    {"continuous-gaussian", "sigma=R [sensitivity=R]", gaussian_parameters, 3,
     gaussian_cost},
    {"continuous-laplace", "scale=R [sensitivity=R]", laplace_parameters, 3,
     laplace_cost},
};

#define COUNT (sizeof list / sizeof *list)

const sc_continuous *sc_continuous_at(size_t index)
{
    return index < COUNT ? &list[index] : NULL;
}

const sc_continuous *sc_continuous_find(sc_text name)
{
    for (size_t i = 0; i < COUNT; i++)
        if (sc_text_is(name, list[i].name))
            return &list[i];
    return NULL;
}

/* Has the quotient of noise and sensitivity no more bits than what is charged may have? */
static scrim_status check_noise(const sc_continuous *continuous, const sc_ratio *noise,
                                scrim_error *error)
{
    if (sc_cost_fits(noise))
        return SCRIM_OK;
    return sc_fail(error, SCRIM_E_LIMIT,
                   "%s: %s / sensitivity has more than %d bits in its numerator or "
                   "denominator; round it",
                   continuous->name, continuous->parameters[0].name, SC_COST_BITS);
}

static scrim_status format(const sc_continuous *continuous,
                           const sc_parameters *parameters, char **text,
                           scrim_error *error)
{
    const size_t bytes = sc_parameters_format(parameters, continuous->name, NULL, 0) + 1;
    char *line = sc_allocate(bytes, 1);
    if (line == NULL)
        return sc_no_memory(error, "a part");
    sc_parameters_format(parameters, continuous->name, line, bytes);
    *text = line;
    return SCRIM_OK;
}

scrim_status sc_continuous_parse(const sc_continuous *continuous, sc_text rest,
                                 sc_exact_cost *out, char **text, scrim_error *error)
{
    sc_parameters parameters;
    SC_OWN(sc_ratio, noise);
    sc_parameters_init(&parameters, continuous->parameters, continuous->parameter_count);
    scrim_status status = sc_parameters_parse(&parameters, rest, error);
    if (status == SCRIM_OK)
        status = sc_parameters_default(&parameters, "sensitivity", "1", error);
    if (status == SCRIM_OK)
        status = sc_parameters_default(&parameters, "neighbours", "add-remove", error);
    if (status == SCRIM_OK) {
        sc_ratio_div(&noise, &parameters.value[0], &parameters.value[1]);
        status = check_noise(continuous, &noise, error);
    }
    if (status == SCRIM_OK)
        status = format(continuous, &parameters, text, error);
    if (status == SCRIM_OK) {
        out->neighbours =
            (scrim_neighbours)(sc_parameters_word(&parameters, "neighbours", 0) + 1);
        continuous->cost(&noise, out);
    }
    sc_parameters_clear(&parameters);
    return status;
}
