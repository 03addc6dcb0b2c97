/* Laplace or Gaussian noise for the numbers of a plan, whichever is to be expected to hurt the
 * worst output less; or the one that was asked for.
 *
 * The choice is made for a confidence of 0.95, whatever intervals are asked for: a question has one
 * plan.
 *
 * Claim  noise-choice.smaller  no output is further from what it could have alone, by the predicted
 *                              errors, than the worst one is with the other noise
 */
#ifndef SC_QUERY_NOISE_CHOICE_H
#define SC_QUERY_NOISE_CHOICE_H

#include "query/plan/trial.h"

/* How the budget is divided with either noise: the same at every epsilon. */
typedef struct sc_noise_choice {
    bool has_laplace, has_gaussian; /* what may be chosen */
    sc_division laplace, gaussian;
} sc_noise_choice;

/* Cleared also on failure. SCRIM_E_LIMIT, SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_noise_choice_init(const scrim_plan *plan,
                                                 sc_noise_choice *choice,
                                                 scrim_error *error);
void sc_noise_choice_clear(sc_noise_choice *choice);

/* The better trial at an epsilon, or a sketch of it. */
SCRIM_MUST_USE scrim_status sc_noise_choose(const scrim_plan *plan,
                                            const sc_noise_choice *choice,
                                            const sc_ratio *epsilon, bool is_sketch,
                                            sc_trial **out, scrim_error *error);

#endif
