/* How much a pass may take, by what is public: the size that is declared of its source, how many columns it
 * reads, and its statements. Nothing here has seen a row, nor the size of a file.
 *
 * Claim  pass-size.declared  what a pass takes is the same for all files that a declaration allows (A106)
 */
#ifndef SC_QUERY_PASS_PASS_SIZE_H
#define SC_QUERY_PASS_PASS_SIZE_H

#include "data/table/table.h"
#include "query/language/unnest.h"
#include "query/rows/group_plan.h"
#include "query/rows/statistic.h"

typedef struct sc_pass_size {
    size_t bytes; /* the source has no more */
    bool is_file; /* a stream has no size */
    size_t column_count;
} sc_pass_size;

/* The size of a file, by its declaration alone. */
sc_pass_size sc_pass_size_of(const sc_schema *schema, size_t column_count);
/* The size that is assumed for a stream. */
sc_pass_size sc_pass_size_stream(size_t column_count);
/* The size of rows in memory, or of a file, that no declaration bounds: the size in the schema or, if there are more bytes, the next
 * power of two. */
sc_pass_size sc_pass_size_at_least(const sc_schema *schema, uint64_t bytes,
                                   size_t column_count);

/* The same where a row becomes several rows; unnest may be NULL. */
sc_pass_size sc_pass_size_expanded(const sc_pass_size *size, const sc_unnest *unnest);

/* How many rows the source has at most: each has a byte behind each of its columns, and one of its
 * unit. */
size_t sc_pass_size_rows(const sc_pass_size *size);
/* What of the memory that is asked for rows of units may take: more than they take in the source, as a
 * rule. */
size_t sc_pass_size_memory(const sc_pass_size *size, size_t asked);
/* What is reserved of a file: all that rows can take, but not very much more than is ever needed for
 * rows of a usual length. */
uint64_t sc_pass_size_file(const sc_pass_size *size);
/* Lists of a statement, of values that are not counted by bucket (bar_widths may be NULL): of each
 * row three times what is noted of it, as notes grow to twice what they were, or twice and the lists
 * themselves. No more than rows of 8 bytes take, where that is much. */
size_t sc_pass_size_lists(const sc_pass_size *size, const sc_statistics *statistics,
                          const int64_t *bar_widths);
/* How many keys a worker holds, by the bytes that its keys may take and what is summed of a key. Sets
 * held_keys and held_bytes of the plan. */
void sc_pass_size_keys(const sc_pass_size *size, size_t key_bytes, sc_group_plan *plan);

#endif
