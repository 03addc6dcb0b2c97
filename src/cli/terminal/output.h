/* Buffered writing to a file descriptor, and the pieces (decimals, quoted JSON and CSV)
 * that every format is made of.
 *
 * The first error of the operating system is kept, further output is thrown away, and
 * sc_output_finish reports it, so that writing code needs no checks. A reader that has
 * gone away is no error: the process ends as by SIGPIPE, even if that signal is ignored.
 */
#ifndef SC_CLI_OUTPUT_H
#define SC_CLI_OUTPUT_H

#include "scrim.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum sc_format {
    SCRIM_FORMAT_TABLE,
    SCRIM_FORMAT_CSV,
    SCRIM_FORMAT_JSON,
    SCRIM_FORMAT_JSONL
} sc_format;

/* "table", "csv", "json", "jsonl"; NULL past the last. */
const char *sc_format_name_at(size_t index);

#define SC_OUTPUT_BYTES 65536

typedef struct sc_output {
    int descriptor;
    size_t columns;  /* longer lines are wrapped (line_fold.h); 0: no line is */
    bool has_colour; /* of cautions, where lines are wrapped */
    /* Not NULL: bytes are compared with these instead of being written. */
    const char *expected;
    size_t expected_bytes, compared; /* of `expected`; how many were equal so far */
    bool differs;                    /* a byte was not equal */
    /* Bytes are kept in memory instead of being written. */
    bool keeps;
    char *kept;
    size_t kept_bytes, kept_room;
    scrim_file_digest *digest; /* of all bytes that are written; NULL: none */
    int error;                 /* errno of the first failed write, or 0 */
    size_t used;
    char bytes[SC_OUTPUT_BYTES];
} sc_output;

void sc_output_init(sc_output *output, int descriptor);
/* Tables are for people: on a terminal their lines are wrapped to its width. Other formats are
 * for programs and are written as they are. */
void sc_output_init_screen(sc_output *output, int descriptor, sc_format format);
/* Nothing is written: the output is compared with these bytes, which stay the caller's. */
void sc_output_init_compare(sc_output *output, const char *bytes, size_t count);
/* Nothing is written: bytes are kept in memory, for sc_output_take. */
void sc_output_init_keep(sc_output *output);
/* All of them, terminated; freed by free(). NULL without memory. Nothing is kept any more. */
char *sc_output_take(sc_output *output, size_t *bytes);
/* Was the output equal to all of the expected bytes? If not, *place is the first byte that
 * differs. */
bool sc_output_is_equal(sc_output *output, size_t *place);
/* Writes the buffer, also a line that has not ended; returns whether everything so far was
 * written. */
bool sc_output_flush(sc_output *output);
/* Flushes and reports the first error; closes standard output, to see errors that
 * only show then. */
SCRIM_MUST_USE scrim_status sc_output_finish(sc_output *output, scrim_error *error);

/* Room for that many bytes (at most SC_OUTPUT_BYTES) to be filled by hand;
 * sc_output_advance says where that ended. */
char *sc_output_reserve(sc_output *output, size_t bytes);
void sc_output_advance(sc_output *output, const char *end);

void sc_output_bytes(sc_output *output, const void *bytes, size_t count);
void sc_output_text(sc_output *output, const char *text);
void sc_output_repeat(sc_output *output, const char *text, size_t times);
/* At most 511 bytes. */
__attribute__((format(printf, 2, 3))) void sc_output_format(sc_output *output,
                                                            const char *format, ...);
/* With quotes and escapes. */
void sc_output_json_text(sc_output *output, const char *text);
/* A number given as text: written as a number if it is an integer of at most
 * SC_JSON_INTEGER_MAX, else as a string. */
void sc_output_json_number(sc_output *output, const char *text);
/* With quotes where RFC 4180 asks for them. */
void sc_output_csv_text(sc_output *output, const char *text);

/* The longest int64_t in decimal, "-9223372036854775808". */
#define SC_INT64_CHARS 20
/* Writes decimal digits at a place with room for SC_INT64_CHARS; returns one past the
 * last. */
char *sc_int64_write(char *at, int64_t value);

/* Larger integers are strings in JSON, because many readers hold numbers as
 * doubles. */
#define SC_JSON_INTEGER_MAX (INT64_C(1) << 53)

#endif
