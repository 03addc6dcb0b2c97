#include "query/rows/grouping.h"

#include <stdlib.h>

/* Freeing. */

void sc_grouping_unheld_free(sc_grouping_unheld *unheld)
{
    if (unheld == NULL)
        return;
    sc_unit_room_clear(&unheld->room);
    sc_part_log_clear(&unheld->log);
    sc_free_wiped(unheld->packed, unheld->packed_bytes);
    sc_free_wiped(unheld, sizeof *unheld);
}

static void free_state(sc_grouping_worker *state)
{
    if (state == NULL)
        return;
    sc_unit_room_clear(&state->room);
    sc_free_wiped(state->packed, state->packed_bytes);
    sc_free(state->numbers);
    sc_key_set_clear(&state->keys);
    sc_cells_clear(&state->cells);
    sc_kept_clear(&state->kept);
    sc_grouping_unheld_free(state->unheld);
    sc_wipe(state->cut, sizeof state->cut);
    sc_free(state);
}

void sc_grouping_part_clear(sc_grouping *grouping)
{
    sc_grouping *part = grouping->part;
    if (part == NULL)
        return;
    part->cell_plan = (sc_cell_plan){.values = NULL}; /* the whole's */
    sc_grouping_free(part);
    grouping->part = NULL;
}

void sc_grouping_free(sc_grouping *grouping)
{
    if (grouping == NULL)
        return;
    sc_grouping_part_clear(grouping);
    for (unsigned i = 0; grouping->states != NULL && i < grouping->workers; i++)
        free_state(grouping->states[i]);
    sc_free(grouping->states);
    sc_sealed_file_close(grouping->file);
    if (grouping->groups != NULL)
        sc_free_wiped(grouping->groups, grouping->keys.count * sizeof *grouping->groups);
    sc_free_wiped(grouping->present, grouping->sum_count / 3 * sizeof *grouping->present);
    sc_free_wiped(grouping->sums, grouping->sum_count * sizeof *grouping->sums);
    sc_kept_lists_clear(&grouping->lists);
    sc_free(grouping->list_starts);
    sc_free(grouping->bar_starts);
    sc_free_wiped(grouping->marks, grouping->mark_bytes);
    sc_key_set_clear(&grouping->no_keys);
    sc_free(grouping->tokens);
    sc_free(grouping->shares);
    sc_cells_clear(&grouping->cells);
    sc_key_set_clear(&grouping->keys);
    sc_cell_plan_clear(&grouping->cell_plan);
    sc_free_wiped(grouping, sizeof *grouping);
}

/* Room. */

scrim_status sc_grouping_make_bound(const sc_grouping *grouping, sc_bound *bound,
                                    scrim_error *error)
{
    const scrim_status status =
        sc_bound_init(bound, &grouping->bound_keys, &grouping->bounds,
                      grouping->cell_plan.packed_bytes, error);
    bound->keeps_count = grouping->cut.kind != SC_CUT_NOTHING;
    return status;
}

size_t sc_grouping_distinct(const sc_grouping *grouping, const sc_bound *bound,
                            sc_unit_row *rows, size_t count)
{
    return grouping->are_distinct ? sc_bound_distinct(bound, rows, count) : count;
}

/* The cut. */

bool sc_grouping_needs_groups(const sc_grouping *grouping)
{
    return grouping->cell_plan.total_count > 0 || grouping->cut.kind == SC_CUT_GROUPS;
}

/* How many rows the entries stand for. */
static uint64_t rows_of(const sc_grouping *grouping, const sc_unit_row *rows,
                        size_t count)
{
    return grouping->are_distinct ? sc_bound_alike(rows, count)
                                  : sc_bound_copies(rows, count);
}

sc_grouping_rest sc_grouping_rest_of(const sc_grouping *grouping, const sc_unit_row *rows,
                                     size_t count)
{
    const bool counts = grouping->cut.kind != SC_CUT_NOTHING;
    return (sc_grouping_rest){.all = counts ? rows_of(grouping, rows, count) : 0};
}

void sc_grouping_rest_groups(const sc_grouping *grouping, const sc_unit_row *rows,
                             size_t count, sc_grouping_rest *rest)
{
    if (grouping->cut.kind == SC_CUT_GROUPS)
        rest->kept = sc_bound_copies(rows, count);
    rest->is_clamped = grouping->cut.has_totals &&
                       sc_cells_are_clamped(&grouping->cell_plan, rows, count);
}

void sc_grouping_rest_put(const sc_grouping *grouping, sc_grouping_worker *state,
                          const sc_unit_row *rows, size_t count, sc_grouping_rest *rest)
{
    if (grouping->cut.kind == SC_CUT_NOTHING)
        return;
    if (grouping->cut.kind == SC_CUT_ROWS)
        rest->kept = rows_of(grouping, rows, count);
    state->cut[sc_cut_cell(&grouping->cut, rest->all - rest->kept, rest->is_clamped)]++;
}

scrim_status sc_grouping_make_room(const sc_grouping *grouping, sc_grouping_worker *state,
                                   scrim_error *error)
{
    sc_bound bound;
    if (!sc_unit_room_is_full(&state->room))
        return SCRIM_OK;
    scrim_status status = sc_grouping_make_bound(grouping, &bound, error);
    if (status == SCRIM_OK)
        status = sc_unit_room_empty(&state->room, &bound,
                                    grouping->has_keys ? &grouping->keys : &state->keys,
                                    &grouping->hash_key, error);
    sc_bound_clear(&bound);
    return status;
}

/* Keys. */

static int by_text(const void *left, const void *right)
{
    const sc_text a = ((const sc_key_entry *)left)->text,
                  b = ((const sc_key_entry *)right)->text;
    const size_t common = a.bytes < b.bytes ? a.bytes : b.bytes;
    const int order = common == 0 ? 0 : memcmp(a.start, b.start, common);
    return order != 0 ? order : (a.bytes > b.bytes) - (a.bytes < b.bytes);
}

scrim_status sc_grouping_sort_keys(sc_key_set *to, sc_key_set *from, scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    /* Sorting leaves the chains behind, which nobody follows any more. */
    qsort(from->entries, from->count, sizeof *from->entries, by_text);
    for (uint32_t i = 0; status == SCRIM_OK && i < from->count; i++) {
        uint32_t number;
        status = sc_key_set_add(to, from->entries[i].text, from->entries[i].hash, &number,
                                error);
    }
    return status;
}

/* Groups. */

/* The values that stay, by group. */
static scrim_status list_values(sc_grouping *grouping, scrim_error *error)
{
    const sc_cell_plan *plan = &grouping->cell_plan;
    const size_t keys = grouping->keys.count;
    const bool is_own = !grouping->has_units && !grouping->has_keys;
    size_t wanted;
    if (plan->list_count == 0)
        return SCRIM_OK;
    const scrim_status status =
        sc_kept_lists_init(&grouping->lists, plan, &grouping->cells, keys, error);
    if (status != SCRIM_OK)
        return status;
    for (unsigned i = 0; i < grouping->workers; i++) {
        sc_grouping_worker *state = grouping->states[i];
        sc_kept_lists_put(&grouping->lists, &state->kept, is_own ? state->numbers : NULL);
        sc_kept_clear(&state->kept);
    }
    sc_kept_lists_finish(&grouping->lists);
    if (sc_size_mul(keys, plan->value_count, &wanted))
        grouping->list_starts = sc_allocate(wanted, sizeof *grouping->list_starts);
    if (grouping->list_starts == NULL)
        return sc_no_memory(error, "the values that stay");
    for (size_t i = 0; i < keys; i++)
        for (size_t j = 0, list = 0; j < plan->value_count; j++)
            if (plan->values[j].has_list)
                grouping->list_starts[i * plan->value_count + j] =
                    sc_kept_list(&grouping->lists, i, list++);
    return SCRIM_OK;
}

/* The buckets of all groups, where they lie among the sums. */
static scrim_status list_bars(sc_grouping *grouping, scrim_error *error)
{
    const sc_cell_plan *plan = &grouping->cell_plan;
    const size_t keys = grouping->keys.count;
    size_t wanted;
    if (plan->bars_count == 0)
        return SCRIM_OK;
    if (sc_size_mul(keys, plan->value_count, &wanted))
        grouping->bar_starts = sc_allocate(wanted, sizeof *grouping->bar_starts);
    if (grouping->bar_starts == NULL)
        return sc_no_memory(error, "the groups");
    for (size_t i = 0; i < keys; i++)
        for (size_t j = 0; j < plan->value_count; j++)
            if (plan->values[j].bars != 0)
                grouping->bar_starts[i * plan->value_count + j] =
                    grouping->cells.cells + i * plan->stride + plan->values[j].bars;
    return SCRIM_OK;
}

static scrim_status list_groups(sc_grouping *grouping, sc_groups *out, scrim_error *error)
{
    const sc_cell_plan *plan = &grouping->cell_plan;
    const size_t keys = grouping->keys.count;
    size_t wanted, count = 0;
    if (sc_size_mul(keys, 3 * plan->value_count, &wanted)) {
        grouping->sums = sc_allocate(wanted, sizeof *grouping->sums);
        grouping->present = sc_allocate(wanted / 3, sizeof *grouping->present);
        grouping->groups = sc_allocate(keys, sizeof *grouping->groups);
    }
    if (grouping->sums == NULL || grouping->present == NULL || grouping->groups == NULL)
        return sc_no_memory(error, "the groups");
    grouping->sum_count = wanted;
    for (size_t i = 0; i < keys; i++) {
        const sc_uint128 *cells = grouping->cells.cells + i * plan->stride;
        sc_int128 *sums = grouping->sums + 3 * plan->value_count * i,
                  *squares = sums + plan->value_count,
                  *totals = squares + plan->value_count;
        uint64_t *present = grouping->present + plan->value_count * i;
        if (!grouping->has_keys && cells[SC_CELL_UNITS] == 0)
            continue;
        for (size_t j = 0; j < plan->value_count; j++) {
            present[j] = sc_cells_present(&grouping->cells, plan, i, j);
            sums[j] = sc_cells_sum(&grouping->cells, plan, i, j);
            squares[j] = sc_cells_squares(&grouping->cells, plan, i, j);
            totals[j] = sc_cells_total(&grouping->cells, plan, i, j);
        }
        grouping->groups[count++] = (sc_group){
            grouping->keys.entries[i].text,
            (uint64_t)cells[SC_CELL_ROWS],
            (uint64_t)cells[SC_CELL_UNITS],
            present,
            sums,
            squares,
            totals,
            plan->list_count == 0 ? NULL : grouping->list_starts + i * plan->value_count,
            plan->bars_count == 0 ? NULL : grouping->bar_starts + i * plan->value_count};
    }
    *out = (sc_groups){grouping->groups, count};
    return SCRIM_OK;
}

scrim_status sc_grouping_list(sc_grouping *grouping, sc_groups *out, scrim_error *error)
{
    scrim_status status = list_values(grouping, error);
    if (status == SCRIM_OK)
        status = list_bars(grouping, error);
    return status == SCRIM_OK ? list_groups(grouping, out, error) : status;
}
