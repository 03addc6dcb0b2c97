/* How much a pass may take, by what is public: the size that is declared of its source, the form of its rows,
 * and its statements. Nothing here has seen a row, nor the size of a file or of a frame.
 *
 * Claim  pass-size.declared  what a pass takes is the same for all files and frames that a declaration allows (A106)
 * Claim  pass-size.rows      no source of the declared size has more rows that count, nor more with all their fields
 */
#ifndef SC_QUERY_PASS_PASS_SIZE_H
#define SC_QUERY_PASS_PASS_SIZE_H

#include "data/table/table.h"
#include "query/language/unnest.h"
#include "query/rows/group_plan.h"
#include "query/rows/statistic.h"

typedef struct sc_pass_size {
    size_t bytes; /* the source has no more */
    size_t rows;  /* that count, at most */
    size_t
        formed; /* rows that are not all alike, as those without any value are, at most */
    bool is_declared; /* a stream has no size */
} sc_pass_size;

/* The size that is declared of a file or of pushed rows. A row has at least these bytes:
 *
 *     pushed   8 for each declared column and for the unit (schema.h)
 *     SQLite   6: a pointer of 2 and a cell of 4. Columns may need none, as those that were added later do not
 *     CSV      with a column as unit: a separator for each declared column, a byte of the unit, and its end. A record with another
 *              number of fields has no unit, and does not count
 *     CSV      where the row is the unit: one, and its end, if it has another number of fields; all values are then
 *              missing, or defaults. Else its separators and its end
 *
 * The last record of a CSV file may lack its end; the header, which counts as well, is longer than that. */
sc_pass_size sc_pass_size_of(const sc_schema *schema);
/* The size that is assumed for a stream: that of a source of 2^30 bytes. */
sc_pass_size sc_pass_size_stream(const sc_schema *schema);

/* The same where a row becomes several rows; unnest may be NULL. */
sc_pass_size sc_pass_size_expanded(const sc_pass_size *size, const sc_unnest *unnest);

/* How many rows can have a value in each of these columns of the schema: of text a byte each, unless it has a
 * default. */
size_t sc_pass_size_full_rows(const sc_pass_size *size, const sc_schema *schema,
                              const size_t *columns, size_t count);
/* The share of the memory that rows of units may take: more than they take in the source, as a
 * rule. */
size_t sc_pass_size_memory(const sc_pass_size *size, size_t asked);
/* The reserve for a file: all that rows can take, but not very much more than is ever needed for
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
