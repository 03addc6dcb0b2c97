/* Synthetic rows on the screen or in a file, their plan, and files of queries. */
#ifndef SC_CLI_SYNTH_ROWS_PAGE_H
#define SC_CLI_SYNTH_ROWS_PAGE_H

#include "cli/answer/answer_show.h"
#include "cli/terminal/whole_file.h"

/* The lines of a file of counting queries, for `scrim synth --queries`. "-" is standard input. */

typedef struct sc_query_file {
    sc_whole_file file;
    const char **
        lines; /* views of the file; with empty lines, so that index + 1 is the line's number */
    size_t count;
} sc_query_file;

/* out must be cleared in every case. SCRIM_E_MEMORY, and as sc_whole_file_read. */
SCRIM_MUST_USE scrim_status sc_query_file_read(const char *path, sc_query_file *out,
                                               scrim_error *error);
void sc_query_file_clear(sc_query_file *file);

/* The page of `scrim synth --dry-run`: the columns as they are counted, the cost, the errors that are known before. */

/* Closes standard output. */
SCRIM_MUST_USE scrim_status sc_synth_plan_show(const sc_answer_style *style,
                                               scrim_vault *vault,
                                               const scrim_synth *synth,
                                               scrim_error *error);

/* The rows of a synthetic release, and the notes below them. */

/* Options about rows: --rows, --given, --out, --format. */
#define SC_OPTIONS_SYNTH_ROWS SCRIM_OPTION_ROWS, SCRIM_OPTION_GIVEN, SCRIM_OPTION_OUT

typedef struct sc_synth_row_request {
    uint64_t rows; /* 0: as many as the data seem to have */
    const char *given[SC_OPTIONS_REPEATED];
    size_t given_count;
    const char *out; /* NULL: standard output */
    sc_format format;
} sc_synth_row_request;

/* Checks them before a charge. */
SCRIM_MUST_USE scrim_status sc_synth_row_request_read(const sc_options *options,
                                                      sc_synth_row_request *out,
                                                      scrim_error *error);
/* Draws and writes rows, and says what they cost. */
SCRIM_MUST_USE scrim_status sc_synth_show(const sc_answer_style *style,
                                          const sc_synth_row_request *asked,
                                          scrim_vault *vault,
                                          const scrim_synth_release *release,
                                          scrim_error *error);

#endif
