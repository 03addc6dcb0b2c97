/* Writing draws as they come, in constant memory, in the form that was asked for. */
#ifndef SC_CLI_DRAW_WRITER_H
#define SC_CLI_DRAW_WRITER_H

#include "cli/display/json_writer.h"
#include "cli/terminal/options.h"
#include "cli/terminal/terminal.h"
#include "scrim.h"

/* A distribution opened for drawing by a verb. In the test build, and only there, its
 * bits come from a chosen seed. */

typedef struct sc_noise {
    scrim_distribution *distribution;
    struct sc_tape *tape; /* of --seed, in the test build; NULL: the bits of the system */
} sc_noise;

/* Opens the distribution that these words name together, "NAME" "key=value" and so on. */
SCRIM_MUST_USE scrim_status sc_noise_open(char *const *words, size_t word_count,
                                          const sc_options *options, sc_noise *out,
                                          scrim_error *error);
void sc_noise_close(sc_noise *noise);

typedef enum sc_draw_form {
    SCRIM_DRAWS_LINES,  /* one a line and nothing else */
    SCRIM_DRAWS_BINARY, /* native 64-bit integers */
    SCRIM_DRAWS_TABLE,
    SCRIM_DRAWS_CSV,
    SCRIM_DRAWS_JSON,
    SCRIM_DRAWS_JSONL,
    SCRIM_DRAWS_NONE /* they are only counted */
} sc_draw_form;

typedef struct sc_draw_writer {
    sc_output *output;
    sc_json json;
    sc_draw_form form;
    bool utf8;
    bool begun;   /* a row has been written */
    size_t width; /* of the table's column: that of the widest of the first draws */
} sc_draw_writer;

/* Begins the output, before the first draw; text names the distribution. */
void sc_draw_writer_begin(sc_draw_writer *writer, sc_output *output, sc_draw_form form,
                          const sc_terminal *terminal, const char *text);
void sc_draw_writer_narrow(sc_draw_writer *writer, const int64_t *draws, size_t count);
/* Any form but binary. */
void sc_draw_writer_wide(sc_draw_writer *writer, const scrim_wide *draws, size_t count);
void sc_draw_writer_end(sc_draw_writer *writer);

#endif
