/* Errors of the command line: one line on standard error that says what to do next. */
#ifndef SC_CLI_COMPLAINT_H
#define SC_CLI_COMPLAINT_H

#include "scrim.h"

#include <stdbool.h>
#include <stddef.h>

/* Fills error, where there is one, and returns status. */
__attribute__((format(printf, 3, 4))) scrim_status
sc_complaint_fill(scrim_error *error, scrim_status status, const char *format, ...);
#ifdef __clang_analyzer__ /* as in base/status.h: the status comes back */
#define sc_complaint_fill(error, status, ...)                                            \
    ((void)(sc_complaint_fill)((error), (status), __VA_ARGS__), (status))
#endif
/* The same for a wrong option or word, and for a request that does not fit. */
#define sc_refuse(error, ...) sc_complaint_fill((error), SCRIM_E_PARAM, __VA_ARGS__)
/* "out of memory for WHAT". */
#define sc_out_of_memory(error, what)                                                    \
    sc_complaint_fill((error), SCRIM_E_MEMORY, "out of memory for %s", (what))

/* Returns the status of a call that failed, and else goes on, as base/status.h has it. Memory that the function took
 * has an owner (owner.h), for no line below is reached; tools/check_owned looks. */
#define SC_TRY(call)                                                                     \
    do {                                                                                 \
        const scrim_status sc_tried = (call);                                            \
        if (sc_tried != SCRIM_OK)                                                        \
            return sc_tried;                                                             \
    } while (0)

/* Advice for the errno of a file that could not be opened, "; create the folder first", or "".
 * is_made: the file was to be made or written. */
const char *sc_complaint_remedy(int number, bool is_made);
/* Adds to the message: all of it, or nothing where there is no room or no error. */
__attribute__((format(printf, 2, 3))) void sc_complaint_append(scrim_error *error,
                                                               const char *format, ...);

/* Whatever could break the line, steer a terminal or turn the order of what it shows
 * (control characters, U+2028 to U+202E, U+2066 to U+2069), and bytes that are not UTF-8,
 * become '?', a byte each. */
void sc_complaint_clean(char *text);

/* "scrim VERB: message" and the advice behind it on standard error, cleaned, or "scrim: message"
 * when verb is NULL. */
void sc_complaint_print(const char *verb, const scrim_error *error, const char *advice);

/* The name nearest to a misspelt one; NULL when none is near enough to be what was meant:
 * at a distance of at most 2 and below the length of the word, where a letter inserted,
 * left out, replaced or swapped with its neighbour is 1, and dashes in front do not count.
 * Names are asked for by index until name_at answers NULL. */
const char *sc_nearest_name(const char *misspelt, const char *(*name_at)(size_t index));

/* The same for names that come one after another. */
typedef struct sc_nearest {
    const char *misspelt;
    size_t nearer_than;
    char name[64]; /* the nearest so far; "": none */
} sc_nearest;

void sc_nearest_init(sc_nearest *nearest, const char *misspelt);
/* Is it nearer than all before? */
bool sc_nearest_offer(sc_nearest *nearest, const char *name);

#endif
