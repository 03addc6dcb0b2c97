/* The rows that a source makes of a table, as text, for tests that compare sources, files and
 * numbers of workers. */
#ifndef TABLE_ROWS_H
#define TABLE_ROWS_H

#include "check.h"
#include "data/table/table.h"
#include "scrim/feed.h"

/* Rows as "unit|value|value", sorted: which batch they came in does not show. */
typedef struct table_rows {
    char **lines;
    size_t count;
    scrim_status status;
    scrim_error error;
} table_rows;

/* Reads all declared columns by `workers` workers. The policy names the source. */
void table_rows_read(table_rows *rows, const char *policy, unsigned workers);
/* The same for bytes in a file of their own; the policy lacks the line csv=. */
void table_rows_of_csv(table_rows *rows, const char *policy, const char *bytes,
                       size_t count, unsigned workers);
/* The same for bytes that come through standard input, by a pipe. */
void table_rows_of_stream(table_rows *rows, const char *policy, const char *bytes,
                          size_t count, unsigned workers);
/* The same for a batch of Arrow's; the policy lacks the line live=. */
void table_rows_of_batch(table_rows *rows, const char *policy,
                         const struct ArrowSchema *schema, const struct ArrowArray *batch,
                         unsigned workers);
void table_rows_clear(table_rows *rows);

/* All lines with ';' behind each. */
void table_rows_join(const table_rows *rows, char *text, size_t capacity);
bool table_rows_equal(const table_rows *a, const table_rows *b);

#endif
