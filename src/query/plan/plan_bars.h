/* The histograms of a plan: how wide their buckets are, and what error their aggregates are to be
 * expected to have.
 *
 * A number is drawn for every bucket of every group, empty or not, so that neither time nor memory
 * depends on rows: buckets are bounded, all groups together where these are public.
 *
 * Claim  plan-bars.counted  rows that are counted by bucket give the same histograms as lists of
 *                           their values
 * Claim  plan-bars.caution  a caution depends on nothing but the plan, and stands where bar-width.shown
 *                           says so
 * Claim  plan-bars.bounded  no histogram has more than 2^22 buckets of all public groups, 2^20 of one
 *                           of them, or 2^16 of a group that is discovered
 */
#ifndef SC_QUERY_PLAN_BARS_H
#define SC_QUERY_PLAN_BARS_H

#include "query/estimate/bar_answer.h"
#include "query/plan/plan_model.h"

/* The width that was asked for, or the one of bar_answer.h for groups of so many rows.
 * SCRIM_E_LIMIT when what was asked for makes too many buckets, or every width does. */
SCRIM_MUST_USE scrim_status sc_plan_bars_width(const sc_planned_statement *statement,
                                               size_t statistic,
                                               const scrim_measurement *measurement,
                                               const sc_ratio *rows, int64_t *out,
                                               scrim_error *error);

/* By value of the statement: the width of buckets whose rows are counted as they come, so that no
 * value needs to be kept; 0 where it is ranked too, groups are discovered or buckets are many. The
 * buckets of all histograms of the value are unions of them. In the arena; NULL without memory. */
const int64_t *sc_plan_bars_counted(const sc_planned_statement *statement,
                                    sc_arena *arena);
/* Adds the counts of buckets to buckets of another width, a multiple of the first. */
void sc_plan_bars_gather(const sc_bar_grid *from, const sc_uint128 *counts,
                         const sc_bar_grid *to, int64_t *cells);

/* In the unit of the column: how far the value is from that of all rows, in a group of so many that
 * are spread evenly; half of the interval of a histogram's counts. 0 where
 * nothing is predicted. */
void sc_plan_bars_predict(const sc_query_aggregate *aggregate, const sc_bar_grid *grid,
                          const scrim_measurement *measurement, const sc_ratio *rows,
                          sc_ratio *out);
/* Where of such rows most likely no bucket is shown: that, and what to do, as a sentence without an
 * end in the arena; else "". NULL without memory. */
const char *sc_plan_bars_caution(const sc_query_aggregate *aggregate,
                                 const sc_bar_grid *grid,
                                 const scrim_measurement *measurement,
                                 const sc_ratio *rows, sc_arena *arena);

#endif
