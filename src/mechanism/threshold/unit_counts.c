#include "mechanism/threshold/unit_counts.h"

#include "base/checked.h"
#include "base/memory.h"

#include <stdlib.h>

scrim_status sc_unit_counts_domain(scrim_measurement *m, scrim_error *error)
{
    SC_OWN(sc_ratio, zero);
    scrim_status status = sc_domain_set_grid(&m->domain, NULL, &zero, NULL, error);
    m->domain.count_min = 0; /* there may be no group at all */
    return status;
}

scrim_status sc_unit_counts_elements(scrim_measurement *m, scrim_error *error)
{
    scrim_status status = sc_unit_counts_domain(m, error);
    m->domain.rounding = SC_ROUNDING_OF_ONE;
    m->domain.is_whole = true;
    return status;
}

void sc_unit_counts_sum(scrim_measurement *m)
{
    m->domain.rounding = SC_ROUNDING_OF_ONE;
    m->domain.is_whole = sc_parameters_word(&m->parameters, "whole", 0) == 1;
}

uint64_t sc_unit_counts_groups(const scrim_measurement *m)
{
    return (uint64_t)sc_measurement_integer(m, "max-groups", 1);
}

uint64_t sc_unit_counts_rows(const scrim_measurement *m)
{
    return (uint64_t)sc_measurement_integer(m, "max-rows", 1);
}

uint64_t sc_unit_counts_changed(const scrim_measurement *m)
{
    const uint64_t groups = sc_unit_counts_groups(m);
    return sc_measurement_neighbours(m) == SCRIM_REPLACE ? 2 * groups : groups;
}

size_t sc_unit_counts_answers(const scrim_measurement *m, size_t count)
{
    (void)m;
    return count;
}

bool sc_unit_counts_is_above(const scrim_measurement *m, sc_mark mark, sc_int128 value)
{
    (void)m;
    (void)value;
    return mark != SC_MARK_BELOW && mark != SC_MARK_NONE;
}

bool sc_unit_counts_is_one(const scrim_measurement *m, sc_mark mark, sc_int128 value)
{
    return sc_unit_counts_is_above(m, mark, value) && value != 0;
}

void sc_unit_counts_change(const scrim_measurement *m, sc_change *out)
{
    out->kind = SC_CHANGE_FEW;
    out->few = sc_unit_counts_groups(m);
    sc_ratio_set_int64(&out->amount, 1);
}

scrim_status sc_place_tally_init(sc_place_tally *t, size_t room, scrim_error *error)
{
    *t = (sc_place_tally){.places = sc_allocate(room, sizeof *t->places),
                          .counts = sc_allocate(room, sizeof *t->counts),
                          .room = room};
    return t->places == NULL || t->counts == NULL ? sc_no_memory(error, "a histogram")
                                                  : SCRIM_OK;
}

void sc_place_tally_clear(sc_place_tally *t)
{
    sc_free_wiped(t->places, t->room * sizeof *t->places);
    sc_free_wiped(t->counts, t->room * sizeof *t->counts);
}

void sc_place_tally_count(sc_place_tally *t, size_t found)
{
    if (found > 1)
        qsort(t->places, found, sizeof *t->places, sc_uint64_order);
    for (size_t i = 0; i < found; i++) {
        const uint64_t at = t->places[i];
        if (t->count == 0 || t->places[t->count - 1] != at) {
            t->places[t->count] = at;
            t->counts[t->count++] = 0;
        }
        t->counts[t->count - 1]++;
    }
}

scrim_status sc_place_tally_list(const sc_place_tally *t, const sc_outcomes *counts,
                                 size_t index, int64_t hidden, sc_outcomes *out,
                                 scrim_error *error)
{
    int64_t key[SC_PLACE_TALLY_WIDTH];
    size_t shown = 0;
    for (size_t i = 0; i < SC_PLACE_TALLY_WIDTH; i++)
        key[i] = -1;
    for (size_t i = 0; i < t->count; i++) {
        const int64_t value = counts->keys[index * counts->width + i];
        if (value == hidden)
            continue;
        key[shown++] = (int64_t)t->places[i];
        key[shown++] = value;
    }
    return sc_outcomes_add(out, key, &counts->mass[index], error);
}
