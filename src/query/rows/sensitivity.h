/* Sensitivity: how far one unit can move a statistic, taken over all groups together, in steps of its value.
 *
 * One unit is in at most G of K groups, has at most R rows in each and at most T in all (contribution.h).
 * One row contributes nothing, or a number between low and high. With p = max(high, 0), n = max(-low, 0),
 * m = max(p, n), s = min(p, n), and T = q R + r, 0 <= r < R:
 *
 *     added or removed:   l1 = m T,   l2^2 = m^2 (q R^2 + r^2),   l-infinity = m R
 *
 * For l2 the worst case is a unit with its rows in as few groups as possible, since squares grow faster than counts. A unit
 * that is replaced has such rows before and after. A group with x rows before and y after moves by at most
 * m max(x, y) + s min(x, y): shared rows move from one end of the range to the other. The norms are the maximum over
 * all placements of the two versions on the K groups. Placements differ in how many groups the versions share, and the norms
 * are linear in the number of shared full groups, so only the extreme placements are compared.
 *
 * A count of different values moves like one of rows: a unit that comes or goes changes it in each group by at most its rows
 * there, and one that is replaced by the larger of both numbers of rows, since what it adds makes up for what it takes.
 *
 * A count of units, or a total by person, is one contribution of a unit to a group: R is 1, and T is G.
 * Totals may be scaled so that those of a unit in all groups add up to at most one bound. Then they move together by that bound,
 * and by twice the bound, in two groups, if a unit is replaced. Under replace such totals have one sign, since otherwise
 * the two versions could lie on both sides of 0.
 * Rings around quantiles, buckets of a histogram, and rows in which a value is present or missing, are cells: a unit that
 * stays in a group leaves one cell and enters another. Their norms are those of all cells together.
 *
 * Claim  sensitivity.bound  no unit that is within the bounds moves a statistic further, under
 *                           either relation, in any of the norms (A18, A20, A23, A29)
 * Claim  sensitivity.tight  some unit moves it exactly so far (l2: apart from rounding up by 2^-20)
 *
 * Reference  spec/mechanisms.md 3.1, 4.4; spec/query-semantics.md 2.4
 */
#ifndef SC_QUERY_SENSITIVITY_H
#define SC_QUERY_SENSITIVITY_H

#include "data/value/contribution.h"
#include "query/rows/statistic.h"
#include "scrim/measurement.h"

/* The limits of one unit: the relation of neighbours, its contribution bounds, and the number of groups. */
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

/* The norms of a statistic that is a count, a sum or a sum of squares; value: what is summed, NULL for a count. */
void sc_sensitivity_of(const sc_group_statistic *statistic, const sc_group_value *value,
                       const sc_reach *reach, sc_norms *out);

/* How a number that is drawn separately for each group is charged. Its noise hides a unit that
 * adds `rows` rows to one group, and it is charged as `copies` draws. With T = G R, rows is R
 * and copies is G. Otherwise rows is T and copies is 1: a unit with a_g rows in group g moves the loss there by a range of at
 * most a_g / T of that of the draw, and the a_g add up to at most T, also where all rows are in one group. (T draws of one row
 * each would be the same epsilon, but T times too little rho.) Under replace there are twice as many copies. */
typedef struct sc_charged_rows {
    uint64_t rows, copies;
} sc_charged_rows;

sc_charged_rows sc_sensitivity_rows(const sc_reach *reach);

#endif
