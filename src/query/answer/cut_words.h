/* The words of an answer about the people whose rows contribution bounds left out: from its record and the confidence alone.
 *
 * The sentence stands behind the one on bounds: "about 0.80 % of customers [0.60, 1.00] had rows left out, at least 5900
 * rows (12.31 %)"; of units, where the name of their column is not one of a few that name people. Where the upper end
 * of either share is above 2 % there is a caution too. Larger bounds are advised only if the lower end is above 0: else
 * the sentence, and the caution, is "this answer cannot tell whether rows were left out (of at most 23.61 % of
 * customers)". An interval of half of all people tells nothing, and the sentence says why: "too few customers, or too
 * low an epsilon, to tell how many had rows left out".
 */
#ifndef SC_QUERY_CUT_WORDS_H
#define SC_QUERY_CUT_WORDS_H

#include "query/answer/record.h"

/* A statement of a record, and the confidence of the statement about people who were cut. */
typedef struct sc_cut_request {
    const sc_record *record;
    const sc_record_statement *statement;
    const sc_query *query;
    const sc_statistics *statistics;
    const sc_ratio *confidence;
} sc_cut_request;

/* The words of scrim_result_cut in the arena; is_there is false where nobody was counted. False without memory. A record whose
 * noise cannot be read says nothing. One from before, whose question found its bounds, has words alone. */
bool sc_cut_words(const sc_cut_request *request, sc_arena *arena, scrim_result_cut *out,
                  bool *is_there);
#endif
