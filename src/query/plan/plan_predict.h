/* The predicted error of an aggregate of a plan: half of its interval, in the unit of the column, in a group
 * of the expected number of rows.
 *
 * Claim  plan-predict.near  the interval of an answer is within a tenth of what was predicted, in a
 *                           group whose rows, mean and deviation are those that were guessed
 *                           (estimate.h says how large the noise of a variance may be)
 * Claim  plan-predict.conservative  of AVG, VAR and STDDEV, without a guess of the column, it is not
 *                           wider than eleven tenths of what was predicted, in a group of as many rows whose mean is no
 *                           farther than half way from the centre to an end of the range, and whose
 *                           deviation is no smaller than a quarter of the radius
 */
#ifndef SC_QUERY_PLAN_PREDICT_H
#define SC_QUERY_PLAN_PREDICT_H

#include "query/estimate/formula_estimate.h"
#include "query/plan/trial.h"

/* The measurements that an aggregate's numbers are drawn by. */
void sc_plan_sources(const sc_planned_statement *statement,
                     const sc_trial_statement *parts, size_t aggregate,
                     sc_estimate_sources *out);

/* The errors of all aggregates of all statements, in order; the caller initialises and owns errors.
 * SCRIM_E_LIMIT, SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_plan_predict(const scrim_plan *plan, const sc_trial *trial,
                                            const sc_ratio *confidence, sc_ratio *errors,
                                            scrim_error *error);
/* The same for all outputs, in order: 0 for keys, negative if the interval is the whole range. */
SCRIM_MUST_USE scrim_status sc_plan_predict_outputs(const scrim_plan *plan,
                                                    const sc_trial *trial,
                                                    const sc_ratio *confidence,
                                                    sc_ratio *errors, scrim_error *error);

/* The estimator of an output that is computed from aggregates. */
SCRIM_MUST_USE scrim_status sc_plan_formula(const sc_planned_statement *statement,
                                            const sc_trial_statement *parts,
                                            const sc_formula *formula,
                                            const sc_ratio *confidence, sc_arena *arena,
                                            sc_formula_estimator **out,
                                            scrim_error *error);

/* An array of count ratios, each 0; NULL without memory. */
sc_ratio *sc_plan_errors_new(size_t count);
void sc_plan_errors_free(sc_ratio *errors, size_t count);
size_t sc_plan_aggregates(const scrim_plan *plan);
size_t sc_plan_outputs(const scrim_plan *plan);

#endif
