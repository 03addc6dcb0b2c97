/* A plan tried at an epsilon: the measurements of all parts, and their cost together. */
#ifndef SC_QUERY_TRIAL_H
#define SC_QUERY_TRIAL_H

#include "query/plan/division.h"

/* The numbers have the noise that the division was made for. A sketch leaves selections out that
 * show no units: they take long to compare, and no error depends on them. SCRIM_E_PARAM when a delta is needed
 * and missing, SCRIM_E_LIMIT, SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_trial_new(const scrim_plan *plan,
                                         const sc_division *division,
                                         const sc_ratio *epsilon, bool is_sketch,
                                         sc_trial **out, scrim_error *error);
void sc_trial_free(sc_trial *trial); /* NULL is allowed */

/* Lists a choice of another trial behind those of a statement, as not chosen, with the measurement that would
 * draw units besides, or NULL. At most one for each statement. This trial takes over the measurements. */
void sc_trial_list(sc_trial *trial, size_t statement, sc_trial *from,
                   const sc_key_choice *choice, const scrim_measurement *units);

/* The rho that all numbers of a division with Gaussian noise would share. False if no rho fits
 * that epsilon and the plan's delta. */
bool sc_trial_rho(const scrim_plan *plan, const sc_division *division,
                  const sc_ratio *epsilon, sc_ratio *out);

#endif
