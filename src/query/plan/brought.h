/* Public tables that a question brings with it (scrim_query_options.with): the question is planned as if they stood in the
 * policy, so that record, label and replay have their columns and types.
 *
 * Claim  brought.alone    such lines declare public tables and nothing else: no bound, no column and no key of the
 *                         dataset
 * Claim  brought.digest   a table has the digest that its lines have, and the charged line names the digests of the
 *                         tables that are joined: with another table it is another question
 * Reference  spec/query-semantics.md 7
 */
#ifndef SC_QUERY_BROUGHT_H
#define SC_QUERY_BROUGHT_H

#include "query/plan/plan_model.h"

/* Takes the tables into the plan's policy and schema. with may be NULL. SCRIM_E_PARAM, for the parameter "with", where the lines
 * are no such tables or one has the name of another; SCRIM_E_LIMIT, SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_brought_use(const char *with, scrim_plan *plan,
                                           scrim_error *error);
/* " with=sha256:...", of each that a query joins; nothing without any. */
void sc_brought_put(const scrim_plan *plan, sc_text_sink *sink);

#endif
