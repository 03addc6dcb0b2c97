/* What the rounds of a synthesiser cost, in exact numbers: noise from a share of rho, and the charge of the
 * noise that was rounded.
 *
 * A variance is a multiple of 1/64, and a rate h of a selection one of 2^-32; both are rounded so that they
 * cost no more than their share. What is charged is the exact cost of the rounded number.
 *
 *     one marginal moves by         D = r in the l1 norm, Dsq = r^2 squared in the l2 norm    (add-remove)
 *                                   D = 2 r,              Dsq = 2 r^2                         (replace)
 *     k marginals at variance v     rho = k Dsq/(2 v)
 *     a selection at rate h         rho = D^2 h^2/2, D the sensitivity of its scores
 *
 * Claim  round-budget.sensitivity  no unit of at most r rows moves a score sum abs(x - m), a marginal or k of
 *                                  them further
 * Claim  round-budget.within       the cost of what is found for a share is at most the share
 * Claim  round-budget.exact        variances, rates and costs are those of the specification, to the last
 *                                  rational
 *
 * Reference  spec/synthetic.md 1.1, 1.2
 */
#ifndef SC_SYNTH_ROUND_BUDGET_H
#define SC_SYNTH_ROUND_BUDGET_H

#include "base/number/ratio.h"
#include "scrim/measurement.h"

/* Whose rows are protected: a unit has at most rows rows. */
typedef struct sc_round_unit {
    scrim_neighbours neighbours;
    uint64_t rows; /* from 1 to SC_ROUND_ROWS_MAX */
} sc_round_unit;

#define SC_ROUND_ROWS_MAX ((uint64_t)1 << 20)
#define SC_ROUND_RATE_BITS 32

/* SCRIM_E_PARAM unless the neighbours are add-remove or replace, and rows within its limits. */
SCRIM_MUST_USE scrim_status sc_round_unit_check(const sc_round_unit *unit,
                                                scrim_error *error);
/* D and Dsq. */
uint64_t sc_round_move(const sc_round_unit *unit);
uint64_t sc_round_square(const sc_round_unit *unit);

/* The variance in 64ths for a share of rho: ceil(64 square/(2 share)), square below 2^100. SCRIM_E_LIMIT above 2^62. */
SCRIM_MUST_USE scrim_status sc_round_variance(const sc_ratio *share, sc_uint128 square,
                                              uint64_t *out, scrim_error *error);
/* floor(sqrt(2^65 share/rounds)): divided by D, and rounded down, it is h 2^32. SCRIM_E_LIMIT where that is 0 for
 * D = most_move, or beyond 2^62. */
SCRIM_MUST_USE scrim_status sc_round_rate(const sc_ratio *share, uint64_t rounds,
                                          uint64_t most_move, uint64_t *out,
                                          scrim_error *error);

/* The same from a share of a pure epsilon: 2^32 h = floor(2^31 share/D); and the scale of Laplace noise in 64ths,
 * ceil(64 sum/share), sum the l1 sensitivity of what is measured. */
SCRIM_MUST_USE scrim_status sc_round_pure_rate(const sc_ratio *share, uint64_t move,
                                               uint64_t *out, scrim_error *error);
SCRIM_MUST_USE scrim_status sc_round_scale(const sc_ratio *share, uint64_t sum,
                                           uint64_t *out, scrim_error *error);

/* square/(2 variance), and D^2 h^2/2. */
void sc_round_measure_cost(sc_uint128 square, uint64_t variance_64ths, sc_ratio *out);
void sc_round_select_cost(uint64_t move, uint64_t rate, sc_ratio *out);

/* The noise that a table of so many cells has on average, in the l1 norm: floor(cells sqrt(2 variance/pi) + 1/2).
 * A public integer. */
int64_t sc_round_noise(uint64_t cells, uint64_t variance_64ths);

#endif
