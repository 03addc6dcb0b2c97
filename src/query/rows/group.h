/* The one pass over a table: rows, bounded by unit, become exact sums by group.
 *
 *     sc_grouping_new(&plan, bits, &grouping, &error);
 *     // every worker of the scan, with the rows it has
 *     sc_grouping_take(grouping, worker, &rows, &error);
 *     sc_grouping_finish(grouping, &groups, &error);
 *     sc_grouping_free(grouping);
 *
 * Workers put rows into parts by the hash of their unit (unit_rows.h); when all rows are there, parts are
 * taken one by one by any worker, units are brought together (unit_table.h), bounded (bound.h) and
 * summed. A worker whose rows take more memory than its share of the plan's makes them fewer, or
 * writes them to a file that nobody else can read (unit_room.h). Nothing depends on the order of
 * rows or on who has had which of them, nor on what went to a file. Where each row is a unit,
 * nothing is to be bounded and rows are summed as they come.
 *
 * Everything here is exact and not private: only what a mechanism makes of it may be shown. Once
 * rows come, only memory can fail, to which the folder for temporary files belongs; and random bits
 * for the key of a file.
 *
 * Claim  group.exact       counts and sums are those of the bounded rows, in integers; within the
 *                          limits of a plan, which are checked before a row is seen, they cannot
 *                          overflow (A14, A16)
 * Claim  group.any-order   they are the same for any order of rows, blocks and workers (A17)
 * Claim  group.one-unit    all rows of one unit together change as many groups as its bounds allow, each
 *                          by at most one unit and its bound of rows, all of them by the total, and rows
 *                          times the largest |x - centre|, a total by what it is clamped to, and leave the rows of
 *                          every other unit alone (A29, A30)
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

/* After the last row, once. What it gives lives as long as grouping. Where keys are more than the plan
 * lets workers hold it gives no groups, and sc_grouping_parts (group_parts.h) says how many parts
 * have them.
 * SCRIM_E_MEMORY, SCRIM_E_ENTROPY. */
SCRIM_MUST_USE scrim_status sc_grouping_finish(sc_grouping *grouping, sc_groups *out,
                                               scrim_error *error);

/* After that, as long as grouping: how many units are in each cell of the plan's cut. As all here, it is exact and not
 * private. */
void sc_grouping_cut(const sc_grouping *grouping, uint64_t out[SC_CUT_CELLS]);

#endif
