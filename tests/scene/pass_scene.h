/* Questions to a pass over the rows of a CSV file, as tests ask them. */
#ifndef PASS_SCENE_H
#define PASS_SCENE_H

#include "query/language/tree.h"
#include "query/rows/pass.h"

#include <stdio.h>

enum { PASS_ROWS = 60, PASS_TEXT_BYTES = 6000 };

/* A new file in /tmp, to be written, closed and unlinked by the caller; NULL when it cannot be
 * made. */
FILE *pass_file_new(char path[64]);
/* The columns of queries.h in a CSV file, with defaults for weight and city; freed by
 * sc_schema_free. False when it failed. */
bool pass_schema_open(const char *path, const char *unit, const sc_schema **schema);

/* A statement with its tree, and statistics of all its values: sums of each, and lists of each
 * second one. At most PASS_ROWS groups and rows of a unit are kept. */
typedef struct pass_question {
    char text[PASS_TEXT_BYTES]; /* set by the caller */
    sc_arena arena;             /* cleared by the caller, whatever came of it */
    const sc_tree *tree;
    const sc_query *query;
    sc_statistics statistics;
    const sc_typed *values[8];
    sc_group_value groups[8];
    sc_text keys[PASS_ROWS + 1];
    scrim_error error;
    sc_pass_statement asked;
} pass_question;

/* False when the text is no query. */
bool pass_question_read(pass_question *s, const sc_schema *schema);

/* Opens a pass with random numbers of a seed, and runs it; closed by the caller. */
scrim_status pass_run(const sc_schema *schema, const sc_pass_statement *statements,
                      size_t count, const sc_pass_options *options, uint64_t seed,
                      sc_pass **pass, scrim_error *error);

#endif
