/* The codes of a column: from a value of the pass to a small integer, by public rules alone.
 *
 * A column of numbers is cut into bins of one width from a first value on; what lies outside is in the first or the
 * last bin. A column of texts has a public list, and one code for all other texts. NULL may have a code of its
 * own. A value without a code leaves the row out: a map of this row alone.
 *
 *     codes   bins or texts, then `other`, then NULL
 *
 * Claim  code-book.total  every value has exactly one code, or none by the declaration
 * Claim  code-book.rows   the records are the rows that the pass has kept, each as often as it was kept
 */
#ifndef SC_SYNTH_CODE_BOOK_H
#define SC_SYNTH_CODE_BOOK_H

#include "query/pass/key_tuple.h"
#include "query/pass/pass.h"
#include "synth/table/records.h"

typedef struct sc_code_column {
    bool is_text;
    int64_t first, width; /* of numbers, in steps of the column; width >= 1 */
    uint32_t bins;        /* at least 1 */
    const sc_text *texts; /* in bytewise order, distinct */
    uint32_t text_count;
    bool has_other, has_null;
} sc_code_column;

#define SC_CODE_NONE UINT32_MAX

/* How many codes it has. */
uint32_t sc_code_column_size(const sc_code_column *column);
/* The code of a value, or SC_CODE_NONE. */
uint32_t sc_code_column_find(const sc_code_column *column, const sc_key_part *part);
/* The sizes of all of them. SCRIM_E_PARAM for columns that are none. */
SCRIM_MUST_USE scrim_status sc_code_columns_sizes(const sc_code_column *columns,
                                                  size_t count, sc_synth_columns *out,
                                                  scrim_error *error);

/* Adds the groups of a statement of a pass that has run, whose keys are these columns in their order. records has
 * room for all of them. SCRIM_E_MEMORY, SCRIM_E_ENTROPY. */
SCRIM_MUST_USE scrim_status sc_records_load(sc_records *records,
                                            const sc_code_column *columns, sc_pass *pass,
                                            size_t statement, scrim_error *error);

#endif
