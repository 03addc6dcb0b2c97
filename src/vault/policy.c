#include "vault/policy.h"

void sc_policy_init(sc_policy *policy)
{
    *policy = (sc_policy){0};
    sc_ratio_init(&policy->epsilon);
    sc_ratio_init(&policy->delta);
    sc_ratio_init(&policy->order);
    sc_ratio_init(&policy->most);
    sc_ratio_init(&policy->cap_delta);
    sc_ratio_init(&policy->least);
}

void sc_policy_clear(sc_policy *policy)
{
    sc_ratio_clear(&policy->epsilon);
    sc_ratio_clear(&policy->delta);
    sc_ratio_clear(&policy->order);
    sc_ratio_clear(&policy->most);
    sc_ratio_clear(&policy->cap_delta);
    sc_ratio_clear(&policy->least);
}

bool sc_policy_accounting(sc_text text, sc_filter_rule *rule, sc_ratio *order)
{
    sc_text key, number;
    if (sc_text_is(text, "sum"))
        *rule = SC_FILTER_SUM;
    else if (sc_text_is(text, "concentrated"))
        *rule = SC_FILTER_CONCENTRATED;
    else if (sc_text_split(text, '=', &key, &number) && sc_text_is(key, "renyi") &&
             sc_ratio_parse(number, order, NULL) == SCRIM_OK)
        *rule = SC_FILTER_RENYI;
    else
        return false;
    return true;
}

static scrim_status fail_value(sc_text key, sc_text value, scrim_error *error)
{
    char name[SC_TEXT_QUOTE_BYTES], quote[SC_TEXT_QUOTE_BYTES];
    return sc_fail(error, SCRIM_E_PARAM,
                   "%s: '%s' is not what stands there, or is said "
                   "twice",
                   sc_text_quote(key, name), sc_text_quote(value, quote));
}

/* Takes the next "key=R" off a list that is separated by commas. */
static bool take_pair(sc_text *rest, sc_text *key, sc_ratio *number)
{
    sc_text pair = *rest, text;
    const bool is_last = !sc_text_split(*rest, ',', &pair, rest);
    if (is_last)
        *rest = (sc_text){NULL, 0};
    return is_last == (rest->bytes == 0) && sc_text_split(pair, '=', key, &text) &&
           sc_ratio_parse(text, number, NULL) == SCRIM_OK && sc_ratio_sign(number) >= 0;
}

static bool take_budget(sc_text value, sc_policy *policy)
{
    bool has_epsilon = false, has_delta = false;
    sc_ratio number;
    sc_text key;
    sc_ratio_init(&number);
    bool is_right = value.bytes > 0;
    while (is_right && value.bytes > 0) {
        is_right = take_pair(&value, &key, &number);
        if (is_right && sc_text_is(key, "epsilon") && !has_epsilon) {
            sc_ratio_set(&policy->epsilon, &number);
            has_epsilon = true;
        } else if (is_right && sc_text_is(key, "delta") && !has_delta) {
            sc_ratio_set(&policy->delta, &number);
            has_delta = true;
        } else {
            is_right = false;
        }
    }
    sc_ratio_clear(&number);
    policy->has_budget = true;
    return is_right && has_epsilon;
}

static bool is_unit(sc_text key)
{
    return sc_text_is(key, "epsilon") || sc_text_is(key, "rho") ||
           sc_text_is(key, "divergence");
}

static bool take_cap(sc_text value, sc_policy *policy)
{
    sc_ratio number;
    sc_text key;
    sc_ratio_init(&number);
    bool is_right = value.bytes > 0;
    while (is_right && value.bytes > 0) {
        is_right = take_pair(&value, &key, &number);
        if (is_right && is_unit(key) && policy->unit.bytes == 0) {
            policy->unit = key;
            sc_ratio_set(&policy->most, &number);
        } else if (is_right && sc_text_is(key, "delta") && !policy->has_cap_delta) {
            policy->has_cap_delta = true;
            sc_ratio_set(&policy->cap_delta, &number);
        } else if (is_right && sc_text_is(key, "least") && !policy->has_least) {
            policy->has_least = true;
            sc_ratio_set(&policy->least, &number);
        } else {
            is_right = false;
        }
    }
    sc_ratio_clear(&number);
    policy->has_cap = true;
    return is_right;
}

static bool take_neighbours(sc_text value, sc_policy *policy)
{
    for (int n = SCRIM_ADD_REMOVE; n <= SCRIM_REPLACE; n++)
        if (sc_text_is(value, scrim_neighbours_name((scrim_neighbours)n)))
            policy->neighbours = (scrim_neighbours)n;
    return policy->neighbours != SCRIM_NEIGHBOURS_UNSET;
}

/* False when the key is the vault's and the value is not right. */
static bool take_line(sc_text key, sc_text value, sc_policy *policy)
{
    if (sc_text_is(key, "population")) {
        bool is_first = policy->population.bytes == 0;
        policy->population = value;
        return is_first && sc_event_is_name(value);
    }
    if (sc_text_is(key, "budget"))
        return !policy->has_budget && take_budget(value, policy);
    if (sc_text_is(key, "neighbours"))
        return policy->neighbours == SCRIM_NEIGHBOURS_UNSET &&
               take_neighbours(value, policy);
    if (sc_text_is(key, "accounting"))
        return policy->rule == SC_FILTER_UNSET &&
               sc_policy_accounting(value, &policy->rule, &policy->order);
    if (sc_text_is(key, "cap"))
        return !policy->has_cap && take_cap(value, policy);
    return true;
}

/* "key=value" or "key value": the key is small letters and '-'. */
static bool split(sc_text line, sc_text *key, sc_text *value)
{
    size_t count = 0;
    while (count < line.bytes &&
           ((line.start[count] >= 'a' && line.start[count] <= 'z') ||
            (line.start[count] == '-' && count > 0)))
        count++;
    if (count == 0 || (count < line.bytes && line.start[count] != '=' &&
                       line.start[count] != ' ' && line.start[count] != '\t'))
        return false;
    *key = (sc_text){line.start, count};
    *value =
        count == line.bytes
            ? (sc_text){NULL, 0}
            : sc_text_trim((sc_text){line.start + count + 1, line.bytes - count - 1});
    return true;
}

scrim_status sc_policy_parse(sc_text text, sc_policy *policy, scrim_error *error)
{
    char quote[SC_TEXT_QUOTE_BYTES];
    while (text.bytes > 0) {
        sc_text line = text, key, value;
        if (!sc_text_split(text, '\n', &line, &text))
            text = (sc_text){NULL, 0};
        line = sc_text_trim(line);
        if (line.bytes == 0 || line.start[0] == '#')
            continue;
        if (!split(line, &key, &value))
            return sc_fail(error, SCRIM_E_SYNTAX,
                           "'%s' is no line of a policy: key=value",
                           sc_text_quote(line, quote));
        if (!take_line(key, value, policy))
            return fail_value(key, value, error);
    }
    return SCRIM_OK;
}
