/* The choices of a plan: Laplace or Gaussian noise, the epsilon for a target error, and whether a
 * partition selection shows the counts of units.
 *
 * Noise: the one with the smaller predicted error of the worst output, or the one that was asked for. The
 * choice is made for a confidence of 0.95, whatever intervals are asked for: a question has one plan.
 *
 * Claim  noise-choice.smaller  no output is further from what it could have alone, by the predicted
 *                              errors, than the worst one is with the other noise
 */
#ifndef SC_QUERY_PLAN_CHOICE_H
#define SC_QUERY_PLAN_CHOICE_H

#include "query/plan/trial.h"

/* How the budget is divided with each noise: the same at every epsilon. */
typedef struct sc_noise_choice {
    bool has_laplace, has_gaussian; /* may be chosen */
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

/* Counts that are drawn together, since no row is in two of them: rows in which a value is present and rows in which it is missing,
 * as two cells in place of one count beside all rows; or counts on conditions that public facts say exclude each other
 * (condition_facts.h), or that the same expression has other values in each, such as COUNT(*) FILTER (WHERE ok) and COUNT(*) FILTER (WHERE NOT ok).
 *
 * Cells are taken where they cost no more than one count and the errors of all outputs of the statement, multiplied, are smaller,
 * by the shares that each number gets. Disjoint counts are taken where the errors are smaller though a unit may move
 * all of them farther than one: one that is replaced may leave one of them and enter another. Guesses, the expected rows and other statements of a batch play no part: they are no part
 * of what is measured (measured.h).
 *
 * Claim  cells-choice.cost     cells are taken only where one unit moves both together no farther than it moves one count
 * Claim  cells-choice.one      the choice is the same in whatever order columns and statements are asked for
 * Claim  cells-choice.apart    counts are drawn together only if no row can be in two of them, by public facts
 */

/* Sets cells, disjoint counts and statistics of a statement of the plan, for the noise that it asks for (any: laplace). All in the arena.
 * SCRIM_E_LIMIT, SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_cells_choose(const scrim_plan *plan, sc_arena *arena,
                                            sc_planned_statement *statement,
                                            scrim_error *error);
/* The same statement with its rows counted the other way: one by one if some are drawn together, else in cells. *is_any is false if
 * there is no other way. SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_cells_other(const sc_planned_statement *statement,
                                           sc_arena *arena, sc_planned_statement *out,
                                           bool *is_any, scrim_error *error);

/* Target error: the smallest epsilon, a multiple of 1/1000, at which no output of a plan has a larger
 * predicted error. A relative target is a fraction of the size that plan_size.h gives each value.
 *
 * Claim  target.smallest  the error that is predicted at the epsilon found is at most the target,
 *                         and at 1/1000 less it is above; where 1000 is not enough, the target is
 *                         refused with the smallest that can be had
 */

/* COUNT(DISTINCT unit) with private keys: shown by the selection, or drawn again.
 *
 * A selection that shows noisy counts answers the count by itself, and gets the share of the budget that a
 * draw would need. The best selection shows nothing and pays for the draw. Both are tried with the whole
 * budget, divided as each needs it. Each statement takes the way that keeps the smaller group with
 * probability 1/2; of equal ones, the one that draws less. The other way is listed with the draw that it
 * would need.
 *
 * Claim  units-choice.smallest  neither way, with all of its draws paid for, keeps a smaller group
 *                               with probability 1/2 than the one that is taken
 */

/* The trial of a plan whose statements are these, at its epsilon or at the one that is found for
 * its target. Sets draws_units of the statements. SCRIM_E_PARAM, SCRIM_E_LIMIT, SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_units_choose(scrim_plan *plan,
                                            sc_planned_statement *statements,
                                            sc_trial **out, scrim_error *error);

/* Histograms that only lose rows, or noise in each bucket, where a delta is given and no mechanism is asked for.
 *
 * Each statement is predicted both ways with the whole budget, as if it were alone, at confidence 0.95. Noise is taken
 * where the errors of its outputs, multiplied, are smaller. A statement with MODE or SUPPORT, of which nothing is predicted, keeps
 * its histograms without noise, and so does a statement whose bounds are found (auto). Noisy buckets do not answer a question that needs
 * certain ones, so the choice is part of what is measured (measured.h).
 *
 * For a target error the way is taken that reaches it with the smaller epsilon.
 *
 * Claim  bars-choice.smallest  of the two ways the one is taken whose predicted errors, multiplied, are smaller, or that reaches
 *                              a target with the smaller epsilon
 */

/* As sc_units_choose, and sets has_noisy_bars of the statements besides. */
SCRIM_MUST_USE scrim_status sc_bars_choose(scrim_plan *plan,
                                           sc_planned_statement *statements,
                                           sc_trial **out, scrim_error *error);
/* Can the histograms of a statement be drawn either way? */
bool sc_bars_may_choose(const scrim_plan *plan, const sc_planned_statement *statement);

#endif
