#include "distance/masses.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

void sc_masses_init(sc_masses *out)
{
    memset(out, 0, sizeof *out);
    out->is_sorted = true;
}

void sc_masses_clear(sc_masses *masses)
{
    sc_free(masses->list);
    sc_masses_init(masses);
}

scrim_status sc_masses_add(sc_masses *masses, int64_t place, uint64_t mass,
                           scrim_error *error)
{
    if (place > SC_PLACE_MAX || place < -SC_PLACE_MAX)
        return sc_fail(error, SCRIM_E_LIMIT,
                       "a place is beyond 2.3e18 steps; use places with fewer digits");
    if (mass > SC_MASS_MAX - masses->total)
        return sc_fail(error, SCRIM_E_LIMIT, "the masses add up to more than 4.6e18");
    if (mass == 0)
        return SCRIM_OK;
    if (!sc_make_room(&masses->list, masses->count, &masses->capacity,
                      sizeof *masses->list))
        return sc_no_memory(error, "the places");
    if (masses->count != 0 && masses->list[masses->count - 1].place >= place)
        masses->is_sorted = false;
    masses->list[masses->count++] = (sc_mass){.place = place, .mass = mass};
    masses->total += mass;
    return SCRIM_OK;
}

static int by_place(const void *a, const void *b)
{
    const int64_t x = ((const sc_mass *)a)->place, y = ((const sc_mass *)b)->place;
    return (x > y) - (x < y);
}

void sc_masses_sort(sc_masses *masses)
{
    if (masses->is_sorted)
        return;
    qsort(masses->list, masses->count, sizeof *masses->list, by_place);
    size_t kept = 0;
    for (size_t i = 1; i < masses->count; i++) {
        if (masses->list[i].place == masses->list[kept].place)
            masses->list[kept].mass += masses->list[i].mass;
        else
            masses->list[++kept] = masses->list[i];
    }
    masses->count = kept + 1;
    masses->is_sorted = true;
}

uint64_t sc_masses_at(const sc_masses *masses, int64_t place)
{
    const sc_mass key = {.place = place};
    if (masses->count == 0)
        return 0;
    const sc_mass *found =
        bsearch(&key, masses->list, masses->count, sizeof *masses->list, by_place);
    return found == NULL ? 0 : found->mass;
}
