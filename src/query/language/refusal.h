/* Where and why a query is refused: a line for people, the place in the query's text that it is about,
 * and the list of SQL constructs that are refused by name.
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

static inline sc_span sc_span_at(size_t offset, size_t bytes)
{
    return (sc_span){offset, bytes};
}
/* From the first byte of one part to the last of another that does not begin before it. */
sc_span sc_span_join(sc_span first, sc_span last);

/* Filled by a reader of queries when it refuses; the caller owns both. */
typedef struct sc_refusal {
    sc_span place;
    scrim_error *error; /* may be NULL */
} sc_refusal;

/* Sets the place, fills the error and returns status, as sc_fail does. Faults of the text
 * itself, SCRIM_E_PARAM and SCRIM_E_SYNTAX, have the reason SCRIM_REASON_SYNTAX and the parameter
 * "query". */
__attribute__((format(printf, 4, 5))) scrim_status sc_refuse(sc_refusal *refusal,
                                                             sc_span place,
                                                             scrim_status status,
                                                             const char *format, ...);
/* The same with a reason and the parameter it speaks of, as sc_fail_for. */
__attribute__((format(printf, 6, 7))) scrim_status
sc_refuse_for(sc_refusal *refusal, sc_span place, scrim_status status,
              scrim_reason reason, const char *parameter, const char *format, ...);
/* Refuses with SCRIM_E_MEMORY. */
scrim_status sc_refuse_memory(sc_refusal *refusal);

/* As in base/status.h. */
#ifdef __clang_analyzer__
#define sc_refuse(refusal, place, status, ...)                                           \
    ((void)(sc_refuse)((refusal), (place), (status), __VA_ARGS__), (status))
#define sc_refuse_for(refusal, place, status, ...)                                       \
    ((void)(sc_refuse_for)((refusal), (place), (status), __VA_ARGS__), (status))
#define sc_refuse_memory(refusal) ((void)(sc_refuse_memory)(refusal), SCRIM_E_MEMORY)
#endif

/* The line of text in which the place begins, or the part of it around the place, and under it
 * carets: "SELECT sx\n       ^^". At most SC_CARET_COLUMNS characters wide. Writes at most
 * capacity bytes with the terminator and returns the length it needs without it, as snprintf
 * does. SC_CARET_BYTES is always enough. */
#define SC_CARET_COLUMNS 76
#define SC_CARET_BYTES (5 * SC_CARET_COLUMNS + 2)
size_t sc_refusal_caret(sc_text text, sc_span place, char *out, size_t capacity);

/* Words in any case of their letters. */
static inline char sc_capital(char c)
{
    return (char)(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
}
/* Is word equal to capitals, ignoring case? */
bool sc_word_is(sc_text word, const char *capitals);
/* The word in capital letters, cut to fit, for lookups in tables of words. Returns a view of out. */
#define SC_WORD_BYTES 64
sc_text sc_word_capitals(sc_text word, char out[SC_WORD_BYTES]);

/* SQL constructs that scrim refuses by name, each with the nearest form that it accepts. The list only
 * improves the message: a construct on no list is refused too. */
typedef struct sc_forbidden {
    const char *word;   /* in capitals, or a sign: the parameter of the error */
    const char *reason; /* why it is refused, and what to write instead */
} sc_forbidden;

/* In alphabetical order; the last has no word. */
extern const sc_forbidden sc_forbidden_words[], sc_forbidden_functions[];

/* The entry of a word, in any case; NULL when it is not on the list. */
const sc_forbidden *sc_forbidden_word(sc_text word);
/* The same for the name of a function. */
const sc_forbidden *sc_forbidden_function(sc_text name);
/* Is it a function that does not read the row? SQL calls some of them without parentheses: CURRENT_DATE. */
bool sc_forbidden_is_value(sc_text name);

/* Refuses with SCRIM_E_POLICY; the line begins with what was typed, unless that is empty. */
scrim_status sc_refuse_forbidden(sc_refusal *refusal, sc_span place, sc_text typed,
                                 const sc_forbidden *found);
/* The same for a word of the list; SCRIM_E_INTERNAL when it is not on it. */
scrim_status sc_refuse_form(sc_refusal *refusal, sc_span place, const char *typed,
                            const char *word);
#ifdef __clang_analyzer__
#define sc_refuse_forbidden(refusal, place, typed, found)                                \
    ((void)(sc_refuse_forbidden)((refusal), (place), (typed), (found)), SCRIM_E_PARAM)
#define sc_refuse_form(refusal, place, typed, word)                                      \
    ((void)(sc_refuse_form)((refusal), (place), (typed), (word)), SCRIM_E_PARAM)
#endif

#endif
