/* The private records of a synthesiser: distinct rows of small codes, and how often each occurs.
 *
 * Column by column, in one, two or four bytes a code by the size of the column. Counting goes block by block
 * of rows, so that a block stays in the cache while many marginals are counted.
 *
 * Room is had for a public number of rows when the records are made; rows are then added without an
 * allocation. Recoding and impossible cells are maps of one row alone, so that the rows of one unit stay as
 * many as they were (spec/synthetic.md 1.1).
 *
 * Claim  records.exact  the counts of a marginal are those of the rows, as integers, in the order of cells of
 *                       clique.h
 * Claim  records.total  they add up to the number of rows, for every marginal and whatever the codes were
 * Claim  records.wiped  freeing wipes every code and every count
 */
#ifndef SC_SYNTH_RECORDS_H
#define SC_SYNTH_RECORDS_H

#include "base/cancel.h"
#include "base/checked.h"
#include "synth/model/clique.h"
#include "synth/model/one_way_counts.h"

typedef struct sc_records sc_records;

/* For at most capacity distinct rows, a public number. SCRIM_E_PARAM, SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_records_new(const sc_synth_columns *columns,
                                           size_t capacity, sc_records **out,
                                           scrim_error *error);
/* The bytes that they take, by the same numbers. False: more than memory can be. */
bool sc_records_bytes(const sc_synth_columns *columns, size_t capacity, size_t *bytes);
void sc_records_free(sc_records *records); /* NULL is allowed */
const sc_synth_columns *sc_records_columns(const sc_records *records);

/* Before the first row: columns of fewer values than it was made for. SCRIM_E_INTERNAL for others. */
SCRIM_MUST_USE scrim_status sc_records_narrow(sc_records *records,
                                              const sc_synth_columns *columns,
                                              scrim_error *error);

/* Adds a row that occurs count times; a code beyond its column is the last one. The same codes may be added
 * again. SCRIM_E_INTERNAL beyond the capacity. */
SCRIM_MUST_USE scrim_status sc_records_add(sc_records *records, const uint32_t *codes,
                                           uint64_t count, scrim_error *error);
/* How many rows there are, with their counts. Private. */
int64_t sc_records_total(const sc_records *records);

/* The codes of every column by a map that was made from releases. */
void sc_records_recode(sc_records *records, const sc_recoding *recoding);
/* Rows in an impossible cell of the clique get the codes of other in its columns, other[column]. */
void sc_records_move_impossible(sc_records *records, sc_clique clique,
                                const bool *is_impossible, const uint32_t *other);

/* Counts and sums from here on end when the caller wants it, and are not whole then: call sc_cancel_check
 * before they are released. cancel lives as long as the records. */
void sc_records_watch(sc_records *records, sc_cancel *cancel);
/* The counts of each clique, into out[i], which has its cells. */
void sc_records_count(const sc_records *records, const sc_clique *cliques, size_t count,
                      int64_t *const *out);
/* The sum of the query's numerators over the rows. */
sc_int128 sc_records_query(const sc_records *records, const sc_linear_query *query);

#endif
