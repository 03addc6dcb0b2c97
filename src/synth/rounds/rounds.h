/* Rounds of a synthesiser: what they cost, and the two places where they look at data. */
#ifndef SC_SYNTH_ROUNDS_H
#define SC_SYNTH_ROUNDS_H

#include "base/number/ratio.h"
#include "ledger/release.h"
#include "scrim/measurement.h"
#include "synth/rounds/records.h"
#include "synth/rounds/synth_released.h"

/* The cost of the rounds of a synthesiser, in exact numbers: noise from a share of rho, and the charge of the
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

/* The noise that a table of `cells` cells has on average, in the l1 norm: floor(cells sqrt(2
 * variance/pi) + 1/2). A public integer. */
int64_t sc_round_noise(uint64_t cells, uint64_t variance_64ths);

/* The two places where a synthesiser looks at data: it selects by integer scores, and it measures counts.
 *
 * Both are draws of one passage within an allowance (ledger/allowance.h), so that what they cost together never
 * passes the total that was charged. Model answers are integers before data are read; a score is an integer
 * function of both.
 *
 * Claim  rounds.two-doors   whatever else happens in a run (what is asked, with how much noise, how often, when it
 *                           ends) is a function of the plan and of earlier answers
 * Claim  rounds.cost        a selection costs D^2 h^2/2 and a measurement of k marginals k Dsq/(2 variance), or
 *                           their epsilons where the allowance is pure, as exact rationals
 * Claim  rounds.score       the score of a marginal moves by at most D when one unit changes
 *
 * Reference  spec/synthetic.md 1
 */

typedef struct sc_rounds {
    sc_passage *passage; /* open, within */
    sc_allowance *allowance;
    sc_records *records; /* their codes may be recoded on the way */
    sc_round_unit unit;
    sc_clique nullable; /* columns whose last category is NULL */
    sc_synth_released
        *released; /* what is drawn is added to it; columns are those of the records */
    void (*progress)(void *context, uint64_t done, uint64_t total); /* rounds; or NULL */
    void *context;
    sc_cancel *cancel; /* NULL: rounds are never ended */
} sc_rounds;

/* Sets what is public in released. SCRIM_E_PARAM for an invalid unit or an allowance of other
 * neighbours. */
SCRIM_MUST_USE scrim_status sc_rounds_begin(sc_rounds *rounds, sc_synth_method method,
                                            scrim_error *error);
void sc_rounds_tell(const sc_rounds *rounds, uint64_t done, uint64_t total);

/* One of count >= 1 candidates, by scores that move by at most move. rate is 2^32 h: the exponential mechanism,
 * or permute-and-flip where the allowance is pure. */
SCRIM_MUST_USE scrim_status sc_rounds_select(sc_rounds *rounds, const int64_t *scores,
                                             size_t count, uint64_t move, uint64_t rate,
                                             size_t *out, scrim_error *error);

/* The counts of 1 to SC_ROUNDS_TABLES marginals with noise on every cell, also on empty ones, in one draw; each
 * becomes a step of released, like the step given but for clique, cells and counts. noise and scale_64ths are those
 * of the step; Laplace noise has its scale for all of them together. */
#define SC_ROUNDS_TABLES 64
SCRIM_MUST_USE scrim_status sc_rounds_measure(sc_rounds *rounds, const sc_clique *cliques,
                                              size_t count, const sc_synth_step *step,
                                              scrim_error *error);
/* The sum of a query over the records, in steps of 1/den, which moves by at most move; a step likewise. */
SCRIM_MUST_USE scrim_status sc_rounds_measure_query(sc_rounds *rounds,
                                                    const sc_linear_query *query,
                                                    uint64_t move,
                                                    const sc_synth_step *step,
                                                    scrim_error *error);

/* One draw of a mechanism within the allowance, into the values of out, which must have room for exactly the answers.
 * SCRIM_E_STATE if the caller has ended the rounds: then the input may not be whole. */
SCRIM_MUST_USE scrim_status sc_rounds_draw(sc_rounds *rounds,
                                           const sc_mechanism *mechanism,
                                           const sc_argument *arguments, size_t count,
                                           const sc_private_input *input, sc_draw out,
                                           scrim_error *error);

/* sum abs(x - m). */
int64_t sc_rounds_distance(const int64_t *x, const int64_t *m, size_t cells);

#endif
