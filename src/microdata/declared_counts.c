#include "microdata/declared_counts.h"

#include <string.h>

static scrim_status bad_form(const char *text, scrim_error *error)
{
    char quote[SC_TEXT_QUOTE_BYTES];
    return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_SYNTAX, "invariant",
                       "'%s' is not a known count; write total:N or COLUMN=VALUE:N with "
                       "the columns of the first levels",
                       sc_text_quote(sc_text_of(text), quote));
}

/* The child of a node that is called so; 0: none. */
static size_t find_child(const sc_noisy_tree *t, size_t node, sc_text name)
{
    for (size_t c = t->child[node]; c < t->child[node + 1]; c++)
        if (t->keys[c].start != NULL && sc_text_compare(t->keys[c], name) == 0)
            return c;
    return 0;
}

/* The text behind the last colon is the count. */
static bool split_count(const char *text, sc_text *keys, int64_t *count)
{
    const char *colon = strrchr(text, ':');
    uint64_t number;
    if (colon == NULL || !sc_text_uint64(sc_text_of(colon + 1), &number) ||
        number > (uint64_t)1 << 40)
        return false;
    *keys = (sc_text){text, (size_t)(colon - text)};
    *count = (int64_t)number;
    return true;
}

static sc_text without_quotes(sc_text value)
{
    if (value.bytes >= 2 && value.start[0] == '\'' &&
        value.start[value.bytes - 1] == '\'')
        return (sc_text){value.start + 1, value.bytes - 2};
    return value;
}

/* The end of "COLUMN=VALUE": a comma that is not in quotes. */
static size_t pair_bytes(sc_text rest)
{
    bool is_quoted = false;
    size_t i = 0;
    for (; i < rest.bytes && (is_quoted || rest.start[i] != ','); i++)
        is_quoted ^= rest.start[i] == '\'';
    return i;
}

static scrim_status find_node(const sc_noisy_tree *t, const char *text, sc_text keys,
                              size_t *node, scrim_error *error)
{
    char quote[SC_TEXT_QUOTE_BYTES];
    sc_text rest = keys, name, value;
    *node = 0;
    for (size_t level = 1; rest.bytes > 0; level++) {
        const size_t bytes = pair_bytes(rest);
        const sc_text pair = {rest.start, bytes};
        if (level == t->levels || !sc_text_split(pair, '=', &name, &value) ||
            !sc_text_is(sc_text_trim(name), t->level[level].name))
            return bad_form(text, error);
        value = without_quotes(sc_text_trim(value));
        *node = find_child(t, *node, value);
        if (*node == 0)
            return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNKNOWN, "invariant",
                               "'%s' is not a public value of %s",
                               sc_text_quote(value, quote), t->level[level].name);
        const size_t used = bytes < rest.bytes ? bytes + 1 : bytes;
        rest = (sc_text){rest.start + used, rest.bytes - used};
    }
    return SCRIM_OK;
}

scrim_status sc_declared_count_read(const sc_noisy_tree *t, const char *text,
                                    int64_t *known, scrim_error *error)
{
    sc_text keys;
    int64_t count;
    size_t node = 0;
    scrim_status status = SCRIM_OK;
    if (!split_count(text, &keys, &count) || keys.bytes == 0)
        return bad_form(text, error);
    if (!sc_text_is(sc_text_trim(keys), "total"))
        status = find_node(t, text, keys, &node, error);
    if (status == SCRIM_OK && known[node] != SC_COUNT_UNKNOWN && known[node] != count)
        status = sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_REPEATED, "invariant",
                             "a known count is given twice, with different numbers");
    if (status == SCRIM_OK)
        known[node] = count;
    return status;
}
