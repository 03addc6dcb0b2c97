/* scrim experiment pricing: the survey's sale by the exponential mechanism, as rows and as a drawing. */
#ifndef SC_CLI_PRICING_WRITER_H
#define SC_CLI_PRICING_WRITER_H

#include "cli/terminal/options.h"
#include "scrim.h"

/* SCRIM_E_PARAM, SCRIM_E_LIMIT and SCRIM_E_SYNTAX as scrim_pricing_of; SCRIM_E_MEMORY; SCRIM_E_INPUT: the
 * drawing cannot be written. */
SCRIM_MUST_USE scrim_status sc_pricing_show(const sc_options *options,
                                            scrim_error *error);

#endif
