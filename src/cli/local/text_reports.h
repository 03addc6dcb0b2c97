/* All reports of files, back to back: for protocols whose reports cannot be added up. */
#ifndef SC_CLI_TEXT_REPORTS_H
#define SC_CLI_TEXT_REPORTS_H

#include "cli/terminal/options.h"
#include "scrim_local.h"

typedef struct sc_text_reports {
    uint8_t *bytes;
    size_t count; /* reports */
} sc_text_reports;

/* Those of the files that are named behind the subcommand, messages or batches of this configuration. Free it
 * with sc_text_reports_clear, also on failure. */
SCRIM_MUST_USE scrim_status sc_text_reports_read(const sc_options *options,
                                                 const scrim_local_config *config,
                                                 sc_text_reports *out,
                                                 scrim_error *error);
/* Adds those of one file. */
SCRIM_MUST_USE scrim_status sc_text_reports_file(const char *path,
                                                 const scrim_local_config *config,
                                                 sc_text_reports *out,
                                                 scrim_error *error);
void sc_text_reports_clear(sc_text_reports *reports);

#endif
