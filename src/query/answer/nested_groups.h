/* The groups of a statement as sums of the finer groups of another one, the source (sc_plan_nesting).
 *
 * The source bounds the rows of each unit. The sums count the same rows, so that parts add up before noise does. Only counts
 * and sums of rows by public keys are summed, and units where each is in one group of the source. Which groups are summed
 * is public, and every one of them is read.
 *
 * Claim  nested-groups.sum   the rows of a group, and their sums, are those of all groups of the source that have its keys; no group of the
 *                            source is left out or counted twice
 */
#ifndef SC_QUERY_NESTED_GROUPS_H
#define SC_QUERY_NESTED_GROUPS_H

#include "query/plan/plan_model.h"

typedef struct sc_nested_groups {
    uint32_t *places; /* by group of the source: its group here */
    size_t place_count;
    sc_group *groups; /* exact, and not private */
    size_t count;
    uint64_t *present; /* of the groups, by value; */
    sc_int128 *sums;   /* likewise: sums of all groups, then squares, then totals */
    size_t value_count;
} sc_nested_groups;

/* Takes memory, whose size is public, for a statement that is a sum. SCRIM_E_MEMORY. Zeros may be cleared. */
SCRIM_MUST_USE scrim_status sc_nested_groups_init(sc_nested_groups *nested,
                                                  const scrim_plan *plan,
                                                  size_t statement, scrim_error *error);
/* Wipes. */
void sc_nested_groups_clear(sc_nested_groups *nested);
/* The sums of the groups of the source, as long as nested. */
sc_groups sc_nested_groups_sum(sc_nested_groups *nested, const sc_groups *source);

#endif
