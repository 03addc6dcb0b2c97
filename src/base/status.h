/* How a function inside the library fails: it fills the caller's error and returns its status.
 *
 *     return sc_no_memory(error, "a law");
 *     return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "scale",
 *                              "%s is not above 0", text);
 *
 * and how it passes on the failure of another one:
 *
 *     SC_TRY(sc_law_check(law, error));
 */
#ifndef SC_BASE_STATUS_H
#define SC_BASE_STATUS_H

#include "scrim/status.h"

#include <stdarg.h>
#include <stddef.h>

/* Fills error, where there is one, and returns status. A message that is too long loses its middle, at
 * whole characters; whatever could break the line, steer a terminal or turn the order of the
 * text, and bytes that are not UTF-8, become '?' (sc_text_character knows them). The format
 * is independent of the locale: only %s, %zu, %d, %u, %llu, %lld, %c and %% are used in this library. */
__attribute__((format(printf, 3, 4))) scrim_status
sc_fail(scrim_error *error, scrim_status status, const char *format, ...);
/* The same with a reason and the parameter it speaks of, "" for none: a name of at most
 * SCRIM_PARAMETER_BYTES - 1 bytes that does not come from a caller. */
__attribute__((format(printf, 5, 6))) scrim_status
sc_fail_for(scrim_error *error, scrim_status status, scrim_reason reason,
            const char *parameter, const char *format, ...);
/* The same with a message that begins with the parameter: "scale: ...". */
__attribute__((format(printf, 5, 6))) scrim_status
sc_fail_parameter(scrim_error *error, scrim_status status, scrim_reason reason,
                  const char *parameter, const char *format, ...);
/* The same for a function that takes the rest of its arguments so. */
__attribute__((format(printf, 5, 0))) scrim_status
sc_fail_list(scrim_error *error, scrim_status status, scrim_reason reason,
             const char *parameter, const char *format, va_list arguments);
/* Sets the amounts of a charge that does not fit, after sc_fail_for; error may be NULL. */
void sc_error_set_amounts(scrim_error *error, const char *requested, const char *left);
/* Words a failure anew, with the reason, the parameter and the amounts of the cause, which is another error
 * than the one that is filled. */
__attribute__((format(printf, 4, 5))) scrim_status sc_fail_again(scrim_error *error,
                                                                 scrim_status status,
                                                                 const scrim_error *cause,
                                                                 const char *format, ...);

/* SCRIM_E_MEMORY, "out of memory for a law": what names the thing that there is no room for. */
scrim_status sc_no_memory(scrim_error *error, const char *what);

/* Returns the status of a call that failed, and else goes on. Nothing that the function has taken or must
 * wipe may be left to lines below it: a variable of SC_OWN (base/number/own.h) clears
 * itself on the way out, and tools/check_owned refuses one that is cleared by hand behind an SC_TRY. */
#define SC_TRY(call)                                                                     \
    do {                                                                                 \
        const scrim_status sc_tried = (call);                                            \
        if (sc_tried != SCRIM_OK)                                                        \
            return sc_tried;                                                             \
    } while (0)

/* Fails where one of `count` pointers is NULL: SCRIM_E_PARAM, with its name, which is the word of that place in `names`. */
SCRIM_MUST_USE scrim_status sc_require(scrim_error *error, const char *names,
                                       const void *const *pointers, size_t count);
/* The first line of a public function: pointers that it needs, in the order of its header.
 *
 *     SC_REQUIRE(error, "vault dataset out", vault, dataset, out);
 */
#define SC_REQUIRE(error, names, ...)                                                    \
    SC_TRY(sc_require(error, names, (const void *const[]){__VA_ARGS__},                  \
                      sizeof((const void *const[]){__VA_ARGS__}) / sizeof(void *)))

/* An analyser looks at one source at a time; here it is told that the status comes back. */
#ifdef __clang_analyzer__
#define sc_fail(error, status, ...)                                                      \
    ((void)(sc_fail)((error), (status), __VA_ARGS__), (status))
#define sc_fail_for(error, status, ...)                                                  \
    ((void)(sc_fail_for)((error), (status), __VA_ARGS__), (status))
#define sc_fail_parameter(error, status, ...)                                            \
    ((void)(sc_fail_parameter)((error), (status), __VA_ARGS__), (status))
#define sc_fail_again(error, status, ...)                                                \
    ((void)(sc_fail_again)((error), (status), __VA_ARGS__), (status))
#define sc_no_memory(error, what) ((void)(sc_no_memory)((error), (what)), SCRIM_E_MEMORY)
#endif

#endif
