/* Where and why a query is refused: a line for people, and the place in the query's text that it
 * speaks of, so that a caret can be put there.
 *
 * Claim  refusal.caret  whatever the text and the place, the two lines that show them have no
 *                       character that steers a terminal, and the carets stand under the place
 */
#ifndef SC_QUERY_REFUSAL_H
#define SC_QUERY_REFUSAL_H

#include "base/status.h"
#include "base/text.h"

/* A part of a query's text. */
typedef struct sc_span {
    size_t offset, bytes;
} sc_span;

/* From the first byte of one part to the last of another that does not begin before it. */
sc_span sc_span_join(sc_span first, sc_span last);

/* Filled by a reader of queries when it refuses; the caller owns both. */
typedef struct sc_refusal {
    sc_span place;
    scrim_error *error; /* may be NULL */
} sc_refusal;

/* Sets the place, fills the error and returns status, as sc_fail does. What is wrong with the text
 * itself, SCRIM_E_PARAM and SCRIM_E_SYNTAX, has the reason SCRIM_REASON_SYNTAX and is about the
 * parameter "query". */
__attribute__((format(printf, 4, 5))) scrim_status sc_refuse(sc_refusal *refusal,
                                                             sc_span place,
                                                             scrim_status status,
                                                             const char *format, ...);
/* The same with a reason and the parameter it speaks of, as sc_fail_for. */
__attribute__((format(printf, 6, 7))) scrim_status
sc_refuse_for(sc_refusal *refusal, sc_span place, scrim_status status,
              scrim_reason reason, const char *parameter, const char *format, ...);
/* For want of memory. */
scrim_status sc_refuse_memory(sc_refusal *refusal);

/* As in base/status.h. */
#ifdef __clang_analyzer__
#define sc_refuse_memory(refusal) ((void)(sc_refuse_memory)(refusal), SCRIM_E_MEMORY)
#endif

/* The line of text in which the place begins, or the part of it around the place, and under it
 * carets: "SELECT sx\n       ^^". At most SC_CARET_COLUMNS characters wide. Writes at most
 * capacity bytes with the terminator and returns the length it needs without it, as snprintf
 * does. SC_CARET_BYTES is always enough. */
#define SC_CARET_COLUMNS 76
#define SC_CARET_BYTES (5 * SC_CARET_COLUMNS + 2)
size_t sc_refusal_caret(sc_text text, sc_span place, char *out, size_t capacity);

#endif
