/* The one pass over a table: rows, bounded by unit, become exact sums by group.
 *
 *     sc_grouping_new(&plan, bits, &grouping, &error);
 *     // every worker of the scan, with the rows it has
 *     sc_grouping_take(grouping, worker, &rows, &error);
 *     sc_grouping_finish(grouping, &groups, &error);
 *     sc_grouping_free(grouping);
 *
 * Workers partition the rows by the hash of their unit (unit_rows.h). After the last row any worker takes part after
 * part, gathers the rows of each unit (unit_table.h), bounds them (bound.h) and sums them. If the rows of a worker
 * take more than its share of the plan's memory, it drops rows that bounds leave out in any case, and writes others to an encrypted
 * temporary file (unit_room.h). The result depends neither on the order of rows, nor on which worker had them, nor on
 * the file. If each row is a unit, nothing is to be bounded, and rows are summed as they come.
 *
 * Everything here is exact and not private: only a mechanism may make something of it that is shown. Once
 * rows come, nothing that depends on them can fail except for want of memory, of space for temporary files, or of random
 * bits for the key of a file.
 *
 * Claim  group.exact       counts and sums are those of the bounded rows, in integers; within the
 *                          limits of a plan, which are checked before a row is seen, they cannot
 *                          overflow (A14, A16)
 * Claim  group.distinct    with are_distinct the kept values of a group are those of the different rows of each unit, of which
 *                          bounds leave some by the unit's own rows alone; and a unit is cut by its own rows, alike or not
 * Claim  group.any-order   they are the same for any order of rows, blocks and workers (A17)
 * Claim  group.one-unit    all rows of one unit together change at most as many groups as its bounds allow; the count of units
 *                          of each by one, of rows by the bound of rows, of all groups by the total bound; a sum by the
 *                          rows times the largest |x - centre|, a total by the largest value that it is clamped to;
 *                          and no number of any other unit (A29, A30)
 * Claim  group.declared    public keys come out in full and in the order of the plan, whatever
 *                          rows there are (A55); rows with other keys do not count
 */
#ifndef SC_QUERY_GROUP_H
#define SC_QUERY_GROUP_H

#include "query/rows/group_plan.h"
#include "random/bits.h"

/* Draws the keys of bounding. The plan is copied, with its values and keys. SCRIM_E_PARAM for an
 * invalid plan, SCRIM_E_LIMIT, SCRIM_E_ENTROPY, SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_grouping_new(const sc_group_plan *plan, sc_bits *bits,
                                            sc_grouping **out, scrim_error *error);

/* Takes rows, copying what it keeps. Workers go from 0 to plan.workers - 1, and may call at the
 * same time, each for itself. SCRIM_E_MEMORY, SCRIM_E_ENTROPY. */
SCRIM_MUST_USE scrim_status sc_grouping_take(sc_grouping *grouping, unsigned worker,
                                             const sc_group_rows *rows,
                                             scrim_error *error);

/* After the last row, once. The groups live as long as grouping. If there are more keys than the plan lets workers hold in
 * memory, there are no groups here: they come in parts (sc_grouping_parts in group_parts.h).
 * SCRIM_E_MEMORY, SCRIM_E_ENTROPY. */
SCRIM_MUST_USE scrim_status sc_grouping_finish(sc_grouping *grouping, sc_groups *out,
                                               scrim_error *error);

/* After sc_grouping_finish: how many units lost rows to the bounds, by how many rows they lost (cut.h). Exact and not private, as
 * everything here. */
void sc_grouping_cut(const sc_grouping *grouping, uint64_t out[SC_CUT_CELLS]);

#endif
