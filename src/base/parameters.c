#include "base/parameters.h"

#include <string.h>

void sc_parameters_init(sc_parameters *parameters, const sc_parameter *list, size_t count)
{
    parameters->list = list;
    parameters->count = count;
    for (size_t i = 0; i < SC_PARAMETERS_MAX; i++) {
        sc_ratio_init(&parameters->value[i]);
        parameters->given[i] = false;
    }
}

void sc_parameters_clear(sc_parameters *parameters)
{
    for (size_t i = 0; i < SC_PARAMETERS_MAX; i++)
        sc_ratio_clear(&parameters->value[i]);
}

bool sc_parameters_line(sc_text line, sc_text *name, sc_text *rest)
{
    if (!sc_text_word(&line, name))
        return false;
    *rest = sc_text_trim(line);
    return true;
}

/* The place of a key on the list, or count. */
static size_t find(const sc_parameters *parameters, sc_text key)
{
    size_t i = 0;
    while (i < parameters->count && !sc_text_is(key, parameters->list[i].name))
        i++;
    return i;
}

static scrim_status fail_unknown(const sc_parameters *parameters, sc_text key,
                                 scrim_error *error)
{
    char quote[SC_TEXT_QUOTE_BYTES], all[160];
    const char *names[SC_PARAMETERS_MAX];
    sc_text_sink sink;
    sc_text_sink_init(&sink, all, sizeof all);
    for (size_t i = 0; i < parameters->count; i++) {
        names[i] = parameters->list[i].name;
        sc_text_put(&sink, sc_text_of(i > 0 ? ", " : ""));
        sc_text_put(&sink, sc_text_of(names[i]));
    }
    sc_text_quote(key, quote);
    const char *nearest = sc_text_nearest(key, names, parameters->count);
    if (nearest != NULL)
        return sc_fail(error, SCRIM_E_PARAM, "unknown parameter '%s'; did you mean '%s'?",
                       quote, nearest);
    if (parameters->count == 0)
        return sc_fail(error, SCRIM_E_PARAM,
                       "unknown parameter '%s'; there are none here", quote);
    return sc_fail(error, SCRIM_E_PARAM, "unknown parameter '%s'; there are: %s", quote,
                   all);
}

/* How value compares with a bound: -1, 0 or 1. The bounds are constants of this library,
 * and one that does not parse is a broken invariant. */
static scrim_status compare(const sc_ratio *value, const char *bound, int *order,
                            scrim_error *error)
{
    sc_ratio limit;
    sc_ratio_init(&limit);
    scrim_status status = sc_ratio_parse(sc_text_of(bound), &limit, NULL);
    if (status == SCRIM_OK)
        *order = sc_ratio_compare(value, &limit);
    else
        status =
            sc_fail(error, SCRIM_E_INTERNAL, "the bound '%s' is not a number", bound);
    sc_ratio_clear(&limit);
    return status;
}

/* What a bound refuses, and how that is called. */
typedef struct rule {
    const char *bound;
    int order;     /* refuse when the value compares so with the bound */
    bool or_equal; /* refuse the bound itself too */
    bool is_limit;
} rule;

static scrim_status check_rules(const sc_parameter *parameter, const sc_ratio *value,
                                const char *quote, scrim_error *error)
{
    /* The domain first: what is outside it is illegal, however large. */
    const rule rules[] = {
        {parameter->above, -1, true, false},     {parameter->at_least, -1, false, false},
        {parameter->at_most, 1, false, false},   {parameter->below, 1, true, false},
        {parameter->limit_low, -1, false, true}, {parameter->limit_high, 1, false, true},
    };
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        const rule *r = &rules[i];
        int order = 0;
        if (r->bound == NULL)
            continue;
        const scrim_status status = compare(value, r->bound, &order, error);
        if (status != SCRIM_OK)
            return status;
        if (order != r->order && !(order == 0 && r->or_equal))
            continue;
        if (r->is_limit)
            return sc_fail(error, SCRIM_E_LIMIT, "%s: %s is %s the limit %s; %s is %s",
                           parameter->name, quote, r->order < 0 ? "below" : "above",
                           r->bound, parameter->name, parameter->domain);
        return sc_fail(error, SCRIM_E_PARAM, "%s: %s is not allowed; %s is %s",
                       parameter->name, quote, parameter->name, parameter->domain);
    }
    return SCRIM_OK;
}

static scrim_status read_value(const sc_parameter *parameter, sc_text text,
                               sc_ratio *value, scrim_error *error)
{
    char quote[SC_TEXT_QUOTE_BYTES];
    sc_text_quote(text, quote);
    const scrim_status status = sc_ratio_parse(text, value, NULL);
    if (status == SCRIM_E_LIMIT)
        return sc_fail(error, status, "%s: %s has more than %d bits; %s is %s",
                       parameter->name, quote, SC_RATIO_BITS, parameter->name,
                       parameter->domain);
    if (status != SCRIM_OK)
        return sc_fail(error, SCRIM_E_PARAM, "%s: '%s' is not a number; %s is %s",
                       parameter->name, quote, parameter->name, parameter->domain);
    if (parameter->kind == SC_PARAMETER_INTEGER && !sc_ratio_is_integer(value))
        return sc_fail(error, SCRIM_E_PARAM, "%s: %s is not an integer; %s is %s",
                       parameter->name, quote, parameter->name, parameter->domain);
    return check_rules(parameter, value, quote, error);
}

static scrim_status read_word(sc_parameters *parameters, sc_text word, scrim_error *error)
{
    char quote[SC_TEXT_QUOTE_BYTES];
    sc_text key, text;
    if (!sc_text_split(word, '=', &key, &text) || key.bytes == 0)
        return sc_fail(error, SCRIM_E_SYNTAX, "'%s' is not a parameter; write key=value",
                       sc_text_quote(word, quote));
    const size_t i = find(parameters, key);
    if (i == parameters->count)
        return fail_unknown(parameters, key, error);
    const sc_parameter *parameter = &parameters->list[i];
    if (parameters->given[i])
        return sc_fail(error, SCRIM_E_PARAM, "%s is given twice; give it once",
                       parameter->name);
    const scrim_status status = read_value(parameter, text, &parameters->value[i], error);
    parameters->given[i] = status == SCRIM_OK;
    return status;
}

static scrim_status read_all(sc_parameters *parameters, sc_text rest, scrim_error *error)
{
    sc_text word;
    while (sc_text_word(&rest, &word)) {
        const scrim_status status = read_word(parameters, word, error);
        if (status != SCRIM_OK)
            return status;
    }
    for (size_t i = 0; i < parameters->count; i++) {
        const sc_parameter *parameter = &parameters->list[i];
        if (!parameters->given[i] && !parameter->optional)
            return sc_fail(error, SCRIM_E_PARAM, "%s is missing; give %s=..., %s",
                           parameter->name, parameter->name, parameter->domain);
    }
    return SCRIM_OK;
}

scrim_status sc_parameters_parse(sc_parameters *parameters, sc_text rest,
                                 scrim_error *error)
{
    if (parameters->count > SC_PARAMETERS_MAX)
        return sc_fail(error, SCRIM_E_INTERNAL, "more than %d parameters are declared",
                       SC_PARAMETERS_MAX);
    sc_parameters fresh;
    sc_parameters_init(&fresh, parameters->list, parameters->count);
    const scrim_status status = read_all(&fresh, rest, error);
    if (status == SCRIM_OK) {
        const sc_parameters old = *parameters;
        *parameters = fresh;
        fresh = old;
    }
    sc_parameters_clear(&fresh);
    return status;
}

const sc_ratio *sc_parameters_get(const sc_parameters *parameters, const char *name)
{
    const size_t i = find(parameters, sc_text_of(name));
    if (i >= SC_PARAMETERS_MAX || i == parameters->count || !parameters->given[i])
        return NULL;
    return &parameters->value[i];
}

size_t sc_parameters_format(const sc_parameters *parameters, const char *name, char *text,
                            size_t capacity)
{
    sc_text_sink sink;
    sc_text_sink_init(&sink, text, capacity);
    sc_text_put(&sink, sc_text_of(name));
    for (size_t i = 0; i < parameters->count && i < SC_PARAMETERS_MAX; i++) {
        char value[SC_RATIO_TEXT_BYTES];
        if (!parameters->given[i])
            continue;
        const size_t bytes = sc_ratio_format(&parameters->value[i], value, sizeof value);
        sc_text_put(&sink, sc_text_of(" "));
        sc_text_put(&sink, sc_text_of(parameters->list[i].name));
        sc_text_put(&sink, sc_text_of("="));
        sc_text_put(&sink, (sc_text){value, bytes});
    }
    return sink.length;
}
