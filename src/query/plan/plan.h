/* The plan of a query, or of a batch of them: the numbers to draw, their mechanisms, shares of the budget,
 * costs and errors. It is made from public facts alone;
 * no data are opened.
 *
 * A batch is planned as one: its statements share epsilon and delta, and are charged together.
 *
 * Claim  plan.budget    what all parts of all statements cost together is never above the epsilon
 *                       and the delta that were asked for, as rationals; their shares add up to
 *                       exactly 1 (A31)
 * Claim  plan.question  parts, measurements and keys are the same whenever the question, the
 *                       version and the program are; the question says all that they depend on
 * Claim  plan.nested    no unit moves the counts of a nested plan, all of which are sums of the groups of the source,
 *                       by more than what is charged: the loss over all statements is at most that of the plan
 * Claim  plan.public    a plan opens no source: it is made from the vault and the query alone
 * Claim  plan.refuses   what needs a delta, what is beyond the limits of a mechanism and what is
 *                       outside of its domain is refused before data are opened
 */
#ifndef SC_QUERY_PLAN_H
#define SC_QUERY_PLAN_H

#include "query/plan/plan_model.h"

/* The question to plan. */
typedef struct sc_plan_request {
    scrim_vault
        *vault; /* NULL: dataset is the text of a policy; such a plan cannot be asked */
    const char *dataset;
    const char *const *queries;
    size_t count;
    const scrim_query_options *options;
    const sc_plan_series
        *series; /* copied; NULL: a query of its own. A release is one statement */
    const sc_plan_nesting
        *nesting; /* NULL: each statement bounds its own rows; else all are COUNT(*)
                                       by public keys */
    /* NULL, or a plan that finds its bounds, of the same version whatever the vault says by now. */
    const scrim_plan *like;
} sc_plan_request;

/* As scrim_plan_new. SCRIM_E_LIMIT if a unit may have more than SC_SCHEMA_CONTRIBUTION rows in a sum. */
SCRIM_MUST_USE scrim_status sc_plan_new(const sc_plan_request *request, scrim_plan **out,
                                        scrim_caret *caret, scrim_error *error);

/* Where a question finds its bounds (auto_bounds.h). */

/* Before statements have parts: plans the ladders, sets which of them finds the bounds of each statement, and leaves the plan the
 * rest of its cost. Does nothing where bounds are not asked to be found. SCRIM_E_PARAM, SCRIM_E_POLICY where they cannot be. */
SCRIM_MUST_USE scrim_status sc_auto_begin(scrim_plan *plan,
                                          const sc_plan_request *request,
                                          sc_planned_statement *statements,
                                          scrim_error *error);
/* After they have parts: the plan has its whole cost again. */
void sc_auto_restore(scrim_plan *plan);
/* The bounds that a statement is planned with before they are found: as many rows as are declared. */
sc_bounds sc_auto_guess(const sc_planned_statement *statement);
/* The question of a plan that finds its bounds, with these, at the rest of its cost. The plan lives longer. It is drawn
 * within the charge of that plan. */
SCRIM_MUST_USE scrim_status sc_auto_found(const scrim_plan *plan,
                                          const sc_auto_bounds *found, scrim_plan **out,
                                          scrim_error *error);
/* The same with the largest bounds of all statements that can be planned, so that no smaller ones are refused after the
 * charge; *most are these. SCRIM_E_LIMIT when none can. */
SCRIM_MUST_USE scrim_status sc_auto_widest(const scrim_plan *plan, sc_auto_bounds *most,
                                           scrim_plan **out, scrim_error *error);

/* The plan of a charge from its line, for the dataset and with the workers and the memory of another plan, to finish it. *out is
 * NULL if this version makes another line of it. */
SCRIM_MUST_USE scrim_status sc_plan_of_line(scrim_vault *vault, const scrim_plan *like,
                                            sc_text line, scrim_plan **out,
                                            scrim_error *error);

#endif
