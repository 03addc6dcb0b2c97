/* Counts that are declared to be known: their text, their nodes, and whether measurements bear them out. */
#include "microdata/count_tree.h"

#include <math.h>
#include <stdio.h>
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

/* known has a number for each node, SC_COUNT_UNKNOWN or one that was declared before. */
static scrim_status read_declared(const sc_noisy_tree *t, const char *text,
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

#define GUARANTEE_BYTES 1024

/* Names the declared counts, or their number where there are many. */
static scrim_status set_guarantee(scrim_hierarchy *h,
                                  const scrim_hierarchy_options *options,
                                  scrim_error *error)
{
    char text[GUARANTEE_BYTES], names[GUARANTEE_BYTES / 2] = "", more[64] = "";
    size_t at = 0;
    for (size_t i = 0; i < options->known_count && at < sizeof names; i++)
        at += (size_t)snprintf(names + at, sizeof names - at, "%s%s", i == 0 ? "" : ", ",
                               options->known[i]);
    if (at >= sizeof names)
        (void)snprintf(names, sizeof names, "%zu declared counts", h->facts.known);
    if (h->facts.revealed > 0)
        (void)snprintf(more, sizeof more, " (and %zu that follow%s)", h->facts.revealed,
                       h->facts.revealed == 1 ? "s" : "");
    (void)snprintf(
        text, sizeof text,
        "%s%s: published exactly and not protected; for datasets that agree in them, "
        "replacing one unit by another within the smallest known group costs at most "
        "as much as two units",
        names, more);
    h->facts.guarantee = sc_arena_copy(&h->arena, text, strlen(text));
    return h->facts.guarantee == NULL ? sc_no_memory(error, "the tree") : SCRIM_OK;
}

scrim_status sc_declared_counts_set(scrim_hierarchy *h,
                                    const scrim_hierarchy_options *options,
                                    scrim_error *error)
{
    size_t at;
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; status == SCRIM_OK && i < options->known_count; i++)
        status = read_declared(&h->tree, options->known[i], h->known, error);
    if (status == SCRIM_OK)
        status = sc_known_counts_init(&h->solution, &h->tree.shape, h->known, &at, error);
    for (size_t v = 0; status == SCRIM_OK && v < h->facts.nodes; v++) {
        h->is_known[v] = h->known[v] != SC_COUNT_UNKNOWN;
        h->facts.known += h->is_known[v];
    }
    if (status != SCRIM_OK || h->facts.known == 0)
        return status;
    sc_known_counts_reveal(&h->tree.shape, h->is_known);
    for (size_t v = 0; v < h->facts.nodes; v++)
        h->facts.revealed += h->is_known[v] && h->known[v] == SC_COUNT_UNKNOWN;
    return set_guarantee(h, options, error);
}

/* Noise moves a count by more than 10 deviations less than once in a million times. */
#define DOUBT_DEVIATIONS 10
#define DOUBT_BYTES 512

/* Compares a declared count with the estimate of its node, which was made without any. */
static scrim_status compare_declared(scrim_hierarchy *h, const char *declared,
                                     scrim_error *error)
{
    char text[DOUBT_BYTES];
    size_t v = 0;
    SC_TRY(read_declared(&h->tree, declared, h->known, error));
    while (h->known[v] == SC_COUNT_UNKNOWN)
        v++;
    const double deviation = sqrt(sc_squares_variance(&h->squares, v));
    const double distance = fabs((double)h->known[v] - h->estimates[v]);
    h->known[v] = SC_COUNT_UNKNOWN;
    if (distance <= DOUBT_DEVIATIONS * deviation || h->facts.doubt[0] != '\0')
        return SCRIM_OK;
    (void)snprintf(
        text, sizeof text,
        "the known count %.200s does not fit: without it the estimate is %.0f, with a "
        "deviation of %.3g; it is wrong, or rows were left out of the release, and other "
        "counts were moved to make up for it",
        declared, h->estimates[v], deviation);
    h->facts.doubt = sc_arena_copy(&h->arena, text, strlen(text));
    return h->facts.doubt == NULL ? sc_no_memory(error, "the tree") : SCRIM_OK;
}

scrim_status sc_declared_counts_doubt(scrim_hierarchy *h,
                                      const scrim_hierarchy_options *options,
                                      scrim_error *error)
{
    for (size_t i = 0; i < options->known_count; i++)
        SC_TRY(compare_declared(h, options->known[i], error));
    return SCRIM_OK;
}
