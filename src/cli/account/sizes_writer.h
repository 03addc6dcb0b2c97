/* How large a group must be to be published, in every format. */
#ifndef SC_CLI_SIZES_WRITER_H
#define SC_CLI_SIZES_WRITER_H

#include "cli/terminal/output.h"
#include "cli/terminal/terminal.h"

/* keys is how many a public universe has, where the report has one. A table ends with the sentence. */
SCRIM_MUST_USE scrim_status sc_sizes_write(sc_output *output,
                                           const scrim_sizes_report *report,
                                           uint64_t keys, sc_format format,
                                           const sc_terminal *terminal,
                                           scrim_error *error);
/* The one sentence that says it in words. */
void sc_sizes_sentence_write(sc_output *output, const scrim_sizes_report *report,
                             const sc_terminal *terminal);

#endif
