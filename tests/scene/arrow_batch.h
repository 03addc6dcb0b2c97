/* Batches of Arrow's C data interface made of texts, for tests: each value is the one that the text of a
 * CSV cell says. Every buffer has exactly the bytes that it needs, so that a sanitizer sees who reads on. */
#ifndef ARROW_BATCH_H
#define ARROW_BATCH_H

#include "base/checked.h"
#include "scrim/feed.h"

#include <stdbool.h>

/* A column of texts; NULL: missing. */
typedef struct arrow_cells {
    const char *name;
    const char *format;       /* of its values */
    const char *index;        /* of a dictionary; NULL: none */
    const char *const *texts; /* one a row */
} arrow_cells;

typedef struct arrow_batch {
    struct ArrowSchema schema;
    struct ArrowArray array;
} arrow_batch;

/* Rows from..from+count-1 of the columns, with `before` rows that nobody asked for in front of them in
 * every buffer, and in the batch as a whole. False, with a failed check, without memory. */
bool arrow_batch_make(arrow_batch *batch, const arrow_cells *columns, size_t column_count,
                      size_t from, size_t count, size_t before);
void arrow_batch_clear(arrow_batch *batch);

#endif
