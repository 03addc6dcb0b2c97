/* Counting queries as text: how many rows have these values of some columns.
 *
 *     sex=Female, age=20..39, education_num=13|14
 *
 * Terms are separated by commas, and all of them hold. A term has one value of a column, several with | between them, or a
 * range of numbers, dates or times with both of its ends; an end that is left out is that of the column. NULL is a value.
 * Names and values with one of , | = " stand in double quotes, with "" for a quote.
 *
 * A query is a set of categories for each column that it names, so that one row adds 0 or 1. Whether it can be answered
 * follows from the declared bins alone: what has a part of a bin is refused, and so are columns whose keys are still to be
 * selected. Values outside of the bins are in the first or the last one, as everywhere.
 *
 * Claim  counting-query.whole  a row adds 1 exactly if the category of each named column is one of those that are asked for
 * Claim  counting-query.back   a query has one text, however it was written, which reads back as the same query
 */
#ifndef SC_SYNTH_COUNTING_QUERY_H
#define SC_SYNTH_COUNTING_QUERY_H

#include "synth/release/synth_domain.h"

/* Limits of a list of queries: their number, the bytes of their texts together, the cells of
 * their tables together. */
#define SC_SYNTH_QUERIES 4096
#define SC_SYNTH_QUERY_BYTES ((size_t)1 << 18)
#define SC_SYNTH_QUERY_CELLS ((uint64_t)1 << 24)

/* Reads lines, of which blank ones and those that begin with # say nothing, into the queries of the domain, by their
 * texts and each once; all in the arena. SCRIM_E_PARAM for queries with the number of the line, SCRIM_E_LIMIT,
 * SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_counting_queries_read(sc_synth_domain *domain,
                                                     const sc_text *lines, size_t count,
                                                     sc_arena *arena, scrim_error *error);

#endif
