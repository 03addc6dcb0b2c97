/* scrim experiment body-routes: two routes to the centre of a floating body, as rows. */
#ifndef SC_CLI_BODY_ROUTES_WRITER_H
#define SC_CLI_BODY_ROUTES_WRITER_H

#include "cli/terminal/options.h"
#include "scrim.h"

/* SCRIM_E_PARAM, SCRIM_E_MEMORY, SCRIM_E_ENTROPY. */
SCRIM_MUST_USE scrim_status sc_body_routes_show(const sc_options *options,
                                                scrim_error *error);

#endif
