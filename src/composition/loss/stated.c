#include "composition/loss/stated.h"

#include "base/memory.h"
#include "composition/loss/continuous_noise.h"
#include "model/domain.h"

#include <string.h>

/* A divergence of one order. It grows with its order, so that smaller orders have at most as much; of larger ones nothing is
 * known. The curve's shape is the order. */
static void one_order_renyi(const sc_curve *curve, const sc_ratio *order, long bits,
                            sc_ball *out)
{
    if (sc_ratio_compare(order, &curve->shape) <= 0)
        sc_ball_set_ratio(out, &curve->epsilon, bits);
    else
        sc_ball_set_infinite(out);
}

/* A group of k units is a chain of k pairs of neighbours. For 1/p + 1/q = 1 the triangle inequality of divergences says
 *
 *     D_b(P, R) <= (b - 1/p)/(b - 1) D_pb(P, Q) + D_q(b - 1/p)(Q, R)
 *
 * With orders a = pb of the next pair and a_j = q(b - 1/p) of the chain so far, u = 1 - 1/a and u_j = 1 - 1/a_j, it
 * follows that 1 - 1/b = u u_j, and that the first factor is 1/u_j. So k units have the order 1/(1 - u^k) and
 * epsilon (1 + 1/u + ... + 1/u^(k-1)). Each step is rounded to what promises less. */
#define GROUP_MOST 4096
#define GROUP_EPSILON 1048576 /* as large as a stated epsilon may be */

static bool one_order_group(const sc_curve *curve, uint64_t units, sc_curve *out)
{
    SC_OWN(sc_ratio, one, u, power, part, sum);
    sc_ratio_set_int64(&one, 1);
    sc_ratio_div(&u, &one, &curve->shape);
    sc_ratio_sub(&u, &one, &u);
    sc_ratio_set_int64(&power, 1); /* u^j, from below: smaller orders, and larger parts */
    for (uint64_t j = 0; j < units; j++) {
        sc_ratio_div(&part, &curve->epsilon, &power);
        sc_ratio_add(&sum, &sum, &part);
        sc_cost_round_up(&sum, &sum);
        sc_ratio_mul(&power, &power, &u);
        sc_cost_round_down(&power, &power);
        if (j >= GROUP_MOST || sc_ratio_compare_int64(&sum, GROUP_EPSILON) > 0 ||
            sc_ratio_sign(&power) <= 0)
            return false;
    }
    sc_curve_set(out, curve);
    sc_ratio_set(&out->epsilon, &sum);
    sc_ratio_sub(&power, &one, &power);
    sc_ratio_div(&out->shape, &one, &power);
    return true;
}

static const sc_curve_functions one_order = {
    .name = "renyi", .renyi = one_order_renyi, .group = one_order_group};

/* Costs. */

static const sc_ratio *number(const sc_parameters *given, const char *name,
                              const sc_ratio *missing)
{
    const sc_ratio *value = sc_parameters_get(given, name);
    return value == NULL ? missing : value;
}

/* Randomised response that tells everything with probability delta has exactly this curve. */
static void set_pair(const sc_parameters *given, sc_exact_cost *out)
{
    SC_OWN(sc_ratio, zero);
    const sc_ratio *epsilon = number(given, "epsilon", &zero),
                   *delta = number(given, "delta", &zero);
    if (sc_ratio_sign(delta) == 0)
        sc_cost_set_pure(out, epsilon);
    else
        sc_cost_set_approximate(out, epsilon, delta);
    out->curve.is_attained = true;
}

static void set_concentrated(const sc_parameters *given, sc_exact_cost *out)
{
    SC_OWN(sc_ratio, zero);
    out->has_rho = true;
    sc_cost_round_up(number(given, "rho", &zero), &out->rho);
    sc_cost_round_up(number(given, "xi", &zero), &out->xi);
    sc_curve_set_line(&out->curve, &out->xi, &out->rho);
}

static void set_renyi(const sc_parameters *given, sc_exact_cost *out)
{
    SC_OWN(sc_ratio, zero);
    out->curve.functions = &one_order;
    sc_ratio_set(&out->curve.shape, number(given, "order", &zero));
    sc_ratio_set(&out->curve.epsilon, number(given, "epsilon", &zero));
}

/* The normal laws of mu are those of continuous noise of standard deviation 1/mu. */
static void set_gdp(const sc_parameters *given, sc_exact_cost *out)
{
    SC_OWN(sc_ratio, sigma, mu);
    sc_ratio_set(&mu, number(given, "mu", &sigma));
    sc_ratio_set_int64(&sigma, 1);
    sc_ratio_div(&sigma, &sigma, &mu);
    sc_continuous_find(sc_text_of("continuous-gaussian"))->cost(&sigma, out);
}

/* The list. */

#define FROM_ZERO(key, is_optional)                                                      \
    {                                                                                    \
        .name = (key), .kind = SC_PARAMETER_RATIONAL, .optional = (is_optional),         \
        .at_least = "0", .limit_high = "2^20", .domain = "a rational from 0 to 1048576"  \
    }
#define ABOVE_ZERO(key)                                                                  \
    SC_RULE_POSITIVE(key, "2^-60", "2^60", "a rational above 0, from 8.7e-19 to 1.1e18")

static const sc_parameter_rule pair_parameters[] = {
    FROM_ZERO("epsilon", false),
    {.name = "delta",
     .kind = SC_PARAMETER_RATIONAL,
     .optional = true,
     .at_least = "0",
     .below = "1",
     .domain = "a rational from 0 to less than 1"},
    SC_PARAMETER_NEIGHBOURS};
static const sc_parameter_rule concentrated_parameters[] = {
    ABOVE_ZERO("rho"), FROM_ZERO("xi", true), SC_PARAMETER_NEIGHBOURS};
static const sc_parameter_rule renyi_parameters[] = {
    {.name = "order",
     .kind = SC_PARAMETER_RATIONAL,
     .above = "1",
     .limit_low = "1.0001",
     .limit_high = "2^20",
     .domain = "a rational above 1, from 1.0001 to 1048576"},
    FROM_ZERO("epsilon", false),
    SC_PARAMETER_NEIGHBOURS};
static const sc_parameter_rule gdp_parameters[] = {ABOVE_ZERO("mu"),
                                                   SC_PARAMETER_NEIGHBOURS};

static const sc_stated list[] = {
    {"", "epsilon", pair_parameters, 3, set_pair},
    {"", "delta", pair_parameters, 3, set_pair},
    {"", "rho", concentrated_parameters, 3, set_concentrated},
    {"", "xi", concentrated_parameters, 3, set_concentrated},
    {"renyi", "", renyi_parameters, 3, set_renyi},
    {"gdp", "", gdp_parameters, 2, set_gdp},
};

const sc_stated *sc_stated_find(sc_text word)
{
    const char *equal = memchr(word.start, '=', word.bytes);
    const sc_text key = {word.start,
                         equal == NULL ? word.bytes : (size_t)(equal - word.start)};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        if (sc_text_is(key, equal == NULL ? list[i].name : list[i].begins))
            return &list[i];
    return NULL;
}

/* The canonical line; without a name it has no space in front. */
static scrim_status format(const sc_stated *stated, const sc_parameters *given,
                           char **text, scrim_error *error)
{
    const size_t bytes = sc_parameters_format(given, stated->name, NULL, 0) + 1;
    char *line = sc_allocate(bytes, 1);
    if (line == NULL)
        return sc_no_memory(error, "a part");
    sc_parameters_format(given, stated->name, line, bytes);
    if (line[0] == ' ')
        memmove(line, line + 1, bytes - 1);
    *text = line;
    return SCRIM_OK;
}

scrim_status sc_stated_parse(const sc_stated *stated, sc_text line, sc_exact_cost *out,
                             char **text, scrim_error *error)
{
    sc_text name, rest = line;
    sc_parameters given;
    if (stated->name[0] != '\0')
        (void)sc_parameters_line(line, &name, &rest);
    sc_parameters_init(&given, stated->parameters, stated->parameter_count);
    scrim_status status = sc_parameters_parse(&given, rest, error);
    if (status == SCRIM_OK)
        status = sc_parameters_default(&given, "neighbours", "add-remove", error);
    if (status == SCRIM_OK)
        status = format(stated, &given, text, error);
    if (status == SCRIM_OK) {
        out->neighbours =
            (scrim_neighbours)(sc_parameters_word(&given, "neighbours", 0) + 1);
        stated->cost(&given, out);
    }
    sc_parameters_clear(&given);
    return status;
}
