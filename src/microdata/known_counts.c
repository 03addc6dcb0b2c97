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
        return sc_no_memory(error, "the known counts");
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
        return sc_no_memory(error, "the known counts");
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
