#include "experiment/linear_bounds.h"

#include "base/number/own.h"
#include "base/number/parameters.h"
#include "mechanism/noise/gaussian_calibration.h"
#include "model/at_once.h"
#include "sampling/law.h"

#include <math.h>

#define BITS 128L

static const sc_parameter_rule parameters[] = {
    {.name = "queries",
     .kind = SC_PARAMETER_INTEGER,
     .at_least = "1",
     .limit_high = "2^40",
     .domain = "an integer from 1 to 1.1e12"},
    {.name = "bins",
     .kind = SC_PARAMETER_INTEGER,
     .at_least = "2",
     .limit_high = "2^40",
     .domain = "an integer from 2 to 1.1e12"},
    {.name = "people",
     .kind = SC_PARAMETER_INTEGER,
     .at_least = "1",
     .limit_high = "2^40",
     .domain = "an integer from 1 to 1.1e12"},
    SC_RULE_POSITIVE("epsilon", "2^-20", "1000",
                     "a rational above 0, from 9.5e-7 to 1000"),
    {.name = "delta",
     .kind = SC_PARAMETER_RATIONAL,
     .optional = true,
     .at_least = "0",
     .below = "1",
     .domain = "a rational from 0 on and below 1"},
    {.name = "confidence",
     .kind = SC_PARAMETER_RATIONAL,
     .optional = true,
     .above = "1/2",
     .below = "1",
     .domain = "a rational above 1/2 and below 1"},
};

typedef struct question {
    uint64_t queries, bins, people;
    const sc_ratio *epsilon, *delta; /* delta may be 0 */
    const sc_ratio *beta;
    double e, b, d; /* epsilon, beta and delta as doubles, for searches */
} question;

static void add(scrim_linear_bounds *out, const char *name, bool is_limit, double error,
                const char *source)
{
    out->list[out->count++] = (scrim_linear_bound){name, is_limit ? 1 : 0, error, source};
}

/* Enough. */

/* The radius of k independent noises of this law at once. */
static double radius_all(const sc_law_functions *functions, const sc_ratio *shape,
                         const question *q)
{
    sc_law law;
    sc_int128 radius = 0;
    SC_OWN(sc_ratio, each);
    sc_at_once_each(q->beta, q->queries, &each);
    sc_law_init(&law, functions, shape, 0);
    const scrim_status status = sc_law_radius(&law, &each, &radius, NULL);
    sc_law_clear(&law);
    return status == SCRIM_OK ? (double)radius : (double)INFINITY;
}

static double laplace_error(const question *q)
{
    SC_OWN(sc_ratio, scale);
    sc_ratio_set_int64(&scale, (int64_t)q->queries);
    sc_ratio_div(&scale, &scale, q->epsilon);
    return radius_all(&sc_discrete_laplace_law, &scale, q);
}

static double gaussian_error(const question *q)
{
    SC_OWN(sc_ratio, variance, one);
    sc_ratio_set_int64(&one, 1);
    if (sc_gaussian_variance_concentrated(q->epsilon, q->delta, &one, &variance, NULL) !=
        SCRIM_OK)
        return (double)INFINITY;
    sc_ratio_set_int64(&one, (int64_t)q->queries);
    sc_ratio_mul(&variance, &variance, &one);
    return radius_all(&sc_discrete_gaussian_law, &variance, q);
}

void sc_linear_multisets(uint64_t bins, uint64_t people, sc_ball *out)
{
    SC_OWN(sc_ball, part);
    sc_ball_log_factorial(out, bins + people - 1, BITS);
    sc_ball_log_factorial(&part, people, BITS);
    sc_ball_sub(out, out, &part, BITS);
    sc_ball_log_factorial(&part, bins - 1, BITS);
    sc_ball_sub(out, out, &part, BITS);
}

/* A little more than the double computed: each has a few roundings of 2^-53. */
static double up(double x)
{
    return x * (1 + 1e-12);
}

static double smalldb_error(const question *q)
{
    double best = (double)INFINITY;
    SC_OWN(sc_ball, choices);
    for (int i = 0; i < 64; i++) {
        const double alpha = pow(0.5, i / 4.0);
        const double size = floor(log(2 * (double)q->queries) / (2 * alpha * alpha)) + 2;
        if (size > 1e12)
            break;
        sc_linear_multisets(q->bins, (uint64_t)size, &choices);
        const double error =
            alpha * (double)q->people + 2 * (sc_ball_upper(&choices) - log(q->b)) / q->e;
        best = fmin(best, up(error));
    }
    return best;
}

double sc_linear_cube_root(uint64_t queries, uint64_t bins, uint64_t people,
                           double epsilon, double beta)
{
    const double weight = 16 * log((double)bins) * log((double)queries);
    double low = 0, high = 1;
    while (high < 1e9 && epsilon * (double)people * high * high * high <
                             weight - 4 * high * high * log(beta))
        high *= 2;
    for (int i = 0; i < 200; i++) {
        const double middle = (low + high) / 2;
        const bool is_enough = epsilon * (double)people * middle * middle * middle >=
                               weight - 4 * middle * middle * log(beta);
        *(is_enough ? &high : &low) = middle;
    }
    return up(high);
}

/* Limits. */

/* delta_d, at most 1 for what follows. */
static double group_delta(const question *q, double d)
{
    return q->d == 0 ? 0 : fmin(1, q->d * expm1(d * q->e) / expm1(q->e));
}

/* May some mechanism have the error a? Told in its favour where doubles cannot tell. */
static bool one_count_allows(const question *q, double a)
{
    const double d = 2 * a + 1;
    return (1 - q->b) * (1 - 1e-12) <= exp(d * q->e) * q->b + group_delta(q, d);
}

static bool packing_allows(const question *q, double a)
{
    const double d = 2 * a + 1;
    const double tables = (double)(q->queries < q->bins ? q->queries : q->bins);
    return tables * exp(-d * q->e) * (1 - q->b - group_delta(q, d)) <= 1 + 1e-12;
}

/* The smallest integer that is allowed; tables of more people than there are prove nothing. */
static double least_allowed(const question *q, bool (*allows)(const question *, double))
{
    double low = -1, high = 1;
    while (!allows(q, high) && 2 * high + 1 <= (double)q->people)
        high *= 2;
    high = fmin(high, floor(((double)q->people + 1) / 2));
    while (high - low > 1) {
        const double middle = floor((low + high) / 2);
        *(allows(q, middle) ? &high : &low) = middle;
    }
    return high < 0 ? 0 : high;
}

static double rebuild_limit(const question *q)
{
    uint64_t people = (uint64_t)(63 - __builtin_clzll(q->queries));
    people = people < q->bins ? people : q->bins;
    people = people < q->people ? people : q->people;
    const double wrong = (1 - q->d) / (1 + exp(q->e)) - q->b;
    return fmax(0, ceil((double)people * wrong / 4 * (1 - 1e-12) - 1e-9));
}

static void compute(const question *q, scrim_linear_bounds *out)
{
    SC_BALL_SCOPE(scope);
    out->count = 0;
    add(out, "laplace", false, laplace_error(q), "survey, Theorem 4.2");
    if (q->d > 0)
        add(out, "gaussian", false, gaussian_error(q), "survey, 4.1.1; errata 55, 56");
    add(out, "smalldb", false, smalldb_error(q), "survey, Theorem 6.11; errata 80, 81");
    if (q->queries > 1)
        add(out, "cube-root", false,
            up((double)q->people *
               sc_linear_cube_root(q->queries, q->bins, q->people, q->e, q->b)),
            "survey, Theorem 6.12; erratum 82");
    add(out, "nothing", false, (double)q->people / 2, "half of the number of people");
    add(out, "one count", true, least_allowed(q, one_count_allows),
        "two tables far apart");
    add(out, "packing", true, least_allowed(q, packing_allows), "many tables far apart");
    add(out, "rebuild", true, rebuild_limit(q), "Dinur, Nissim 2003");
}

static uint64_t number(const sc_parameters *p, const char *name)
{
    uint64_t value = 0;
    SC_OWN(sc_integer, whole);
    sc_ratio_numerator(sc_parameters_get(p, name), &whole);
    (void)sc_integer_get_uint64(&whole, &value);
    return value;
}

static double view(const sc_ratio *x)
{
    SC_OWN(sc_ball, ball);
    sc_ball_set_ratio(&ball, x, BITS);
    return sc_ball_upper(&ball);
}

scrim_status scrim_linear_bounds_of(const char *line, scrim_linear_bounds *out,
                                    scrim_error *error)
{
    sc_parameters p;
    sc_parameters_init(&p, parameters, sizeof parameters / sizeof *parameters);
    scrim_status status = sc_parameters_parse(&p, sc_text_of(line), error);
    if (status == SCRIM_OK)
        status = sc_parameters_default(&p, "delta", "0", error);
    if (status == SCRIM_OK)
        status = sc_parameters_default(&p, "confidence", "0.95", error);
    if (status == SCRIM_OK) {
        SC_OWN(sc_ratio, beta);
        sc_ratio_set_int64(&beta, 1);
        sc_ratio_sub(&beta, &beta, sc_parameters_get(&p, "confidence"));
        const question q = {.queries = number(&p, "queries"),
                            .bins = number(&p, "bins"),
                            .people = number(&p, "people"),
                            .epsilon = sc_parameters_get(&p, "epsilon"),
                            .delta = sc_parameters_get(&p, "delta"),
                            .beta = &beta,
                            .e = view(sc_parameters_get(&p, "epsilon")),
                            .d = view(sc_parameters_get(&p, "delta")),
                            .b = view(&beta)};
        sc_parameters_format(&p, "linear-queries", out->text, sizeof out->text);
        compute(&q, out);
    }
    sc_parameters_clear(&p);
    return status;
}
