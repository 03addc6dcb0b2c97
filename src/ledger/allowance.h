/* A total that is charged first and spent by draws that are chosen one after the other.
 *
 * The rounds of a synthesiser depend on earlier answers: which table is measured, with how much noise,
 * and how many rounds there are. So their cost is not known before the first draw. A total is fixed,
 * and charged whole; each draw then takes its own cost out of it, and a draw that does not fit is not
 * made. The remainder is lost.
 *
 *     sc_allowance_new(SCRIM_ADD_REMOVE, &rho, &epsilon, &delta, &allowance, &error);
 *     sc_passage_open_within(ledger, line, allowance, &key, is_once, &passage, &error);   // release.h
 *     sc_passage_draw_within(passage, measurement, &input, &draw, &error);                // any number
 *
 * Why this is sound. Let draw i, given all answers before it, be rho_i-concentrated, where rho_i is a
 * function of these answers, and let the sum of all rho_i be at most rho whatever the answers are. Then
 * the list of all answers is rho-concentrated: with P, Q the two distributions of the list and a > 1,
 * E_Q[prod (P_i/Q_i)^a exp(-a (a - 1) rho_i)] <= 1 by taking expectations from the last draw to the first,
 * as each factor has a conditional expectation of at most 1; and the sum in the exponent is at most
 * rho. Likewise for epsilon, where each factor of P/Q is at most exp(epsilon_i). A draw that is refused
 * is decided by earlier answers alone. The same holds where each step is (epsilon_i, delta_i)-DP given
 * the answers before it: the sums bound the list (basic composition, which allows adaptive steps whose
 * costs add up to fixed totals).
 *
 * A step may also be a bundle that follows from earlier answers, as the parts of a question whose bounds were
 * found: sc_allowance_take_parts takes the whole cost of the bundle, and its parts are then drawn as those of any bundle.
 *
 * A draw with a delta and without a rho has no place in that sum. sc_allowance_reserve sets an epsilon and a
 * delta aside for such draws, on top of what is charged; they come before all others. Their list is
 * (sum of epsilons, sum of deltas)-DP by basic composition, and the list of the others keeps its epsilon and
 * its delta whatever these answers were, so both lists together have the two sums.
 *
 * Claim  allowance.within     the exact sum of the costs of all draws, in the relation of the allowance, is
 *                             at most its total; a draw beyond it is refused before it takes a bit
 * Claim  allowance.parts      the same of bundles, epsilon and delta each: one that does not fit is refused whole
 * Claim  allowance.reserve    the exact sums of the epsilons and of the deltas of all draws from the reserve are
 *                             at most the reserve; what is charged is the reserve and the total, and no rho
 * Claim  allowance.converted  the epsilon and delta that are charged hold for the total rho
 * Claim  allowance.rho        sc_allowance_rho gives the largest multiple of 10^-6 that epsilon and delta
 *                             allow, where that is above 0
 *
 * Claim  allowance.epsilon    sc_allowance_epsilon gives an epsilon that rho keeps at delta
 *
 * Reference  Feldman, Zrnic 2021; Rogers et al. 2016; spec/mechanisms.md 8.5, spec/synthetic.md 3
 */
#ifndef SC_LEDGER_ALLOWANCE_H
#define SC_LEDGER_ALLOWANCE_H

#include "ledger/bundle.h"

typedef struct sc_allowance sc_allowance;

/* rho is what draws may sum to, and epsilon and delta what is charged beside it where a ledger counts
 * them; with rho NULL epsilon and delta are the totals. SCRIM_E_PARAM when a number is not in its
 * domain or rho does not keep delta at epsilon. */
SCRIM_MUST_USE scrim_status sc_allowance_new(scrim_neighbours neighbours,
                                             const sc_ratio *rho, const sc_ratio *epsilon,
                                             const sc_ratio *delta, sc_allowance **out,
                                             scrim_error *error);
void sc_allowance_free(sc_allowance *allowance); /* NULL is allowed */

/* Before it is charged, and once: sets epsilon and delta aside. SCRIM_E_PARAM when one of them is not above 0 or
 * delta with that of the total is not less than 1. */
SCRIM_MUST_USE scrim_status sc_allowance_reserve(sc_allowance *allowance,
                                                 const sc_ratio *epsilon,
                                                 const sc_ratio *delta,
                                                 scrim_error *error);

/* SCRIM_E_PARAM when epsilon and delta allow none. */
SCRIM_MUST_USE scrim_status sc_allowance_rho(const sc_ratio *epsilon,
                                             const sc_ratio *delta, sc_ratio *out,
                                             scrim_error *error);

/* The epsilon that rho has at delta, rounded up to a multiple of 10^-6. SCRIM_E_PARAM when no
 * epsilon follows. */
SCRIM_MUST_USE scrim_status sc_allowance_epsilon(const sc_ratio *rho,
                                                 const sc_ratio *delta, sc_ratio *out,
                                                 scrim_error *error);

/* The charge. */
const sc_exact_cost *sc_allowance_cost(const sc_allowance *allowance);
/* The total in what is summed, and the sum so far. */
const sc_ratio *sc_allowance_total(const sc_allowance *allowance);
const sc_ratio *sc_allowance_used(const sc_allowance *allowance);
/* The sums of what was drawn from the reserve. */
void sc_allowance_reserve_used(const sc_allowance *allowance, sc_ratio *epsilon,
                               sc_ratio *delta);
/* Was nothing drawn yet? */
bool sc_allowance_is_fresh(const sc_allowance *allowance);
/* Has its total neither a rho nor a delta? */
bool sc_allowance_is_pure(const sc_allowance *allowance);
/* Lines that say which releases are alike, as sc_declared_parts; freed by sc_free. */
SCRIM_MUST_USE scrim_status sc_allowance_parts(const sc_allowance *allowance, char **out,
                                               scrim_error *error);

/* For the gate, before a draw: adds the cost of a measurement; to the reserve, if the
 * measurement has no cost in what is summed. SCRIM_E_INTERNAL when it does not fit, promises
 * nothing that is summed here, or is for the reserve behind a draw that is not; then nothing has
 * changed. */
SCRIM_MUST_USE scrim_status sc_allowance_take(sc_allowance *allowance,
                                              const scrim_measurement *measurement,
                                              scrim_error *error);
/* Likewise of all parts of a bundle that is fixed, at once; never out of a reserve. */
SCRIM_MUST_USE scrim_status sc_allowance_take_parts(sc_allowance *allowance,
                                                    const sc_bundle *bundle,
                                                    scrim_error *error);

#endif
