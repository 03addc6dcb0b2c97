/* The line of a plan, as the ledger keeps it: the options and the canonical text of each query, in one spelling.
 *
 * Two plans with one line measure the same (plan.question), so the line names everything that the noise depends on: a new option
 * of a question is written here and read here, and is left out where it has the value of old lines, which stay as they are.
 */
#ifndef SC_QUERY_PLAN_LINE_H
#define SC_QUERY_PLAN_LINE_H

#include "query/plan/plan_model.h"

/* Sets question, which is shown, and line, which is charged and carries the digest of the measurement besides. SCRIM_E_LIMIT if
 * they are longer than the ledger takes. */
SCRIM_MUST_USE scrim_status sc_plan_line_set(scrim_plan *plan, scrim_error *error);

/* Cuts a line in place into the values of its options and its queries, of which there are at most SC_PLAN_STATEMENTS. Returns
 * how many queries; 0 if it is not the line of a query. */
size_t sc_plan_line_cut(char *line, scrim_query_options *options, const char **queries);

#endif
