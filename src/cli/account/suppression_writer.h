/* scrim experiment suppression: Figure 1 of the paper on suppression, and the calculators of its
 * section 6, as rows and as a drawing. */
#ifndef SC_CLI_SUPPRESSION_WRITER_H
#define SC_CLI_SUPPRESSION_WRITER_H

#include "cli/terminal/options.h"
#include "scrim.h"

/* Writes the rows that the options ask for. SCRIM_E_PARAM, SCRIM_E_LIMIT and SCRIM_E_SYNTAX as
 * scrim_suppression_of; SCRIM_E_MEMORY; SCRIM_E_INPUT: the drawing cannot be written. */
SCRIM_MUST_USE scrim_status sc_suppression_show(const sc_options *options,
                                                scrim_error *error);

#endif
