/* Queries as tests read them: text, tokens and tree with one lifetime. */
#ifndef QUERIES_H
#define QUERIES_H

#include "query/language/parse.h"
#include "query/language/validate.h"

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

/* The same words in the same places; the case of functions and spaces aside. */
bool query_tree_equal(const sc_tree *a, const sc_tree *b);
/* Text that parses to an equal tree, as sc_node_format writes its nodes. */
size_t query_tree_format(const sc_tree *tree, char *text, size_t capacity);

/* A column of each type, as a policy has them. */
#define QUERY_COLUMNS                                                                    \
    "column=age=int[0,120]\n"                                                            \
    "column=income=decimal[-1000,100000]\n"                                              \
    "column=weight=decimal[0,200]/2^-3\n"                                                \
    "column=day=date[2020-01-01,2020-12-31]\n"                                           \
    "column=born=date[1900-01-01,2025-12-31]\n"                                          \
    "column=married=bool\n"                                                              \
    "column=sex=text\n"                                                                  \
    "keys=sex=Female,Male\n"                                                             \
    "column=city=text\n"                                                                 \
    "column=home town=text\n"                                                            \
    "column=big=int[-4611686018427387904,4611686018427387904]\n"                         \
    "column=small=decimal[0,1]/1e-9\n"                                                   \
    "column=seen=timestamp[2020-01-01,2021-01-01]\n"                                     \
    "zone=Europe/Berlin 2019-12-30/2021-01-03 +01:00 2020-03-29T01:00:00Z+02:00 "        \
    "2020-10-25T01:00:00Z+01:00\n"

/* Those columns, of the unit person_id; with defaults, so that none may be NULL, or without. Freed by
 * sc_schema_free. */
const sc_schema *query_schema(void);
const sc_schema *query_schema_present(void);

/* A query held against that schema, as a question to adult. query is NULL when status is not
 * SCRIM_OK; query_forget_asked frees what it left. */
typedef struct query_asked {
    sc_text text;
    sc_arena arena;
    const sc_schema *schema;
    const sc_query *query;
    scrim_status status;
    scrim_error error;
    sc_refusal refusal;
} query_asked;

void query_ask(query_asked *asked, const char *text);
/* True when it is a question; else the test fails. */
bool query_ask_well(query_asked *asked, const char *text);
/* Asks about the columns that are never NULL. */
void query_ask_present(query_asked *asked, const char *text);
void query_ask_text(query_asked *asked, sc_text text);
void query_forget_asked(query_asked *asked);

/* The tree's text, in a buffer of SC_QUERY_BYTES. */
const char *query_formatted(const sc_tree *tree, char *text);

/* The bounds that a policy lacks where it may, as lines: 1. A test that is not about them leaves them
 * out. */
const char *query_bounds(const char *policy);

#endif
