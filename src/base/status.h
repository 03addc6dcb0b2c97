/* How a function inside the library fails: it fills the caller's error and returns its status.
 *
 *     return sc_fail(error, SCRIM_E_PARAM, "scale: %s is not above 0", text);
 */
#ifndef SC_BASE_STATUS_H
#define SC_BASE_STATUS_H

#include "scrim/status.h"

/* Fills error, where there is one, and returns status. A message that is too long is cut at a
 * whole character; whatever could break the line, steer a terminal or turn the order of the
 * text, and bytes that are not UTF-8, become '?' (sc_text_character knows them). The format
 * is independent of the locale: only %s, %zu, %d, %u, %llu, %lld, %c and %% are used in this library. */
__attribute__((format(printf, 3, 4))) scrim_status
sc_fail(scrim_error *error, scrim_status status, const char *format, ...);

/* An analyser looks at one source at a time; here it is told that the status comes back. */
#ifdef __clang_analyzer__
#define sc_fail(error, status, ...)                                                      \
    ((void)(sc_fail)((error), (status), __VA_ARGS__), (status))
#endif

#endif
