/* The largest cost that an analyst allows a question: --cap, and 1 where --target-error finds an epsilon and nobody has
 * said how large it may be.
 *
 * A cost above --cap is refused. Without --cap a person on a terminal sees the cost of a target and is asked;
 * elsewhere it is refused. Nothing is charged before. What the owner's cap or the budget does not admit is left to the
 * query, whose refusal says so; a release that answers already costs nothing.
 */
#ifndef SC_CLI_COST_LIMIT_H
#define SC_CLI_COST_LIMIT_H

#include "cli/answer/query_request.h"

/* Looks at a plan before it is run. Without quiet, says on standard error which epsilon a target takes and what it
 * assumes. SCRIM_E_PARAM: --cap is no "epsilon=R", the cost is above it, or the person does not agree. */
SCRIM_MUST_USE scrim_status sc_cost_limit_check(const sc_options *options,
                                                const sc_query_request *request,
                                                bool quiet, scrim_error *error);

/* Reads the epsilon of "epsilon=R"; false if text is NULL, is written otherwise, or its epsilon is not above 0. */
bool sc_cost_limit_read(const char *text, double *out);

#endif
