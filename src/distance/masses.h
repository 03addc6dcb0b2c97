/* Finite laws and histograms in integers: places, and the mass of each.
 *
 * A histogram is a number of elements at each place. A law is the same divided by its total, so
 * that laws of unlike totals are compared after both are counted in a common unit. A place is an
 * integer: a number of steps on the line, or the index of a point of a finite metric.
 */
#ifndef SC_ACCURACY_MASSES_H
#define SC_ACCURACY_MASSES_H

#include "base/checked.h"
#include "base/status.h"

#define SC_PLACE_MAX ((int64_t)1 << 61)
#define SC_MASS_MAX ((uint64_t)1 << 62) /* of all places together */

typedef struct sc_mass {
    int64_t place;
    uint64_t mass;
} sc_mass;

typedef struct sc_masses {
    sc_mass *list;
    size_t count, capacity;
    uint64_t total;
    bool is_sorted; /* by place, each place once */
} sc_masses;

void sc_masses_init(sc_masses *out); /* empty */
void sc_masses_clear(sc_masses *masses);
/* Adds mass at a place; 0 adds nothing. SCRIM_E_LIMIT for a place beyond SC_PLACE_MAX or a total
 * beyond SC_MASS_MAX. */
SCRIM_MUST_USE scrim_status sc_masses_add(sc_masses *masses, int64_t place, uint64_t mass,
                                          scrim_error *error);
/* By place; what lies at one place becomes one mass. All that compares wants it sorted. */
void sc_masses_sort(sc_masses *masses);
/* The mass at a place of sorted masses; 0 where there is none. */
uint64_t sc_masses_at(const sc_masses *masses, int64_t place);

#endif
