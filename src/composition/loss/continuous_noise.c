#include "composition/loss/continuous_noise.h"

#include "base/memory.h"
#include "base/number/ball_double.h"
#include "base/work_limit.h"
#include "mechanism/noise/gaussian_calibration.h"
#include "model/domain.h"
#include "model/renyi_conversion.h"

#include <math.h>

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

static const sc_curve_functions gaussian = {
    .name = "continuous-gaussian",
    .delta = gaussian_delta,
    .renyi = gaussian_renyi,
    .pair = SC_CURVE_PAIR_CONTINUOUS_GAUSSIAN,
};

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
    /* The argument of the logarithm, less 1: (a-1) expm1(-(2a-1)/b) / (2a-1). */
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

static const sc_curve_functions laplace = {.name = "continuous-laplace",
                                           .delta = laplace_delta,
                                           .renyi = laplace_renyi,
                                           .pair = SC_CURVE_PAIR_CONTINUOUS_LAPLACE};

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

/* The doubles here choose centres and numbers of terms; what is left out is bounded in balls. */

#define REACH 0.25
#define HALF_MOST 32
#define TERMS_MOST 256

typedef struct series {
    const sc_ball *first, *step;
    long bits;
    size_t half;    /* points on each side of a centre */
    size_t terms;   /* at most; even */
    sc_ball *power; /* half rows of terms: (i step)^(n + 1) / (n + 1) */
    sc_ball *c;     /* of one centre */
    sc_ball left;   /* after the last term of it */
} series;

/* ln of the rest of the series after `terms` terms; radius becomes the R of that bound. */
static double log_left(double centre, double reach, size_t terms, double *radius)
{
    *radius = (sqrt(centre * centre + 4 * (double)terms) - centre) / 2;
    *radius = fmax(*radius, reach);
    return (double)terms * log(reach / *radius) + centre * *radius +
           *radius * *radius / 2 + log(reach);
}

/* How many terms a centre at this distance from 0 takes: even, and TERMS_MOST + 2 for too many. */
static size_t terms_for(double centre, double reach, long bits)
{
    double radius;
    size_t terms = 8;
    while (terms <= TERMS_MOST &&
           log_left(centre, reach, terms, &radius) > -0.7 * (double)(bits + 8))
        terms += 2;
    return terms;
}

static void point_of(const series *s, size_t i, sc_ball *out)
{
    sc_ball_mul_int64(out, s->step, (int64_t)i, s->bits);
    sc_ball_add(out, out, s->first, s->bits);
}

/* As many points around each centre as are within reach; none where the points are far apart. */
static void choose(series *s, size_t count)
{
    const double step = sc_ball_upper(s->step);
    const double half = floor(REACH / step);
    SC_OWN(sc_ball, end);
    point_of(s, count, &end);
    const double far =
        fmax(fmax(fabs(sc_ball_lower(&end)), fabs(sc_ball_upper(&end))),
             fmax(fabs(sc_ball_lower(s->first)), fabs(sc_ball_upper(s->first))));
    s->half = half < HALF_MOST ? (size_t)half : HALF_MOST;
    s->terms = s->half > 0 ? terms_for(far, (double)s->half * step, s->bits) : 0;
    if (s->terms > TERMS_MOST)
        s->half = s->terms = 0;
}

static void fill_powers(series *s)
{
    SC_OWN(sc_ball, d, power);
    for (size_t i = 0; i < s->half; i++) {
        sc_ball_mul_int64(&d, s->step, (int64_t)i + 1, s->bits);
        sc_ball_set(&power, &d);
        for (size_t n = 0; n < s->terms; n++) {
            sc_ball_div_int64(&s->power[i * s->terms + n], &power, (int64_t)n + 1,
                              s->bits);
            sc_ball_mul(&power, &power, &d, s->bits);
        }
    }
}

/* The coefficients of a centre and what is left after them; how many there are. */
static size_t expand(series *s, const sc_ball *centre)
{
    SC_OWN(sc_ball, size, radius, x);
    sc_ball_abs(&size, centre);
    const double reach = sc_ball_upper(s->step) * (double)s->half;
    double round;
    size_t terms = terms_for(sc_ball_upper(&size), reach, s->bits);
    terms = terms < s->terms ? terms : s->terms;
    sc_ball_set_int64(&s->c[0], 1);
    sc_ball_neg(&s->c[1], centre);
    for (size_t n = 1; n + 1 < terms; n++) {
        sc_ball_mul(&x, centre, &s->c[n], s->bits);
        sc_ball_add(&x, &x, &s->c[n - 1], s->bits);
        sc_ball_div_int64(&s->c[n + 1], &x, -(int64_t)n - 1, s->bits);
    }
    (void)log_left(sc_ball_upper(&size), reach, terms, &round);
    /* |d| (|d| / R)^N exp(R (|c| + R / 2)), R a small dyadic number at least as large as |d| */
    sc_ball_set_int64(&radius, (int64_t)ceil(round * 256) + 1);
    sc_ball_mul_power2(&radius, &radius, -8);
    sc_ball_mul_power2(&x, &radius, -1);
    sc_ball_add(&x, &x, &size, 64);
    sc_ball_mul(&x, &x, &radius, 64);
    sc_ball_exp(&x, &x, 64);
    sc_ball_mul_int64(&size, s->step, (int64_t)s->half, 64);
    sc_ball_mul(&x, &x, &size, 64);
    sc_ball_div(&size, &size, &radius, 64);
    sc_ball_power(&size, &size, terms, 64);
    sc_ball_mul(&s->left, &x, &size, 64);
    return terms;
}

/* P(N > x) or, on the left, P(N < x), which is the smaller one; and the density. */
static void tail_at(const sc_ball *x, bool is_right, long bits, sc_ball *tail,
                    sc_ball *density)
{
    SC_OWN(sc_ball, root);
    sc_ball_set_int64(&root, 2);
    sc_ball_sqrt(&root, &root, bits);
    sc_ball_div(tail, x, &root, bits);
    if (!is_right)
        sc_ball_neg(tail, tail);
    sc_ball_erfc(tail, tail, bits);
    sc_ball_mul_power2(tail, tail, -1);
    sc_ball_mul(density, x, x, bits);
    sc_ball_mul_power2(density, density, -1);
    sc_ball_neg(density, density);
    sc_ball_exp(density, density, bits);
    sc_ball_set_pi(&root, bits);
    sc_ball_mul_power2(&root, &root, 1);
    sc_ball_sqrt(&root, &root, bits);
    sc_ball_div(density, density, &root, bits);
}

/* The tail of the centre's side becomes that of a point nearby: less the part of the density between
 * them on the right of 0, and with it on the left. */
static void put(const series *s, const sc_ball *tail, const sc_ball *part, bool is_right,
                size_t i, sc_ball *above, sc_ball *below)
{
    sc_ball *near = is_right ? &above[i] : &below[i];
    sc_ball *other = is_right ? &below[i] : &above[i];
    if (is_right)
        sc_ball_sub(near, tail, part, s->bits);
    else
        sc_ball_add(near, tail, part, s->bits);
    sc_ball_neg(other, near);
    sc_ball_add_int64(other, other, 1, s->bits);
}

/* The points around the one in the middle, as far as there are any. */
static void fill_around(series *s, size_t middle, size_t count, sc_ball *above,
                        sc_ball *below)
{
    sc_ball centre, tail, density, even, odd, part;
    sc_ball *const balls[] = {&centre, &tail, &density, &even, &odd, &part};
    for (size_t i = 0; i < sizeof balls / sizeof balls[0]; i++)
        sc_ball_init(balls[i]);
    point_of(s, middle, &centre);
    const bool is_right = sc_ball_upper(&centre) >= 0;
    tail_at(&centre, is_right, s->bits, &tail, &density);
    if (middle < count)
        put(s, &tail, &part, is_right, middle, above, below);
    const size_t terms = s->half > 0 ? expand(s, &centre) : 0;
    for (size_t i = 1; i <= s->half; i++) {
        const sc_ball *power = &s->power[(i - 1) * s->terms];
        sc_ball_dot(&even, s->c, power, terms / 2, 2, s->bits);
        sc_ball_dot(&odd, &s->c[1], &power[1], terms / 2, 2, s->bits);
        sc_ball_widen(&odd, &s->left);
        if (middle + i < count) {
            sc_ball_add(&part, &odd, &even, s->bits);
            sc_ball_mul(&part, &part, &density, s->bits);
            put(s, &tail, &part, is_right, middle + i, above, below);
        }
        if (middle >= i && middle - i < count) {
            sc_ball_sub(&part, &odd, &even, s->bits);
            sc_ball_mul(&part, &part, &density, s->bits);
            put(s, &tail, &part, is_right, middle - i, above, below);
        }
    }
    for (size_t i = 0; i < sizeof balls / sizeof balls[0]; i++)
        sc_ball_clear(balls[i]);
}

bool sc_normal_tails(const sc_ball *first, const sc_ball *step, size_t count, long bits,
                     sc_ball *above, sc_ball *below)
{
    series s = {.first = first, .step = step, .bits = bits + 16};
    choose(&s, count);
    s.power = sc_balls_new(s.half * s.terms + 1);
    s.c = sc_balls_new(s.terms + 1);
    bool fits = s.power != NULL && s.c != NULL;
    sc_ball_init(&s.left);
    if (fits)
        fill_powers(&s);
    for (size_t i = s.half; fits && i < count + s.half; i += 2 * s.half + 1) {
        fill_around(&s, i, count, above, below);
        fits = !sc_work_limit_is_over();
    }
    sc_ball_clear(&s.left);
    sc_balls_free(s.c, s.terms + 1);
    sc_balls_free(s.power, s.half * s.terms + 1);
    return fits;
}
