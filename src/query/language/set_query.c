#include "query/language/set_query.h"

static uint64_t all_keys(const sc_query *query)
{
    return query->all_key_count >= 64 ? UINT64_MAX
                                      : ((uint64_t)1 << query->all_key_count) - 1;
}

size_t sc_query_finest_set(const sc_query *query)
{
    for (size_t i = 0; i < query->set_count; i++)
        if (query->sets[i] == all_keys(query))
            return i + 1;
    return 0;
}

/* The keys of the set, and behind them the others. */
static size_t order_keys(const sc_query *whole, uint64_t keys, sc_query_key *out,
                         size_t *places)
{
    size_t count = 0, place = 0;
    for (size_t i = 0; i < whole->all_key_count; i++)
        count += keys >> i & 1;
    for (size_t i = 0, other = count; i < whole->all_key_count; i++) {
        places[i] = keys >> i & 1 ? place++ : other++;
        out[places[i]] = whole->keys[i];
    }
    return count;
}

const sc_query *sc_query_of_set(const sc_query *whole, size_t set, sc_arena *arena)
{
    sc_query *query = sc_arena_allocate(arena, 1, sizeof *query);
    sc_query_key *keys = sc_arena_allocate(arena, whole->all_key_count, sizeof *keys);
    size_t *places = sc_arena_allocate(arena, whole->all_key_count, sizeof *places);
    sc_query_output *outputs =
        sc_arena_allocate(arena, whole->output_count, sizeof *outputs);
    if (query == NULL || keys == NULL || places == NULL || outputs == NULL)
        return NULL;
    *query = *whole;
    query->set = set;
    query->key_count = order_keys(
        whole, set == 0 ? all_keys(whole) : whole->sets[set - 1], keys, places);
    query->keys = keys;
    query->key_places = places;
    query->outputs = outputs;
    for (size_t i = 0; i < whole->output_count; i++) {
        outputs[i] = whole->outputs[i];
        if (outputs[i].is_key)
            outputs[i].index = places[outputs[i].index];
    }
    return query;
}

/* Consistent totals. */

/* Is each set the one before without some of its keys, and the first the finest? */
static bool are_nested(const sc_query *query)
{
    bool are = query->sets[0] == all_keys(query);
    for (size_t i = 1; i < query->set_count; i++)
        are = are && (query->sets[i] & ~query->sets[i - 1]) == 0;
    return are;
}

static scrim_status check_consistent(const sc_query *query, const sc_node *const *calls,
                                     const sc_tree *tree, sc_refusal *refusal)
{
    if (!are_nested(query))
        return sc_refuse(
            refusal, tree->sets_span, SCRIM_E_PARAM,
            "consistent totals need sets that each leave out keys of the one "
            "before, as ROLLUP(a, b) makes them");
    if (query->set_count > SC_QUERY_CONSISTENT_SETS)
        return sc_refuse(refusal, tree->sets_span, SCRIM_E_LIMIT,
                         "consistent totals have at most %d sets of keys",
                         SC_QUERY_CONSISTENT_SETS);
    for (size_t i = 0; i < query->aggregate_count; i++) {
        const sc_query_aggregate *a = &query->aggregates[i];
        if ((a->kind->reads != SC_READS_ROWS && a->kind->reads != SC_READS_SUM) ||
            a->with_range)
            return sc_refuse(refusal, calls[i]->span, SCRIM_E_POLICY,
                             "consistent totals are for COUNT and SUM, which add up; ask "
                             "for %s without WITH CONSISTENT TOTALS",
                             a->with_range ? "a range" : a->kind->name);
    }
    for (size_t i = 0; i < query->output_count; i++)
        if (query->outputs[i].formula != NULL)
            return sc_refuse(refusal, tree->sets_span, SCRIM_E_POLICY,
                             "consistent totals are for COUNT and SUM by themselves; "
                             "arithmetic on them does not add up");
    return SCRIM_OK;
}

scrim_status sc_query_check_sets(const sc_query *query, const sc_node *const *calls,
                                 const sc_tree *tree, sc_refusal *refusal)
{
    const unsigned added = SC_READS_UNITS | SC_READS_ROWS | SC_READS_SUM |
                           SC_READS_CENTRED | SC_READS_SQUARES;
    for (size_t i = 0; i < query->aggregate_count; i++)
        if ((query->aggregates[i].kind->reads & ~added) != 0)
            return sc_refuse(refusal, calls[i]->span, SCRIM_E_POLICY,
                             "%s of a total does not follow from those of its parts; ask "
                             "for it with one grouping at a time",
                             query->aggregates[i].kind->name);
    return query->is_consistent ? check_consistent(query, calls, tree, refusal)
                                : SCRIM_OK;
}

bool sc_query_has_all_keys(const sc_query *query, const sc_query_output *output)
{
    uint64_t keys = 0;
    for (size_t i = 0; i < output->grouping_count; i++)
        keys |= (uint64_t)1 << output->grouping[i];
    return output->grouping_count > 0 && keys == all_keys(query);
}

bool sc_query_output_is_all(const sc_query *query, const sc_query_output *output)
{
    return output->is_key && !sc_query_output_is_grouping(output) &&
           output->index >= query->key_count;
}

uint64_t sc_query_grouping(const sc_query *query, const sc_query_output *output)
{
    uint64_t number = 0;
    for (size_t i = 0; i < output->grouping_count; i++)
        number =
            2 * number + (query->key_places[output->grouping[i]] >= query->key_count);
    return number;
}
