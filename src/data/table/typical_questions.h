/* Typical questions of a dataset, for the owner's table: one total of rows of a unit (max-total-rows) that serves
 * all of them. Exact numbers of raw rows, for nobody else.
 *
 * A total of T keeps min(T, n)/n of a unit's n rows, whatever their groups are, so that the table without keys tells
 * what it keeps of every question. A group of mean size then misses the same part, and its noise does not depend on the
 * number of groups, but its part of the group does. Sums stand alone, and their totals are clamped.
 *
 * The total that is proposed makes the largest regret smallest: how many times a question's error is the one that its own best
 * total has. So no question pays much for the others, however many of them are alike. An error above all of the number counts
 * as all of it: what no total can answer has no say. Of equals, the smallest product of the errors.
 *
 * Claim  typical-questions.total  the error of a question with a total is that of bounding by it and of noise for
 *                                 that many rows of a unit
 * Claim  typical-questions.regret  no other total of the table has a smaller largest regret
 * Reference  spec/query-semantics.md 2.4, 5
 */
#ifndef SC_DATA_TYPICAL_QUESTIONS_H
#define SC_DATA_TYPICAL_QUESTIONS_H

#include "data/value/schema.h"
#include "scrim/inspection.h"

/* Keys of typical questions. */
typedef struct sc_typical_keys {
    char text[SCRIM_COLUMN_BYTES + 32]; /* "": none */
    uint64_t groups;
} sc_typical_keys;

/* Fills typical, typical_count and proposed_total of a table without keys and with an epsilon. SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_typical_questions(const sc_schema *schema,
                                                 const sc_typical_keys *keys,
                                                 size_t key_count,
                                                 scrim_bound_choices *table,
                                                 scrim_error *error);

#endif
