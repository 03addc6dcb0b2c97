/* The measurement of a question, in one spelling: two questions are the same when these texts are equal
 * (spec/query-semantics.md 2.6).
 *
 * It has the rows that count, the keys, whatever selects keys, the contribution bounds, the numbers that are drawn with
 * their ranges, and the cost. It lacks the names and the order of columns, ORDER BY, LIMIT, HAVING, arithmetic on
 * aggregates and the confidence: these are computed from released numbers. It also lacks the expected rows, which only
 * steer the split of the cost; but it has whether buckets of histograms have noise (plan_bars.h).
 *
 * Statistics are in the order of their texts, and so are keys and the statements of a batch. WHERE is its set of rows
 * where that can be found by cells (condition_facts.h), else the expression as it is written.
 *
 * The words and their order are kept in ledgers by their digest: a change makes scrim forget that a question was asked in
 * another form.
 *
 * Claim  measured.sound  questions with equal texts draw the same numbers: each can be answered from the record of the other
 * Claim  measured.views  names and order of columns, ORDER BY, LIMIT, HAVING, arithmetic on aggregates, the order of a batch and
 *                        the confidence leave the text as it is
 */
#ifndef SC_QUERY_MEASURED_H
#define SC_QUERY_MEASURED_H

#include "query/plan/plan_model.h"

/* The texts of one statement; all live in the arena. */
typedef struct sc_measured {
    sc_text rows;              /* FROM and WHERE */
    const sc_text *keys;       /* in the order of the query's */
    const sc_text *statistics; /* in the order of the statistics */
    sc_text whole; /* all of it, with keys and statistics in the order of their texts */
} sc_measured;

/* False without memory. */
bool sc_measured_of(const sc_query *query, const sc_statistics *statistics,
                    sc_arena *arena, sc_measured *out);
/* The whole plan. Empty: answers of this plan have no views. SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_measured_plan(scrim_plan *plan, sc_text *out,
                                             scrim_error *error);

#endif
