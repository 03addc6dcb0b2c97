/* Writing: a buffer in front of a file descriptor, and the small spellings (decimal,
 * JSON, CSV) that every format is made of.
 *
 * An error of the operating system is kept, what follows it is thrown away, and the last
 * call reports it: so that code which writes reads like code which cannot fail. A reader
 * who has gone away is no error: the process ends as SIGPIPE ends it, also where that
 * signal is ignored.
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
    size_t columns;  /* lines that are wider are broken (line_fold.h); 0: none is */
    bool has_colour; /* cautions have, where lines may be broken */
    /* Where bytes are compared in place of being written: with these; NULL otherwise. */
    const char *expected;
    size_t expected_bytes, compared; /* in all; those that are equal so far */
    bool differs;                    /* the next one is not */
    /* Where bytes are kept in place of being written. */
    bool keeps;
    char *kept;
    size_t kept_bytes, kept_room;
    scrim_file_digest *digest; /* of all bytes that are written; NULL: none */
    int error;                 /* errno of the first failed write, or 0 */
    size_t used;
    char bytes[SC_OUTPUT_BYTES];
} sc_output;

void sc_output_init(sc_output *output, int descriptor);
/* For people, where the format is a table: on a terminal no line is wider than it. What programs read
 * is written as it is. */
void sc_output_init_screen(sc_output *output, int descriptor, sc_format format);
/* Nothing is written: what would be is compared with these bytes, which stay the caller's. */
void sc_output_init_compare(sc_output *output, const char *bytes, size_t count);
/* Nothing is written: bytes are kept in memory, for sc_output_take. */
void sc_output_init_keep(sc_output *output);
/* All of them, terminated; freed by free(). NULL without memory. Nothing is kept any more. */
char *sc_output_take(sc_output *output, size_t *bytes);
/* Was all of it equal, and all there is? Else place is that of the first byte that is not. */
bool sc_output_is_equal(sc_output *output, size_t *place);
/* Writes what is buffered, all of a line that has not ended too, and says whether everything so far was written. */
bool sc_output_flush(sc_output *output);
/* Flushes and reports the first error; on standard output also one that shows on
 * closing. */
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
/* A number that is text: as it is when it is an integer that JSON's readers hold exactly, else
 * a string. */
void sc_output_json_number(sc_output *output, const char *text);
/* With quotes where RFC 4180 asks for them. */
void sc_output_csv_text(sc_output *output, const char *text);

/* The longest int64_t in decimal, "-9223372036854775808". */
#define SC_INT64_CHARS 20
/* Writes decimal digits at a place with room for SC_INT64_CHARS; returns one past the
 * last. */
char *sc_int64_write(char *at, int64_t value);

/* Beyond this magnitude an integer is a string in JSON, where readers have doubles
 * only. */
#define SC_JSON_INTEGER_MAX (INT64_C(1) << 53)

#endif
