/* How many units a table has, and how many rows each: for the owner's own check. Whose rows they
 * are is not kept: a unit is two hashes under keys that are drawn afresh and wiped, together 128
 * bits, so that among 2^32 units two are taken for one with a probability below 2^-64.
 *
 * Claim  unit_count.exact  the number of units and of their rows is right, whoever counts how many
 *                          of them at once
 */
#ifndef SC_DATA_UNIT_COUNT_H
#define SC_DATA_UNIT_COUNT_H

#include "base/status.h"
#include "base/text.h"

typedef struct sc_unit_count sc_unit_count;

/* SCRIM_E_MEMORY, SCRIM_E_ENTROPY. */
SCRIM_MUST_USE scrim_status sc_unit_count_new(sc_unit_count **out, scrim_error *error);
void sc_unit_count_free(sc_unit_count *count);

/* One more row of that unit; by several threads at once. SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_unit_count_add(sc_unit_count *count, sc_text unit,
                                              scrim_error *error);

typedef struct sc_unit_totals {
    uint64_t units;
    uint64_t most; /* rows of one unit */
    uint64_t over; /* units with more rows than are allowed */
} sc_unit_totals;

/* When nobody adds any more. */
sc_unit_totals sc_unit_count_totals(const sc_unit_count *count, uint64_t allowed);

#endif
