#include "mechanism/threshold/place_tally.h"

#include "base/checked.h"
#include "base/memory.h"

#include <stdlib.h>

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
