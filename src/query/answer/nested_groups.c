#include "query/answer/nested_groups.h"

#include "query/rows/key_tuple.h"

#include <string.h>

/* Sums, squares and totals. */
#define NESTED_SUMS 3

/* Writes the part of a key that a sum is grouped by, which is never longer. */
static sc_text cut_key(const sc_query *query, uint64_t keys, sc_text whole, char *out)
{
    sc_key_part parts[SC_QUERY_KEYS], kept[SC_QUERY_KEYS];
    size_t count = 0;
    for (size_t i = 0; i < query->key_count; i++)
        parts[i] = (sc_key_part){.is_text = sc_typed_is_text(query->keys[i].value)};
    /* It is a key of the plan, which always can be read. */
    if (!sc_key_tuple_read(whole, parts, query->key_count))
        return (sc_text){out, 0};
    for (size_t i = 0; i < query->key_count; i++)
        if (keys >> i & 1)
            kept[count++] = parts[i];
    sc_key_tuple_write(kept, count, out);
    return (sc_text){out, sc_key_tuple_bytes(kept, count)};
}

/* The place of a key among those of a statement, which are in increasing order; 0 for a
 * statement without keys. */
static size_t find_key(const sc_planned_statement *s, sc_text key)
{
    size_t low = 0, high = s->key_count;
    while (low + 1 < high) {
        const size_t middle = low + (high - low) / 2;
        if (sc_text_compare(s->keys[middle], key) <= 0)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static bool set_places(sc_nested_groups *nested, const sc_planned_statement *source,
                       const sc_planned_statement *sum)
{
    size_t bytes = 1;
    for (size_t i = 0; i < source->key_count; i++)
        if (source->keys[i].bytes > bytes)
            bytes = source->keys[i].bytes;
    char *buffer = sc_allocate(bytes, 1);
    for (size_t i = 0; buffer != NULL && i < source->key_count; i++) {
        const sc_text key =
            cut_key(source->query, sum->source_keys, source->keys[i], buffer);
        /* Neighbours mostly are in the same group. */
        const size_t before = i == 0 ? 0 : nested->places[i - 1];
        const bool is_same = sum->key_count == 0 || sc_text_equal(sum->keys[before], key);
        nested->places[i] = (uint32_t)(is_same ? before : find_key(sum, key));
    }
    sc_free(buffer);
    return buffer != NULL;
}

/* Memory for the sums of each group, by value. */
static bool get_sums(sc_nested_groups *nested, const sc_planned_statement *sum)
{
    const size_t values = sum->statistics.value_count, room = nested->count * values;
    nested->value_count = values;
    nested->present = sc_allocate(room, sizeof *nested->present);
    nested->sums = sc_allocate(room, NESTED_SUMS * sizeof *nested->sums);
    if (nested->present == NULL || nested->sums == NULL)
        return false;
    for (size_t i = 0; i < nested->count; i++)
        nested->groups[i] =
            (sc_group){.key = sum->key_count == 0 ? sc_text_of("") : sum->keys[i],
                       .present = nested->present + i * values,
                       .sums = nested->sums + i * values,
                       .squares = nested->sums + room + i * values,
                       .totals = nested->sums + 2 * room + i * values};
    return true;
}

scrim_status sc_nested_groups_init(sc_nested_groups *nested, const scrim_plan *plan,
                                   size_t statement, scrim_error *error)
{
    const sc_planned_statement *source = sc_plan_source(plan),
                               *sum = &plan->statements[statement];
    nested->place_count = source->key_count;
    nested->count = sum->key_count == 0 ? 1 : sum->key_count;
    nested->places = sc_allocate(nested->place_count, sizeof *nested->places);
    nested->groups = sc_allocate(nested->count, sizeof *nested->groups);
    if (nested->places == NULL || nested->groups == NULL ||
        !set_places(nested, source, sum))
        return sc_no_memory(error, "the groups of a query");
    return get_sums(nested, sum) ? SCRIM_OK
                                 : sc_no_memory(error, "the groups of a query");
}

void sc_nested_groups_clear(sc_nested_groups *nested)
{
    sc_free(nested->places);
    const size_t room = nested->count * nested->value_count;
    sc_free_wiped(nested->present, room * sizeof *nested->present);
    sc_free_wiped(nested->sums, room * NESTED_SUMS * sizeof *nested->sums);
    sc_free_wiped(nested->groups, nested->count * sizeof *nested->groups);
    *nested = (sc_nested_groups){.places = NULL};
}

/* A group without rows has no sums. */
static void add_group(sc_nested_groups *nested, size_t place, const sc_group *from)
{
    sc_group *to = &nested->groups[place];
    const size_t first = place * nested->value_count,
                 room = nested->count * nested->value_count;
    to->rows += from->rows;
    to->units += from->units;
    for (size_t i = 0; from->rows > 0 && i < nested->value_count; i++) {
        nested->present[first + i] += from->present[i];
        nested->sums[first + i] += from->sums[i];
        nested->sums[room + first + i] += from->squares[i];
        nested->sums[2 * room + first + i] += from->totals[i];
    }
}

sc_groups sc_nested_groups_sum(sc_nested_groups *nested, const sc_groups *source)
{
    const size_t room = nested->count * nested->value_count;
    memset(nested->present, 0, room * sizeof *nested->present);
    memset(nested->sums, 0, room * NESTED_SUMS * sizeof *nested->sums);
    for (size_t i = 0; i < nested->count; i++) {
        nested->groups[i].rows = 0;
        nested->groups[i].units = 0;
    }
    for (size_t i = 0; i < source->count && i < nested->place_count; i++)
        add_group(nested, nested->places[i], &source->groups[i]);
    return (sc_groups){nested->groups, nested->count};
}
