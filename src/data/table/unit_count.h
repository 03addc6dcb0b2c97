/* How many rows each unit of a table has, in all or by group, and what their numbers add up to: for
 * the owner's own check. Whose rows they are is not kept: a unit is two hashes under keys that are
 * drawn afresh and wiped, together 128 bits, so that among 2^32 units two are taken for one with a
 * probability below 2^-64.
 *
 * Claim  unit_count.exact  the number of units, of their groups and of their rows is right, and so
 *                          are the sums, whoever counts how many of them at once
 */
#ifndef SC_DATA_UNIT_COUNT_H
#define SC_DATA_UNIT_COUNT_H

#include "base/checked.h"
#include "base/status.h"
#include "base/text.h"

typedef struct sc_unit_count sc_unit_count;

/* Each row has `numbers` numbers. SCRIM_E_MEMORY, SCRIM_E_ENTROPY. */
SCRIM_MUST_USE scrim_status sc_unit_count_new(size_t numbers, sc_unit_count **out,
                                              scrim_error *error);
void sc_unit_count_free(sc_unit_count *count);

/* One more row of that unit in that group, which may be empty; by several threads at once.
 * SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_unit_count_add(sc_unit_count *count, sc_text unit,
                                              sc_text group, const int64_t *numbers,
                                              scrim_error *error);

typedef struct sc_unit_totals {
    uint64_t units;
    uint64_t most; /* rows of one unit */
    uint64_t over; /* units with more rows than are allowed */
} sc_unit_totals;

/* When nobody adds any more, and all were added in one group. */
sc_unit_totals sc_unit_count_totals(const sc_unit_count *count, uint64_t allowed);

/* All pairs of a unit and a group that are alike: the unit is in `groups` groups, and has `rows`
 * rows in this one. */
typedef struct sc_unit_run {
    uint64_t groups, rows;
    uint64_t pairs;
    /* Sums over all their rows, number by number: what the pairs whose sum is above 0 have together, and
     * behind all of these what those below 0 have. */
    sc_int128 *sums;
} sc_unit_run;

typedef struct sc_unit_runs {
    size_t count;
    sc_unit_run *runs; /* in order of groups, then rows */
    uint64_t groups;   /* that anybody is in */
    sc_int128 *sums;
    size_t sum_count;
    uint64_t *units; /* the rows of each unit in all of its groups */
    size_t unit_count;
} sc_unit_runs;

/* When nobody adds any more. SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_unit_count_runs(sc_unit_count *count, sc_unit_runs *out,
                                               scrim_error *error);
void sc_unit_runs_clear(sc_unit_runs *runs);

/* After sc_unit_count_runs: each pair of a unit and a group, in no order, with the number of the unit's groups
 * and the sums of its rows in this one. */
void sc_unit_count_visit(const sc_unit_count *count,
                         void (*visit)(void *context, uint64_t groups,
                                       const sc_int128 *sums),
                         void *context);

#endif
