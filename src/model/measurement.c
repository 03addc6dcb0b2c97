/* The doubles here are views of balls, rounded outwards; nothing is computed with them. */
#include "model/measurement.h"

#include "base/memory.h"
#include "base/number/ball_memory.h"
#include "model/domain.h"

#include <string.h>

/* Making one. */

/* The parameters that a measurement for data requires, and their defaults for a model. */
static const struct {
    const char *name, *model_default;
} usual[] = {{"neighbours", "add-remove"}, {"sensitivity", "1"}, {"threshold", "0"}};

#define USUAL (sizeof usual / sizeof *usual)

const sc_parameter_rule *sc_measurement_rule(const sc_mechanism *mechanism,
                                             const char *name)
{
    for (size_t i = 0; i < mechanism->parameter_count; i++)
        if (strcmp(mechanism->parameters[i].name, name) == 0)
            return &mechanism->parameters[i];
    return NULL;
}

/* The usual default, or the first word of a parameter that does not take that one. */
static const char *default_for(const sc_parameter_rule *parameter, const char *usual_one)
{
    if (parameter->kind != SC_PARAMETER_WORD)
        return usual_one;
    for (size_t i = 0; parameter->words[i] != NULL; i++)
        if (strcmp(parameter->words[i], usual_one) == 0)
            return usual_one;
    return parameter->words[0];
}

/* Fills in the usual parameters of a model; refuses data without them. A parameter that another one may replace is left to the
 * mechanism's own check. */
static scrim_status complete(scrim_measurement *m, scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; status == SCRIM_OK && i < USUAL; i++) {
        const sc_parameter_rule *parameter =
            sc_measurement_rule(m->mechanism, usual[i].name);
        if (parameter == NULL || parameter->instead != NULL ||
            sc_measurement_get(m, usual[i].name) != NULL)
            continue;
        if (m->is_for_data || m->is_for_law)
            return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_MISSING,
                               parameter->name, "%s is missing; give %s=..., %s",
                               parameter->name, parameter->name, parameter->domain);
        status =
            sc_parameters_default(&m->parameters, parameter->name,
                                  default_for(parameter, usual[i].model_default), error);
    }
    return status;
}

static scrim_status set_text(scrim_measurement *m, scrim_error *error)
{
    const char *name = m->mechanism->entry.name;
    const char *link = m->mechanism->link == NULL ? "then" : m->mechanism->link;
    const size_t own = sc_parameters_format(&m->parameters, name, NULL, 0) + 1;
    const size_t bytes =
        own + (m->then == NULL ? 0 : strlen(link) + 2 + strlen(m->then->text));
    sc_text_sink sink;
    m->text = sc_allocate(bytes, 1);
    if (m->text == NULL)
        return sc_no_memory(error, "a measurement");
    sc_parameters_format(&m->parameters, name, m->text, own);
    sc_text_sink_init(&sink, m->text + own - 1, bytes - own + 1);
    if (m->then != NULL) {
        sc_text_put(&sink, sc_text_of(" "));
        sc_text_put(&sink, sc_text_of(link));
        sc_text_put(&sink, sc_text_of(" "));
        sc_text_put(&sink, sc_text_of(m->then->text));
    }
    return SCRIM_OK;
}

static scrim_status read_list(sc_parameters *parameters, const scrim_parameter *list,
                              size_t count, scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; status == SCRIM_OK && i < count; i++)
        if (list[i].name == NULL)
            status = sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, "name",
                                 "a parameter has no name");
        else if (list[i].value != NULL)
            status = sc_parameters_give(parameters, sc_text_of(list[i].name),
                                        sc_text_of(list[i].value), error);
    return status == SCRIM_OK ? sc_parameters_require(parameters, error) : status;
}

static scrim_status take_values(sc_parameters *parameters, const sc_argument *list,
                                size_t count, scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; status == SCRIM_OK && i < count; i++)
        if (list[i].word != NULL)
            status = sc_parameters_give(parameters, sc_text_of(list[i].name),
                                        sc_text_of(list[i].word), error);
        else if (list[i].values != NULL)
            status =
                sc_parameters_give_values(parameters, list[i].name, list[i].values,
                                          list[i].count == 0 ? 1 : list[i].count, error);
    return status == SCRIM_OK ? sc_parameters_require(parameters, error) : status;
}

/* The steps that follow the parameters: defaults, check, cost, text. */
static scrim_status build(scrim_measurement *m, scrim_error *error)
{
    scrim_status status = complete(m, error);
    if (status == SCRIM_OK)
        status = m->mechanism->check(m, error);
    if (status == SCRIM_OK) {
        m->cost.neighbours = sc_measurement_neighbours(m);
        status = m->mechanism->cost(m, &m->cost, error);
    }
    if (status == SCRIM_OK && m->cost.neighbours == SCRIM_NEIGHBOURS_UNSET)
        status = sc_fail(error, SCRIM_E_INTERNAL, "a cost has no neighbours");
    return status == SCRIM_OK ? set_text(m, error) : status;
}

/* A measurement whose parameters are still to be read; NULL without memory. Audit parameters stand last in the table, so a
 * shorter table hides them from data. */
static scrim_measurement *make(const sc_mechanism *mechanism, sc_purpose purpose,
                               scrim_error *error)
{
    scrim_measurement *m = sc_allocate(1, sizeof *m);
    if (m == NULL) {
        (void)sc_no_memory(error, "a measurement");
        return NULL;
    }
    m->mechanism = mechanism;
    m->is_for_data = purpose == SC_PURPOSE_DATA;
    m->is_for_law = purpose == SC_PURPOSE_LAW;
    size_t hidden = purpose == SC_PURPOSE_MODEL ? 0 : mechanism->audit_count;
    sc_parameters_init(&m->parameters, mechanism->parameters,
                       mechanism->parameter_count - hidden);
    sc_cost_init(&m->cost);
    sc_domain_init(&m->domain);
    return m;
}

/* Completes a measurement whose parameters were read with this status; frees it on failure. */
static scrim_status finish(scrim_measurement *m, scrim_status status,
                           scrim_measurement **out, scrim_error *error)
{
    const uint64_t refusals = sc_reserve_refusals();
    SC_BALL_SCOPE(scope);
    if (status == SCRIM_OK)
        status = sc_ball_memory_check(refusals, build(m, error), error);
    if (status == SCRIM_OK)
        *out = m;
    else
        scrim_measurement_free(m);
    return status;
}

scrim_status sc_measurement_new(const sc_mechanism *mechanism, sc_text rest,
                                sc_purpose purpose, scrim_measurement **out,
                                scrim_error *error)
{
    scrim_measurement *m = make(mechanism, purpose, error);
    return m == NULL
               ? SCRIM_E_MEMORY
               : finish(m, sc_parameters_parse(&m->parameters, rest, error), out, error);
}

scrim_status sc_measurement_then(const sc_mechanism *mechanism, sc_text rest,
                                 scrim_measurement *then, scrim_measurement **out,
                                 scrim_error *error)
{
    const sc_purpose purpose = then->is_for_data  ? SC_PURPOSE_DATA
                               : then->is_for_law ? SC_PURPOSE_LAW
                                                  : SC_PURPOSE_MODEL;
    scrim_measurement *m = make(mechanism, purpose, error);
    if (m == NULL) {
        scrim_measurement_free(then);
        return SCRIM_E_MEMORY;
    }
    m->then = then;
    return finish(m, sc_parameters_parse(&m->parameters, rest, error), out, error);
}

scrim_status sc_measurement_from_list(const sc_mechanism *mechanism,
                                      const scrim_parameter *list, size_t count,
                                      scrim_measurement **out, scrim_error *error)
{
    scrim_measurement *m = make(mechanism, SC_PURPOSE_DATA, error);
    return m == NULL
               ? SCRIM_E_MEMORY
               : finish(m, read_list(&m->parameters, list, count, error), out, error);
}

scrim_status sc_measurement_of(const sc_mechanism *mechanism, const sc_argument *list,
                               size_t count, scrim_measurement **out, scrim_error *error)
{
    scrim_measurement *m = make(mechanism, SC_PURPOSE_DATA, error);
    return m == NULL
               ? SCRIM_E_MEMORY
               : finish(m, take_values(&m->parameters, list, count, error), out, error);
}

void scrim_measurement_free(scrim_measurement *m)
{
    if (m == NULL)
        return;
    m->mechanism->discard(m);
    scrim_measurement_free(m->then);
    sc_cost_clear(&m->cost);
    sc_parameters_clear(&m->parameters);
    sc_free(m->text);
    sc_free(m);
}

/* Asking for parameters. */

const sc_ratio *sc_measurement_get(const scrim_measurement *m, const char *name)
{
    return sc_parameters_get(&m->parameters, name);
}

bool sc_measurement_has(const scrim_measurement *m, const char *name)
{
    return sc_measurement_rule(m->mechanism, name) != NULL;
}

scrim_status sc_measurement_one_of(const scrim_measurement *m, const char *const *names,
                                   scrim_error *error)
{
    size_t given = 0;
    char all[160];
    sc_text_sink sink;
    sc_text_sink_init(&sink, all, sizeof all);
    for (size_t i = 0; names[i] != NULL; i++) {
        given += sc_measurement_get(m, names[i]) != NULL;
        sc_text_put(&sink, sc_text_of(i == 0                 ? ""
                                      : names[i + 1] == NULL ? " or "
                                                             : ", "));
        sc_text_put(&sink, sc_text_of(names[i]));
    }
    if (given == 1)
        return SCRIM_OK;
    return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "",
                       "%s: give %s, exactly one of them", m->mechanism->entry.name, all);
}

int64_t sc_measurement_integer(const scrim_measurement *m, const char *name,
                               int64_t missing)
{
    const sc_ratio *value = sc_measurement_get(m, name);
    if (value == NULL)
        return missing;
    sc_int128 wide = 0;
    int64_t narrow = missing;
    SC_OWN(sc_integer, whole);
    sc_ratio_numerator(value, &whole);
    if (sc_integer_get_int128(&whole, &wide))
        (void)sc_int128_to_int64(wide, &narrow);
    return narrow;
}

scrim_neighbours sc_measurement_neighbours(const scrim_measurement *m)
{
    const sc_parameter_rule *parameter = sc_measurement_rule(m->mechanism, "neighbours");
    if (parameter == NULL || sc_measurement_get(m, "neighbours") == NULL)
        return SCRIM_NEIGHBOURS_UNSET;
    const char *word =
        parameter->words[sc_parameters_word(&m->parameters, "neighbours", 0)];
    for (int i = 0; sc_neighbours_words[i] != NULL; i++)
        if (strcmp(sc_neighbours_words[i], word) == 0)
            return (scrim_neighbours)(i + 1);
    return SCRIM_NEIGHBOURS_UNSET;
}

/* The public questions. */

const char *scrim_measurement_text(const scrim_measurement *m)
{
    return m->text;
}

size_t scrim_measurement_size(const scrim_measurement *m)
{
    const sc_domain *domain = &m->domain;
    return domain->count_min == domain->count_max ? domain->count_min : 0;
}

uint64_t scrim_measurement_values(const scrim_measurement *m)
{
    const sc_grid *grid = &m->domain.grid;
    return m->mechanism->frequency == NULL
               ? 0
               : (uint64_t)grid->high - (uint64_t)grid->low + 1;
}

const scrim_mechanism_entry *scrim_measurement_mechanism(const scrim_measurement *m)
{
    return &m->mechanism->entry;
}

scrim_status scrim_measurement_cost(const scrim_measurement *m, scrim_cost *out,
                                    scrim_error *error)
{
    SC_REQUIRE(error, "measurement out", m, out);
    (void)error;
    sc_cost_format(&m->cost, out);
    return SCRIM_OK;
}

scrim_status scrim_measurement_group_cost(const scrim_measurement *m, uint64_t units,
                                          scrim_cost *out, scrim_error *error)
{
    SC_REQUIRE(error, "measurement out", m, out);
    SC_BALL_SCOPE(scope);
    sc_exact_cost group;
    scrim_status status = sc_cost_group(&m->cost, units, out, error);
    if (status != SCRIM_E_PARAM || units < 1 || units > 1 << 20 || !m->cost.has_rho)
        return status;
    /* The cost of a group has a rho even if it has no epsilon, or one whose delta would reach 1. */
    sc_cost_init(&group);
    if (sc_cost_of_group(&m->cost, units, &group)) {
        sc_cost_format(&group, out);
        status = SCRIM_OK;
    }
    sc_cost_clear(&group);
    return status;
}

/* Reads a number above low, or equal to it if or_equal, and below high; high 0: no upper limit. */
static scrim_status read_argument(const char *name, const char *text, int64_t low,
                                  bool or_equal, int64_t high, sc_ratio *out,
                                  scrim_error *error)
{
    if (text == NULL)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, name,
                           "%s is missing", name);
    scrim_status status = sc_ratio_parse(sc_text_of(text), out, error);
    if (status == SCRIM_E_SYNTAX && error != NULL) {
        const scrim_error cause = *error;
        return sc_fail_for(error, status, cause.reason, name, "%s: %s", name,
                           cause.message);
    }
    SC_TRY(status);
    int order = sc_ratio_compare_int64(out, low);
    if (order < 0 || (order == 0 && !or_equal) ||
        (high != 0 && sc_ratio_compare_int64(out, high) >= 0))
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, name,
                           "%s must be %s %d%s", name, or_equal ? "at least" : "above",
                           (int)low, high != 0 ? " and below 1" : "");
    return SCRIM_OK;
}

typedef void curve_question(const sc_curve *curve, const sc_ratio *x, long bits,
                            sc_ball *out);

static double ask_curve(curve_question *question, const sc_curve *curve,
                        const sc_ratio *x)
{
    SC_BALL_SCOPE(scope);
    SC_OWN(sc_ball, value);
    question(curve, x, 256, &value);
    return sc_ball_upper(&value);
}

scrim_status scrim_measurement_delta_at(const scrim_measurement *m, const char *epsilon,
                                        double *upper, scrim_error *error)
{
    SC_REQUIRE(error, "measurement epsilon upper", m, epsilon, upper);
    SC_OWN(sc_ratio, x);
    SC_TRY(read_argument("epsilon", epsilon, 0, true, 0, &x, error));
    *upper = ask_curve(sc_curve_delta_upper, &m->cost.curve, &x);
    return SCRIM_OK;
}

scrim_status scrim_measurement_renyi_at(const scrim_measurement *m, const char *order,
                                        double *upper, scrim_error *error)
{
    SC_REQUIRE(error, "measurement order upper", m, order, upper);
    SC_OWN(sc_ratio, x);
    SC_TRY(read_argument("order", order, 1, false, 0, &x, error));
    *upper = ask_curve(sc_curve_renyi_upper, &m->cost.curve, &x);
    return SCRIM_OK;
}

/* The next double that is not below x. */
static double upper_of(const sc_ratio *x)
{
    SC_OWN(sc_ball, value);
    sc_ball_set_ratio(&value, x, 128);
    return sc_ball_upper(&value);
}

scrim_status scrim_measurement_epsilon_at(const scrim_measurement *m, const char *delta,
                                          double *upper, scrim_error *error)
{
    SC_REQUIRE(error, "measurement delta upper", m, delta, upper);
    SC_OWN(sc_ratio, x, found);
    SC_TRY(read_argument("delta", delta, 0, true, 1, &x, error));
    SC_BALL_SCOPE(scope);
    *upper = sc_curve_epsilon_upper(&m->cost.curve, &x, &found) ? upper_of(&found)
                                                                : __builtin_inf();
    return SCRIM_OK;
}

scrim_status sc_measurement_certify(const scrim_measurement *m,
                                    const sc_ratio *confidence, size_t count,
                                    sc_certificate *out, scrim_error *error)
{
    SC_BALL_SCOPE(scope);
    SC_OWN(sc_ratio, beta);
    sc_ratio_set_int64(&beta, 1);
    sc_ratio_sub(&beta, &beta, confidence);
    return m->mechanism->certify(m, &beta, count, out, error);
}

scrim_status scrim_measurement_certify(const scrim_measurement *m, const char *confidence,
                                       size_t count, scrim_certificate *out,
                                       scrim_error *error)
{
    SC_REQUIRE(error, "measurement confidence out", m, confidence, out);
    SC_OWN(sc_ratio, value);
    SC_OWN(sc_certificate, certificate);
    scrim_status status =
        read_argument("confidence", confidence, 0, false, 1, &value, error);
    if (status == SCRIM_OK)
        status = sc_measurement_certify(m, &value, count, &certificate, error);
    if (status == SCRIM_OK)
        sc_certificate_format(&certificate, out);
    return status;
}
