#include "base/number/parameters.h"

#include "base/memory.h"
#include "base/number/decimal.h"
#include "base/number/own.h"

#include <stdio.h>
#include <string.h>

void sc_parameters_init(sc_parameters *parameters, const sc_parameter_rule *list,
                        size_t count)
{
    parameters->list = list;
    parameters->count = count;
    for (size_t i = 0; i < SC_PARAMETERS_MAX; i++) {
        sc_ratio_init(&parameters->value[i]);
        parameters->items[i] = NULL;
        parameters->item_count[i] = 0;
        parameters->given[i] = false;
    }
}

static void clear_items(sc_parameters *parameters, size_t i)
{
    for (size_t j = 0; j < parameters->item_count[i]; j++)
        sc_ratio_clear(&parameters->items[i][j]);
    sc_free(parameters->items[i]);
    parameters->items[i] = NULL;
    parameters->item_count[i] = 0;
}

void sc_parameters_clear(sc_parameters *parameters)
{
    for (size_t i = 0; i < SC_PARAMETERS_MAX; i++) {
        sc_ratio_clear(&parameters->value[i]);
        clear_items(parameters, i);
    }
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
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_MISSPELT, "parameter",
                           "unknown parameter '%s'; did you mean '%s'?", quote, nearest);
    if (parameters->count == 0)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNKNOWN, "parameter",
                           "unknown parameter '%s'; there are none here", quote);
    return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNKNOWN, "parameter",
                       "unknown parameter '%s'; there are: %s", quote, all);
}

/* How value compares with a bound: -1, 0 or 1. The bounds are constants of this library,
 * and one that does not parse is a broken invariant. */
static scrim_status compare(const sc_ratio *value, const char *bound, int *order,
                            scrim_error *error)
{
    SC_OWN(sc_ratio, limit);
    scrim_status status = sc_ratio_parse(sc_text_of(bound), &limit, NULL);
    if (status == SCRIM_OK)
        *order = sc_ratio_compare(value, &limit);
    else
        status =
            sc_fail(error, SCRIM_E_INTERNAL, "the bound '%s' is not a number", bound);
    return status;
}

/* The comparison that a bound refuses, and its name in messages. */
typedef struct rule {
    const char *bound;
    int order;     /* refuse when the value compares so with the bound */
    bool or_equal; /* refuse the bound itself too */
    bool is_limit;
} rule;

/* The value for a message: as it was written, or where no text was, as it is formatted. */
static const char *quote_of(const sc_text *text, const sc_ratio *value,
                            char quote[SC_TEXT_QUOTE_BYTES])
{
    char number[SC_RATIO_TEXT_BYTES];
    if (text != NULL)
        return sc_text_quote(*text, quote);
    (void)sc_ratio_format(value, number, sizeof number);
    return sc_text_quote(sc_text_of(number), quote);
}

/* "epsilon must be a rational above 0", but "max-rows is how many rows one unit may own". */
static const char *verb_of(const sc_parameter_rule *parameter)
{
    const bool is_kind = parameter->kind == SC_PARAMETER_WORD ||
                         strncmp(parameter->domain, "a ", 2) == 0 ||
                         strncmp(parameter->domain, "an ", 3) == 0;
    return is_kind ? "must be" : "is";
}

static scrim_status fail_bits(const sc_parameter_rule *parameter, const sc_ratio *value,
                              const sc_text *text, scrim_error *error)
{
    char quote[SC_TEXT_QUOTE_BYTES];
    return sc_fail_for(error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE, parameter->name,
                       "%s: %s has more than %d bits; %s %s %s", parameter->name,
                       quote_of(text, value, quote), SC_RATIO_BITS, parameter->name,
                       verb_of(parameter), parameter->domain);
}

/* A limit in decimals: as it is where that is short, else with two digits, within what is allowed. */
static void show_limit(const char *bound, int order, char text[SC_DECIMAL_BYTES])
{
    char digits[SC_DECIMAL_BYTES] = "";
    SC_OWN(sc_ratio, limit, zero);
    text[0] = '\0';
    if (sc_ratio_parse(sc_text_of(bound), &limit, NULL) != SCRIM_OK ||
        (sc_ratio_format(&limit, text, SC_DECIMAL_BYTES) <= 13 &&
         strchr(text, '/') == NULL))
        return;
    const bool is_negative = sc_ratio_sign(&limit) < 0;
    if (is_negative)
        sc_ratio_sub(&limit, &zero, &limit);
    if ((order < 0) != is_negative)
        sc_decimal_upper(&limit, 2, digits);
    else
        sc_decimal_lower(&limit, 2, digits);
    const size_t bytes = strlen(digits);
    const bool is_long = bytes > 13 && strspn(digits, "0123456789") == bytes;
    if (is_long)
        snprintf(text, SC_DECIMAL_BYTES, "%s%c.%ce%zu", is_negative ? "-" : "", digits[0],
                 digits[1], bytes - 1);
    else
        snprintf(text, SC_DECIMAL_BYTES, "%s%.40s", is_negative ? "-" : "", digits);
}

static scrim_status check_rules(const sc_parameter_rule *parameter, const sc_ratio *value,
                                const sc_text *text, scrim_error *error)
{
    char quote[SC_TEXT_QUOTE_BYTES];
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
        if (r->is_limit) {
            char limit[SC_DECIMAL_BYTES];
            show_limit(r->bound, r->order, limit);
            return sc_fail_for(error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE, parameter->name,
                               "%s: %s is %s the limit %s; %s %s %s", parameter->name,
                               quote_of(text, value, quote),
                               r->order < 0 ? "below" : "above", limit, parameter->name,
                               verb_of(parameter), parameter->domain);
        }
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, parameter->name,
                           "%s: %s is not allowed; %s %s %s", parameter->name,
                           quote_of(text, value, quote), parameter->name,
                           verb_of(parameter), parameter->domain);
    }
    return SCRIM_OK;
}

/* text is what the value was read from, or NULL. */
static scrim_status check_value(const sc_parameter_rule *parameter, const sc_ratio *value,
                                const sc_text *text, scrim_error *error)
{
    char quote[SC_TEXT_QUOTE_BYTES];
    if (parameter->kind == SC_PARAMETER_INTEGER && !sc_ratio_is_integer(value))
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, parameter->name,
                           "%s: %s is not an integer; %s %s %s", parameter->name,
                           quote_of(text, value, quote), parameter->name,
                           verb_of(parameter), parameter->domain);
    return check_rules(parameter, value, text, error);
}

static scrim_status read_value(const sc_parameter_rule *parameter, sc_text text,
                               sc_ratio *value, scrim_error *error)
{
    char quote[SC_TEXT_QUOTE_BYTES];
    const scrim_status status = sc_ratio_parse(text, value, NULL);
    if (status == SCRIM_E_LIMIT)
        return fail_bits(parameter, value, &text, error);
    if (status != SCRIM_OK)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_SYNTAX, parameter->name,
                           "%s: '%s' is not a number; %s %s %s", parameter->name,
                           sc_text_quote(text, quote), parameter->name,
                           verb_of(parameter), parameter->domain);
    return check_value(parameter, value, &text, error);
}

static scrim_status read_choice(const sc_parameter_rule *parameter, sc_text text,
                                sc_ratio *value, scrim_error *error)
{
    char quote[SC_TEXT_QUOTE_BYTES];
    for (size_t i = 0; parameter->words[i] != NULL; i++)
        if (sc_text_is(text, parameter->words[i])) {
            sc_ratio_set_int64(value, (int64_t)i);
            return SCRIM_OK;
        }
    return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, parameter->name,
                       "%s: '%s' is not allowed; %s %s %s", parameter->name,
                       sc_text_quote(text, quote), parameter->name, verb_of(parameter),
                       parameter->domain);
}

/* Room for count numbers, still empty. */
static scrim_status make_items(sc_parameters *parameters, size_t i, size_t count,
                               scrim_error *error)
{
    const sc_parameter_rule *parameter = &parameters->list[i];
    if (count > SC_PARAMETER_ITEMS)
        return sc_fail_for(error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE, parameter->name,
                           "%s: more than %d values; %s %s %s", parameter->name,
                           SC_PARAMETER_ITEMS, parameter->name, verb_of(parameter),
                           parameter->domain);
    parameters->items[i] = sc_allocate(count, sizeof(sc_ratio));
    if (parameters->items[i] == NULL)
        return sc_fail(error, SCRIM_E_MEMORY, "out of memory for the values of %s",
                       parameter->name);
    return SCRIM_OK;
}

static sc_ratio *add_item(sc_parameters *parameters, size_t i)
{
    sc_ratio *item = &parameters->items[i][parameters->item_count[i]++];
    sc_ratio_init(item);
    return item;
}

/* The numbers between the commas; each obeys the rules of the parameter. */
static scrim_status read_items(sc_parameters *parameters, size_t i, sc_text text,
                               scrim_error *error)
{
    const sc_parameter_rule *parameter = &parameters->list[i];
    size_t count = 1;
    for (size_t j = 0; j < text.bytes; j++)
        count += text.start[j] == ',';
    scrim_status status = make_items(parameters, i, count, error);
    for (size_t j = 0; status == SCRIM_OK && j < count; j++) {
        sc_text item = text, rest = {text.start + text.bytes, 0};
        sc_text_split(text, ',', &item, &rest);
        status = read_value(parameter, item, add_item(parameters, i), error);
        text = rest;
    }
    if (status == SCRIM_OK)
        sc_ratio_set(&parameters->value[i], &parameters->items[i][0]);
    return status;
}

static scrim_status read_text(sc_parameters *parameters, size_t i, sc_text text,
                              scrim_error *error)
{
    const sc_parameter_rule *parameter = &parameters->list[i];
    scrim_status status;
    if (parameter->kind == SC_PARAMETER_WORD)
        status = read_choice(parameter, text, &parameters->value[i], error);
    else if (parameter->kind == SC_PARAMETER_RATIONALS)
        status = read_items(parameters, i, text, error);
    else
        status = read_value(parameter, text, &parameters->value[i], error);
    parameters->given[i] = status == SCRIM_OK;
    return status;
}

/* The place of a parameter that was not given before. */
static scrim_status find_new(const sc_parameters *parameters, sc_text key, size_t *out,
                             scrim_error *error)
{
    *out = find(parameters, key);
    if (*out == parameters->count)
        return fail_unknown(parameters, key, error);
    if (parameters->given[*out])
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_REPEATED,
                           parameters->list[*out].name, "%s is given twice; give it once",
                           parameters->list[*out].name);
    return SCRIM_OK;
}

scrim_status sc_parameters_give(sc_parameters *parameters, sc_text key, sc_text text,
                                scrim_error *error)
{
    size_t i;
    const scrim_status status = find_new(parameters, key, &i, error);
    return status == SCRIM_OK ? read_text(parameters, i, text, error) : status;
}

scrim_status sc_parameters_give_values(sc_parameters *parameters, const char *name,
                                       const sc_ratio *values, size_t count,
                                       scrim_error *error)
{
    size_t i;
    scrim_status status = find_new(parameters, sc_text_of(name), &i, error);
    if (status != SCRIM_OK)
        return status;
    const sc_parameter_rule *parameter = &parameters->list[i];
    const bool is_list = parameter->kind == SC_PARAMETER_RATIONALS;
    if (parameter->kind == SC_PARAMETER_WORD || count == 0 || (count > 1 && !is_list))
        return sc_fail(error, SCRIM_E_INTERNAL, "%s is not %zu numbers", name, count);
    if (is_list)
        status = make_items(parameters, i, count, error);
    for (size_t j = 0; status == SCRIM_OK && j < count; j++) {
        if (is_list)
            sc_ratio_set(add_item(parameters, i), &values[j]);
        status = sc_ratio_bits(&values[j]) > SC_RATIO_BITS
                     ? fail_bits(parameter, &values[j], NULL, error)
                     : check_value(parameter, &values[j], NULL, error);
    }
    if (status == SCRIM_OK)
        sc_ratio_set(&parameters->value[i], &values[0]);
    parameters->given[i] = status == SCRIM_OK;
    return status;
}

static scrim_status read_word(sc_parameters *parameters, sc_text word, scrim_error *error)
{
    char quote[SC_TEXT_QUOTE_BYTES];
    sc_text key, text;
    if (!sc_text_split(word, '=', &key, &text) || key.bytes == 0)
        return sc_fail_for(error, SCRIM_E_SYNTAX, SCRIM_REASON_SYNTAX, "",
                           "'%s' is not a parameter; write key=value",
                           sc_text_quote(word, quote));
    return sc_parameters_give(parameters, key, text, error);
}

scrim_status sc_parameters_require(const sc_parameters *parameters, scrim_error *error)
{
    for (size_t i = 0; i < parameters->count; i++) {
        const sc_parameter_rule *parameter = &parameters->list[i];
        if (!parameters->given[i] && !parameter->optional)
            return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_MISSING,
                               parameter->name, "%s is missing; give %s=..., %s",
                               parameter->name, parameter->name, parameter->domain);
    }
    return SCRIM_OK;
}

static scrim_status read_all(sc_parameters *parameters, sc_text rest, scrim_error *error)
{
    sc_text word;
    while (sc_text_word(&rest, &word)) {
        const scrim_status status = read_word(parameters, word, error);
        if (status != SCRIM_OK)
            return status;
    }
    return sc_parameters_require(parameters, error);
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

size_t sc_parameters_word(const sc_parameters *parameters, const char *name,
                          size_t missing)
{
    const sc_ratio *value = sc_parameters_get(parameters, name);
    if (value == NULL)
        return missing;
    size_t place = 0;
    while (sc_ratio_compare_int64(value, (int64_t)place) != 0)
        place++;
    return place;
}

const sc_ratio *sc_parameters_items(const sc_parameters *parameters, const char *name,
                                    size_t *count)
{
    const size_t i = find(parameters, sc_text_of(name));
    if (sc_parameters_get(parameters, name) == NULL)
        return NULL;
    *count = parameters->item_count[i];
    return parameters->items[i];
}

scrim_status sc_parameters_default(sc_parameters *parameters, const char *name,
                                   const char *text, scrim_error *error)
{
    const size_t i = find(parameters, sc_text_of(name));
    if (i == parameters->count || parameters->given[i])
        return SCRIM_OK;
    return read_text(parameters, i, sc_text_of(text), error);
}

/* The value as it is written in a line. */
static void put_value(const sc_parameters *parameters, size_t i, sc_text_sink *sink)
{
    const sc_parameter_rule *parameter = &parameters->list[i];
    if (parameter->kind == SC_PARAMETER_WORD) {
        const size_t place = sc_parameters_word(parameters, parameter->name, 0);
        sc_text_put(sink, sc_text_of(parameter->words[place]));
        return;
    }
    const size_t count =
        parameter->kind == SC_PARAMETER_RATIONALS ? parameters->item_count[i] : 1;
    for (size_t j = 0; j < count; j++) {
        char value[SC_RATIO_TEXT_BYTES];
        const sc_ratio *item = parameter->kind == SC_PARAMETER_RATIONALS
                                   ? &parameters->items[i][j]
                                   : &parameters->value[i];
        sc_text_put(sink, sc_text_of(j > 0 ? "," : ""));
        sc_text_put(sink, (sc_text){value, sc_ratio_format(item, value, sizeof value)});
    }
}

size_t sc_parameters_format(const sc_parameters *parameters, const char *name, char *text,
                            size_t capacity)
{
    sc_text_sink sink;
    sc_text_sink_init(&sink, text, capacity);
    sc_text_put(&sink, sc_text_of(name));
    for (size_t i = 0; i < parameters->count && i < SC_PARAMETERS_MAX; i++) {
        if (!parameters->given[i])
            continue;
        sc_text_put(&sink, sc_text_of(" "));
        sc_text_put(&sink, sc_text_of(parameters->list[i].name));
        sc_text_put(&sink, sc_text_of("="));
        put_value(parameters, i, &sink);
    }
    return sink.length;
}
