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
