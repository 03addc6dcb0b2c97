#include "microdata/known_counts.h"

#include "base/memory.h"

#include <string.h>

/* The sums below a node: false where a sum does not fit. */
static bool add_below(sc_known_counts *k, size_t v, int64_t *sum, bool *all)
{
    *sum = 0;
    *all = true;
    for (size_t c = k->shape.child[v]; c < k->shape.child[v + 1]; c++) {
        if (k->low[c] > SC_PROJECTION_VALUE - *sum)
            return false;
        *sum += k->low[c];
        *all = *all && k->is_determined[c];
    }
    return true;
}

static bool set_node(sc_known_counts *k, size_t v, int64_t known)
{
    int64_t sum = 0;
    bool all = false;
    const bool is_known = known != SC_COUNT_UNKNOWN;
    if (v < k->shape.inner && !add_below(k, v, &sum, &all))
        return false;
    if (is_known && (known < sum || known > SC_PROJECTION_VALUE || (all && known != sum)))
        return false;
    k->low[v] = is_known ? known : sum;
    k->is_determined[v] = is_known || all;
    return true;
}

scrim_status sc_known_counts_init(sc_known_counts *k, const sc_tree_shape *shape,
                                  const int64_t *known, size_t *at, scrim_error *error)
{
    const size_t nodes = shape->child[shape->inner];
    *k = (sc_known_counts){.shape = *shape,
                           .low = sc_allocate(nodes, sizeof *k->low),
                           .is_determined = sc_allocate(nodes, sizeof *k->is_determined)};
    if (k->low == NULL || k->is_determined == NULL)
        return sc_fail(error, SCRIM_E_MEMORY, "out of memory for the known counts");
    for (size_t v = nodes; v-- > 0;)
        if (!set_node(k, v, known[v])) {
            *at = v;
            return sc_fail_for(
                error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "invariant",
                "a known count is not the sum of the known counts below it");
        }
    return SCRIM_OK;
}

void sc_known_counts_clear(sc_known_counts *k)
{
    sc_free(k->low);
    sc_free(k->is_determined);
    *k = (sc_known_counts){.low = NULL};
}

/* f - low, within the limits of the projection. */
static int64_t above_low(int64_t value, int64_t low)
{
    return sc_projection_clamp((sc_int128)value - low);
}

/* free has room for all children of v. Ties go by the place of a child among those that are not determined. */
static void solve_children(const sc_known_counts *k, size_t v, const sc_hash_key *key,
                           int64_t *values, int64_t *free)
{
    const size_t from = k->shape.child[v], to = k->shape.child[v + 1];
    int64_t rest = values[v];
    size_t count = 0;
    for (size_t c = from; c < to; c++) {
        rest -= k->low[c];
        if (!k->is_determined[c])
            free[count++] = above_low(values[c], k->low[c]);
    }
    const sc_tie_order order = {key == NULL ? (sc_hash_key){0, 0} : *key, from};
    if (count > 0)
        sc_project_integer(free, count, rest, key == NULL ? NULL : &order);
    count = 0;
    for (size_t c = from; c < to; c++)
        values[c] = k->low[c] + (k->is_determined[c] ? 0 : free[count++]);
}

scrim_status sc_known_counts_solve(const sc_known_counts *k, const sc_hash_key *key,
                                   int64_t *values, scrim_error *error)
{
    size_t most = 1;
    for (size_t v = 0; v < k->shape.inner; v++) {
        const size_t children = k->shape.child[v + 1] - k->shape.child[v];
        most = children > most ? children : most;
    }
    int64_t *free = sc_allocate(most, sizeof *free);
    if (free == NULL)
        return sc_fail(error, SCRIM_E_MEMORY, "out of memory for the known counts");
    if (k->is_determined[0] || values[0] < k->low[0])
        values[0] = k->low[0];
    for (size_t v = 0; v < k->shape.inner; v++)
        solve_children(k, v, key, values, free);
    sc_free(free);
    return SCRIM_OK;
}

/* Counts that follow from the known ones. */

/* How many children are not known, and one of them. */
static size_t count_hidden(const sc_tree_shape *shape, size_t v, const bool *is_known,
                           size_t *one)
{
    size_t hidden = 0;
    for (size_t c = shape->child[v]; c < shape->child[v + 1]; c++)
        if (!is_known[c]) {
            *one = c;
            hidden++;
        }
    return hidden;
}

/* Upwards first: then what a parent gives away of its last child follows from it in one pass downwards, and
 * gives nothing away above it, as the parent is known already. */
void sc_known_counts_reveal(const sc_tree_shape *shape, bool *is_known)
{
    size_t one = 0;
    for (size_t v = shape->inner; v-- > 0;)
        if (count_hidden(shape, v, is_known, &one) == 0)
            is_known[v] = true;
    for (size_t v = 0; v < shape->inner; v++)
        if (is_known[v] && count_hidden(shape, v, is_known, &one) == 1)
            is_known[one] = true;
}

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
