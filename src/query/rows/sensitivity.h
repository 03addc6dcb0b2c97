/* How far one unit moves a statistic of all groups together, in steps of its value.
 *
 * One unit is in at most max_groups groups and has at most max_rows rows in each. Added or removed,
 * it moves each of its groups by at most max_rows most. Replaced, it may leave groups for others,
 * each of which moves so far; or stay in a group and move it from one end of what it can contribute
 * to the other, width = max(high, 0) - min(low, 0) a row, since it may contribute nothing. With j
 * groups that it stays in, and max_groups - j that it leaves and as many that it enters:
 *
 *     l1     max_rows (j width + 2 (max_groups - j) most)
 *     l2^2   max_rows^2 (j width^2 + 2 (max_groups - j) most^2)
 *
 * A total by person is one contribution of a unit to a group, within what it is clamped to: as one row.
 *
 * Both are linear in j, so that an end of its range is the worst; where groups is the number of all
 * groups there are, j is at least 2 max_groups - groups. width <= 2 most.
 *
 * Claim  sensitivity.bound  no unit that is within the bounds moves a statistic further, under
 *                           either relation, in either norm (A18, A20, A23, A29)
 * Claim  sensitivity.tight  one does move it so far (l2: but for rounding up by 2^-20)
 *
 * Reference  spec/mechanisms.md 3.1, 4.4
 */
#ifndef SC_QUERY_SENSITIVITY_H
#define SC_QUERY_SENSITIVITY_H

#include "query/rows/statistic.h"
#include "scrim/measurement.h"

/* What one unit can reach. */
typedef struct sc_reach {
    scrim_neighbours neighbours;
    uint64_t max_groups, max_rows; /* from 1 to SC_SCHEMA_CONTRIBUTION */
    uint64_t groups; /* all groups that there can be, at least max_groups; 0: not known */
} sc_reach;

/* Of a statistic that is a count, a sum or squares; value is that of the statistics, NULL for a
 * count. l1 is an integer, l2 a multiple of 2^-20. */
void sc_sensitivity_of(const sc_group_statistic *statistic, const sc_group_value *value,
                       const sc_reach *reach, sc_ratio *l1, sc_ratio *l2);

/* How often a number that is drawn for each group by itself, and is private for a unit that is
 * added to one group, is charged: in so many groups one unit is added or removed. */
uint64_t sc_sensitivity_copies(const sc_reach *reach);

#endif
