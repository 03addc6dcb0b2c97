#include "query/rows/group_kept.h"

#include "base/checked.h"

#include <stdlib.h>

void sc_kept_clear(sc_kept *kept)
{
    sc_free_wiped(kept->groups, kept->capacity * sizeof *kept->groups);
    sc_free_wiped(kept->copies, kept->capacity * sizeof *kept->copies);
    sc_free_wiped(kept->values, kept->capacity * kept->list_count * sizeof *kept->values);
    *kept = (sc_kept){0};
}

static bool grow(sc_kept *kept, size_t list_count)
{
    sc_kept grown = {.capacity = kept->capacity == 0 ? 64 : 2 * kept->capacity,
                     .count = kept->count,
                     .list_count = list_count};
    size_t values;
    if (!sc_size_mul(grown.capacity, list_count, &values))
        return false;
    grown.groups = sc_allocate(grown.capacity, sizeof *grown.groups);
    grown.copies = sc_allocate(grown.capacity, sizeof *grown.copies);
    grown.values = sc_allocate(values, sizeof *grown.values);
    if (grown.groups == NULL || grown.copies == NULL || grown.values == NULL) {
        sc_kept_clear(&grown);
        return false;
    }
    if (kept->count > 0) {
        memcpy(grown.groups, kept->groups, kept->count * sizeof *kept->groups);
        memcpy(grown.copies, kept->copies, kept->count * sizeof *kept->copies);
        memcpy(grown.values, kept->values,
               kept->count * list_count * sizeof *kept->values);
    }
    sc_kept_clear(kept);
    *kept = grown;
    return true;
}

scrim_status sc_kept_add(sc_kept *kept, const sc_cell_plan *plan, const sc_unit_row *row,
                         scrim_error *error)
{
    if (kept->count == kept->capacity && !grow(kept, plan->list_count))
        return sc_no_memory(error, "the values that stay");
    int64_t *at = kept->values + kept->count * kept->list_count;
    kept->groups[kept->count] = row->group;
    kept->copies[kept->count++] = row->copies;
    for (size_t i = 0; i < plan->value_count; i++)
        if (plan->values[i].has_list)
            *at++ = sc_cell_value_of(&plan->values[i], row->content);
    return SCRIM_OK;
}

scrim_status sc_kept_put(sc_kept *kept, size_t list_count, uint32_t group,
                         uint64_t copies, const void *values, scrim_error *error)
{
    if (kept->count == kept->capacity && !grow(kept, list_count))
        return sc_no_memory(error, "the values that stay");
    if (list_count > 0)
        memcpy(kept->values + kept->count * list_count, values,
               list_count * sizeof *kept->values);
    kept->groups[kept->count] = group;
    kept->copies[kept->count++] = copies;
    return SCRIM_OK;
}

void sc_kept_lists_clear(sc_kept_lists *lists)
{
    if (lists->starts != NULL && lists->values != NULL)
        sc_wipe(lists->values,
                lists->starts[lists->groups] * lists->list_count * sizeof *lists->values);
    sc_free(lists->values);
    sc_free(lists->starts);
    *lists = (sc_kept_lists){0};
}

scrim_status sc_kept_lists_init(sc_kept_lists *lists, const sc_cell_plan *plan,
                                const sc_cells *cells, size_t groups, scrim_error *error)
{
    size_t total = 0, wanted;
    bool fits = true;
    *lists = (sc_kept_lists){.groups = groups, .list_count = plan->list_count};
    lists->starts = sc_allocate(groups + 1, sizeof *lists->starts);
    for (size_t i = 0; lists->starts != NULL && fits && i < groups; i++) {
        lists->starts[i] = total;
        fits = sc_size_add(total, (size_t)cells->cells[i * cells->stride + SC_CELL_ROWS],
                           &total);
    }
    if (lists->starts != NULL && fits && sc_size_mul(total, plan->list_count, &wanted)) {
        lists->starts[groups] = total;
        lists->values = sc_allocate(wanted, sizeof *lists->values);
    }
    if (lists->values == NULL) {
        sc_kept_lists_clear(lists);
        return sc_no_memory(error, "the values that stay");
    }
    return SCRIM_OK;
}

/* While notes come in, a group's start is where its next value goes. */
void sc_kept_lists_put(sc_kept_lists *lists, const sc_kept *kept, const uint32_t *numbers)
{
    const size_t total = lists->starts[lists->groups];
    for (size_t i = 0; i < kept->count; i++) {
        const uint32_t own = kept->groups[i];
        size_t *next = &lists->starts[numbers == NULL ? own : numbers[own]];
        for (uint64_t copy = 0; copy < kept->copies[i]; copy++, (*next)++)
            for (size_t list = 0; list < lists->list_count; list++)
                lists->values[list * total + *next] =
                    kept->values[i * lists->list_count + list];
    }
}

void sc_kept_lists_finish(sc_kept_lists *lists)
{
    const size_t total = lists->starts[lists->groups];
    /* Each start has moved to the next group's. */
    for (size_t i = lists->groups; i-- > 1;)
        lists->starts[i] = lists->starts[i - 1];
    if (lists->groups > 0)
        lists->starts[0] = 0;
    for (size_t list = 0; list < lists->list_count; list++)
        for (size_t i = 0; i < lists->groups; i++) {
            const size_t count = lists->starts[i + 1] - lists->starts[i];
            if (count > 1)
                qsort(lists->values + list * total + lists->starts[i], count,
                      sizeof *lists->values, sc_int64_order);
        }
}

const int64_t *sc_kept_list(const sc_kept_lists *lists, size_t group, size_t list)
{
    return lists->values + list * lists->starts[lists->groups] + lists->starts[group];
}

uint64_t sc_kept_different(const int64_t *list, size_t count)
{
    uint64_t different = count > 0;
    for (size_t i = 1; i < count; i++)
        different += list[i] != list[i - 1];
    return different;
}
