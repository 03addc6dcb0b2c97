#include "vault/state/policy_terms.h"

#include "base/memory.h"
#include "data/value/schema.h"

bool sc_policy_line(sc_text policy, const char *key, sc_text *value)
{
    sc_text line, found;
    while (sc_schema_line(&policy, &line, &found, value))
        if (sc_text_is(found, key))
            return true;
    *value = (sc_text){NULL, 0};
    return false;
}

bool sc_policy_unit(sc_text policy, sc_text *name)
{
    sc_text same;
    if (!sc_policy_line(policy, "unit", name))
        return false;
    if (!sc_text_is(*name, "row") && sc_policy_line(policy, "same-unit", &same) &&
        !sc_text_is(same, "row"))
        *name = same;
    return true;
}

static const char *const keys[] = {"cap", "quantum"};
#define KEYS (sizeof keys / sizeof *keys)

void sc_policy_terms(sc_text policy, char *out)
{
    sc_text value;
    sc_text_sink sink;
    /* A line may lack its sign and its end, and each has both here. */
    sc_text_sink_init(&sink, out, policy.bytes + SC_POLICY_TERMS_MORE);
    for (size_t i = 0; i < KEYS; i++) {
        if (!sc_policy_line(policy, keys[i], &value))
            continue;
        sc_text_put(&sink, sc_text_of(keys[i]));
        sc_text_put(&sink, sc_text_of("="));
        sc_text_put(&sink, value);
        sc_text_put(&sink, sc_text_of("\n"));
    }
}

bool sc_policy_terms_are_spelt(sc_text terms)
{
    sc_text line, key, value;
    for (size_t i = 0; i < KEYS; i++) {
        sc_text rest = terms;
        if (sc_text_split(rest, '\n', &line, &rest) &&
            sc_text_split(line, '=', &key, &value) && sc_text_is(key, keys[i]) &&
            sc_text_equal(value, sc_text_trim(value)))
            terms = rest;
    }
    return terms.bytes == 0;
}

static bool is_line_of(sc_text line, const char *wanted)
{
    sc_text rest = line, found, key, value;
    return sc_schema_line(&rest, &found, &key, &value) && sc_text_is(key, wanted);
}

static bool is_term(sc_text line)
{
    for (size_t i = 0; i < KEYS; i++)
        if (is_line_of(line, keys[i]))
            return true;
    return false;
}

static bool take_other(sc_text *rest, sc_text *line)
{
    while (sc_text_item(rest, '\n', line))
        if (!is_term(*line))
            return true;
    return false;
}

bool sc_policy_terms_aside(sc_text a, sc_text b)
{
    sc_text of_a, of_b;
    while (take_other(&a, &of_a))
        if (!take_other(&b, &of_b) || !sc_text_equal(of_a, of_b))
            return false;
    return !take_other(&b, &of_b);
}

char *sc_policy_under(sc_text policy, sc_text terms)
{
    const size_t capacity = policy.bytes + terms.bytes + 2;
    sc_text rest = policy, line;
    sc_text_sink sink;
    bool is_put = false;
    char *text = sc_allocate(capacity, 1);
    if (text == NULL)
        return NULL;
    sc_text_sink_init(&sink, text, capacity);
    while (take_other(&rest, &line)) {
        if (!is_put && is_line_of(line, "contents")) {
            sc_text_put(&sink, terms);
            is_put = true;
        }
        sc_text_put(&sink, line);
        sc_text_put(&sink, sc_text_of("\n"));
    }
    if (!is_put)
        sc_text_put(&sink, terms);
    return text;
}
