/* The joint cost, in (epsilon, delta), of draws that were all declared before the first of them.
 *
 * Declared means: what each draw promises, and how many of each there are, is fixed before the
 * first is made. What is asked of the data may still follow from earlier answers; the claims of
 * these theorems stay the same (spec/local-and-accounting.md 8.1, 9).
 *
 * Each bound below holds, so the smallest does:
 *
 *     sum       the sum of the epsilons, where the sum of the deltas is within delta
 *     optimal   of equal pure draws, what randomised response composes to exactly (Kairouz, Oh,
 *               Viswanath)
 *     rho       the sum of the rhos, converted at the delta that the parts without one leave
 *               (Canonne, Kamath and Steinke), and their epsilons
 *     loss      the privacy loss distribution of all draws, in integers
 *
 * Every bound is the upper end of a ball, or an integer; an order that was searched for in doubles
 * is evaluated so. Six digits are kept, so that the same parts give the same number on every
 * machine, and whoever reads it in a ledger can compute it again.
 *
 * Claim  joint.sound   at the epsilon that is found, all draws together keep the delta
 * Claim  joint.least   it is never above the sum of the epsilons where the sum of the deltas is
 *                      within delta, but for the rounding to six digits, and never below the truth
 */
#ifndef SC_LEDGER_JOINT_H
#define SC_LEDGER_JOINT_H

#include "model/cost.h"

/* The method from parts to epsilon. Another grid or another bound is another number; those that
 * stand in ledgers are computed by theirs. */
#define SC_JOINT_ARITHMETIC 1

/* Draws of one cost, which promises an epsilon. All are in one relation, and a curve is one of
 * that relation. */
typedef struct sc_joint_part {
    const sc_exact_cost *cost; /* of one draw */
    uint64_t count;            /* at least 1 */
} sc_joint_part;

/* epsilon, rounded up to six digits, at 0 <= delta < 1; *is_found is false when no bound says
 * anything at that delta. SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_joint_epsilon(const sc_joint_part *parts, size_t count,
                                             const sc_ratio *delta, bool *is_found,
                                             sc_ratio *epsilon, scrim_error *error);

#endif
