/* Errata of the papers: the list of them, and one with its counterexample computed, in every format. */
#ifndef SC_CLI_ERRATUM_WRITER_H
#define SC_CLI_ERRATUM_WRITER_H

#include "cli/terminal/options.h"

/* All of them; or those of --document and --kind. SCRIM_E_PARAM if there is no such document or
 * kind. */
SCRIM_MUST_USE scrim_status sc_errata_list(const sc_options *options, scrim_error *error);
/* One, by "12" or "E12". SCRIM_E_PARAM if it has neither form or does not exist. */
SCRIM_MUST_USE scrim_status sc_erratum_show(const sc_options *options, const char *word,
                                            scrim_error *error);

#endif
