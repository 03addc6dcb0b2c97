/* The histograms of a plan: the width of their buckets, and the predicted error of their aggregates.
 *
 * A number is drawn for every bucket of every group, empty or not, so that neither time nor memory
 * depends on rows: buckets are bounded, all groups together where these are public.
 *
 * A histogram either only ever loses elements (stlap), which takes a delta, or each bucket has Laplace noise: buckets are
 * public, and one unit moves all of them together by as many elements as it has rows (sensitivity.h). Without a delta it
 * has noise. With one it has noise where the errors that are predicted are smaller with it (sc_bars_choose, plan_choice.h), or
 * where Laplace noise is asked for; never with private keys, which take a delta anyway, nor where arithmetic takes
 * the interval of an aggregate for certain.
 *
 * Claim  plan-bars.counted  rows that are counted by bucket give the same histograms as lists of
 *                           their values
 * Claim  plan-bars.caution  a caution depends on nothing but the plan, and stands where bar-width.shown
 *                           says so
 * Claim  plan-bars.bounded  no histogram has more than 2^22 buckets of all public groups, 2^20 of one
 *                           of them, or 2^16 of a group that is discovered; with noise, all of which is
 *                           recorded, 2^16 of all groups
 */
#ifndef SC_QUERY_PLAN_BARS_H
#define SC_QUERY_PLAN_BARS_H

#include "query/estimate/bar_answer.h"
#include "query/plan/plan_model.h"

/* Has each bucket of the statement's histograms noise, so that they need no delta? */
bool sc_plan_bars_are_noisy(const scrim_plan *plan,
                            const sc_planned_statement *statement);

/* Which of the two ways, as a word of what is measured (measured.h): the numbers of one do not answer a question that needs the
 * other. "" where bounds, keys and options say it already, as before there was a choice. */
const char *sc_plan_bars_word(const scrim_plan *plan,
                              const sc_planned_statement *statement);

/* The width that was asked for, or the one that bar_answer.h chooses for groups of `rows` rows.
 * SCRIM_E_LIMIT if that width, or every width, makes too many buckets. */
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

/* The rows that a group is taken to have, and the confidence of its intervals. */
typedef struct sc_bar_expected {
    const sc_ratio *rows, *confidence;
} sc_bar_expected;

/* The predicted error in the unit of the column, in a group of `rows` rows that are spread evenly; for the
 * counts of a histogram, half of their interval. 0 if nothing is predicted. */
void sc_plan_bars_predict(const sc_query_aggregate *aggregate, const sc_bar_grid *grid,
                          const scrim_measurement *measurement,
                          const sc_bar_expected *expected, sc_ratio *out);
/* A warning that such a group probably shows no bucket, with advice: a sentence without an end, in the arena;
 * else "". NULL without memory. */
const char *sc_plan_bars_caution(const sc_query_aggregate *aggregate,
                                 const sc_bar_grid *grid,
                                 const scrim_measurement *measurement,
                                 const sc_bar_expected *expected, sc_arena *arena);

#endif
