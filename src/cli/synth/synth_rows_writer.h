/* The rows of a synthetic release, and the notes below them. */
#ifndef SC_CLI_SYNTH_ROWS_WRITER_H
#define SC_CLI_SYNTH_ROWS_WRITER_H

#include "cli/answer/answer_show.h"

/* What of the options concerns rows: --rows, --given, --out, --format. */
#define SC_OPTIONS_SYNTH_ROWS SCRIM_OPTION_ROWS, SCRIM_OPTION_GIVEN, SCRIM_OPTION_OUT

typedef struct sc_synth_wish {
    uint64_t rows; /* 0: as many as the data seem to have */
    const char *given[SC_OPTIONS_REPEATED];
    size_t given_count;
    const char *out; /* NULL: standard output */
    sc_format format;
} sc_synth_wish;

/* All that is wrong with them is found before a charge. */
SCRIM_MUST_USE scrim_status sc_synth_wish_read(const sc_options *options,
                                               sc_synth_wish *out, scrim_error *error);
/* Draws and writes rows, and says what they cost. */
SCRIM_MUST_USE scrim_status sc_synth_show(const sc_answer_style *style,
                                          const sc_synth_wish *wish, scrim_vault *vault,
                                          const scrim_synth_release *release,
                                          scrim_error *error);

#endif
