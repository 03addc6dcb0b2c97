#include "query/answer/running.h"

#include <stdlib.h>

static int compare_keys(const void *a, const void *b)
{
    return sc_text_compare(((const sc_plan_base *)a)->key,
                           ((const sc_plan_base *)b)->key);
}

scrim_status sc_running_base(const sc_record *record, sc_arena *arena,
                             const sc_plan_base **out, size_t *count, scrim_error *error)
{
    const sc_record_statement *s = &record->statements[0];
    sc_plan_base *base = sc_arena_allocate(arena, s->row_count, sizeof *base);
    if (base == NULL)
        return sc_no_memory(error, "a running total");
    for (size_t i = 0; i < s->row_count; i++)
        base[i] = (sc_plan_base){s->rows[i].key, s->rows[i].numbers};
    qsort(base, s->row_count, sizeof *base, compare_keys);
    *out = base;
    *count = s->row_count;
    return SCRIM_OK;
}

static bool has_equal_keys(const sc_planned_statement *s, const sc_plan_base *base,
                           size_t count)
{
    bool is_equal = s->keys_kind == SC_PLAN_NO_KEYS ? count == 1 && base[0].key.bytes == 0
                                                    : count == s->key_count;
    for (size_t i = 0; s->keys_kind != SC_PLAN_NO_KEYS && is_equal && i < count; i++)
        is_equal = sc_text_equal(s->keys[i], base[i].key);
    return is_equal;
}

bool sc_running_fits(const scrim_plan *plan, const sc_record *record,
                     const sc_plan_base *base, size_t count)
{
    const sc_planned_statement *s = &plan->statements[0];
    const sc_record_statement *r = &record->statements[0];
    bool fits = record->is_running && r->part_count == s->part_count &&
                r->number_count == s->statistics.number_count &&
                has_equal_keys(s, base, count);
    for (size_t i = 0; fits && i < s->part_count; i++)
        fits = r->statistics[i] == s->parts[i].statistic &&
               sc_text_is(r->measurements[i],
                          scrim_measurement_text(s->parts[i].measurement));
    return fits;
}

/* The addends were released, so that a search may take its time. */
static const sc_int128 *find(const scrim_plan *plan, sc_text key)
{
    const sc_plan_base wanted = {.key = key};
    const sc_plan_base *found = bsearch(
        &wanted, plan->series.base, plan->series.base_count, sizeof wanted, compare_keys);
    return found == NULL ? NULL : found->numbers;
}

scrim_status sc_running_add(const scrim_plan *plan, sc_noisy *noisy, sc_arena *arena,
                            scrim_error *error)
{
    const size_t count = noisy->statement->statistics.number_count;
    for (size_t i = 0; plan->series.base_count > 0 && i < noisy->row_count; i++) {
        const sc_int128 *before = find(plan, noisy->rows[i].key);
        sc_int128 *numbers = sc_arena_allocate(arena, count, sizeof *numbers);
        if (numbers == NULL)
            return sc_no_memory(error, "a running total");
        /* Windows share no row, so that all of them together fit; a record may say anything. */
        for (size_t k = 0; k < count; k++)
            if (before == NULL ||
                !sc_int128_add(noisy->rows[i].numbers[k], before[k], &numbers[k]))
                numbers[k] = noisy->rows[i].numbers[k];
        noisy->rows[i].numbers = numbers;
    }
    return SCRIM_OK;
}
