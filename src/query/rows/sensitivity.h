/* How far one unit moves a statistic of all groups together, in steps of its value.
 *
 * One unit is in at most G of K groups, has at most R rows in each and at most T in all (contribution.h).
 * One row contributes nothing, or a number between low and high. With p = max(high, 0), n = max(-low, 0),
 * m = max(p, n), s = min(p, n), and T = q R + r, 0 <= r < R:
 *
 *     added or removed:   l1 = m T,   l2^2 = m^2 (q R^2 + r^2),   l-infinity = m R
 *
 * Rows in few groups are the worst for l2, since squares grow faster than their numbers. Replaced, a unit has such
 * rows before and after, and both lie on the K groups in some way: a group with x rows before and y after moves by
 * m max(x, y) + s min(x, y), which is all of them times m + s where x = y, as the unit goes from one end to the other. The
 * norms are the largest over all ways to lay them; these differ by how many groups are shared, and by which, and the
 * norms are linear in the number of full groups on full groups, so that few ways are compared.
 *
 * A number of units, or a total by person, is one contribution of a unit to a group: R is 1, and T is G.
 * Totals of one sign that are scaled, so that those of all groups add up to one bound, are at most that far from 0
 * together, and two versions of a unit twice that, in two groups; of both signs only where units come and go, since a unit
 * that is replaced could have its totals on both sides.
 * Rings around quantiles, buckets of a histogram, and rows in which a value is present or missing, are cells: a unit that stays in a group leaves
 * one and enters another. Their norms are those of all cells together.
 *
 * Claim  sensitivity.bound  no unit that is within the bounds moves a statistic further, under
 *                           either relation, in any of the norms (A18, A20, A23, A29)
 * Claim  sensitivity.tight  one does move it so far (l2: but for rounding up by 2^-20)
 *
 * Reference  spec/mechanisms.md 3.1, 4.4; spec/query-semantics.md 2.4
 */
#ifndef SC_QUERY_SENSITIVITY_H
#define SC_QUERY_SENSITIVITY_H

#include "data/value/contribution.h"
#include "query/rows/statistic.h"
#include "scrim/measurement.h"

/* The reach of one unit. */
typedef struct sc_reach {
    scrim_neighbours neighbours;
    sc_bounds bounds; /* whole */
    uint64_t groups;  /* K, all groups that there can be; 0: not known */
} sc_reach;

/* l1 and the largest are integers, l2 is a multiple of 2^-20. */
typedef struct sc_norms {
    sc_ratio l1, l2, largest;
} sc_norms;

void sc_norms_init(sc_norms *norms);
void sc_norms_clear(sc_norms *norms);

/* The norm of a statistic that is a count, a sum or squares; value is that of the statistics, NULL for a
 * count. */
void sc_sensitivity_of(const sc_group_statistic *statistic, const sc_group_value *value,
                       const sc_reach *reach, sc_norms *out);

/* How a number that is drawn separately for each group is charged. Its noise hides a unit that
 * adds `rows` rows to one group, and it is charged as `copies` draws. With T = G R, rows is R
 * and copies is G. Otherwise rows is 1 and copies is T: a group in which a unit has a rows loses
 * at most a times as much as for one row. Under replace there are twice as many copies. */
typedef struct sc_charged_rows {
    uint64_t rows, copies;
} sc_charged_rows;

sc_charged_rows sc_sensitivity_rows(const sc_reach *reach);

#endif
