/* Queries as tests read them: text, tokens and tree with one lifetime. */
#ifndef QUERIES_H
#define QUERIES_H

#include "query/parse.h"

typedef struct query_reading {
    sc_text text;
    sc_arena arena;
    sc_tokens tokens;
    const sc_tree *tree; /* NULL when status is not SCRIM_OK */
    scrim_status status;
    scrim_error error;
    sc_refusal refusal;
} query_reading;

/* Reads text; query_forget frees what it left, whatever the status. */
void query_read(query_reading *reading, sc_text text);
void query_forget(query_reading *reading);

/* The tree's text, in a buffer of SC_QUERY_BYTES. */
const char *query_formatted(const sc_tree *tree, char *text);

#endif
