/* The table of `scrim distance divergence`: a row for each divergence and number, both directions. */
#ifndef SC_CLI_DIVERGENCE_TABLE_H
#define SC_CLI_DIVERGENCE_TABLE_H

#include "cli/sheet/listing.h"

/* Lists of numbers, as in "2,3"; NULL: the default. */
typedef struct sc_divergence_request {
    const char *orders, *epsilons, *deltas, *groups;
} sc_divergence_request;

/* SCRIM_E_PARAM: a list has an empty part, or more than 32; errors of scrim_divergence_of. Nothing
 * is written after a failure. */
SCRIM_MUST_USE scrim_status sc_divergence_table(const scrim_laws *laws,
                                                const sc_divergence_request *request,
                                                sc_output *output, sc_format format,
                                                const sc_terminal *terminal,
                                                scrim_error *error);

#endif
