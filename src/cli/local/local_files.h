/* The files of `scrim local`: a configuration, and reports or sums of it. */
#ifndef SC_CLI_LOCAL_FILES_H
#define SC_CLI_LOCAL_FILES_H

#include "cli/terminal/options.h"
#include "cli/terminal/whole_file.h"
#include "scrim.h"

/* The text that --config names, which is required. */
SCRIM_MUST_USE scrim_status sc_local_config_file(const sc_options *options,
                                                 sc_whole_file *out, scrim_error *error);
/* All reports and sums of the files that are named behind the subcommand; free it. */
SCRIM_MUST_USE scrim_status sc_local_collect_files(const sc_options *options,
                                                   scrim_collection **out,
                                                   scrim_error *error);

#endif
