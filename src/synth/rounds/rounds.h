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
#ifndef SC_SYNTH_ROUNDS_H
#define SC_SYNTH_ROUNDS_H

#include "ledger/release.h"
#include "synth/rounds/records.h"
#include "synth/rounds/round_budget.h"
#include "synth/rounds/synth_released.h"

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

/* Sets what is public in released. SCRIM_E_PARAM for a unit that is none or an allowance of other neighbours. */
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

/* One draw of a mechanism within the allowance, into values, which has room for so many answers. SCRIM_E_STATE if the
 * caller has ended the rounds: then the input may not be whole. */
SCRIM_MUST_USE scrim_status sc_rounds_draw(sc_rounds *rounds,
                                           const sc_mechanism *mechanism,
                                           const sc_argument *arguments, size_t count,
                                           const sc_private_input *input,
                                           sc_int128 *values, size_t answers,
                                           scrim_error *error);

/* sum abs(x - m). */
int64_t sc_rounds_distance(const int64_t *x, const int64_t *m, size_t cells);

#endif
