/* MWEM: a weight for every possible row, multiplied towards what is measured. For few columns.
 *
 * The number of rows is measured first. Each round selects the marginal, or the single query, on which the model is
 * worst, measures it, and updates the weights by everything measured so far. A marginal that was measured is selected
 * again only when all of them were.
 *
 * Where the allowance is pure, selection is permute-and-flip and noise is Laplace; else it is the exponential
 * mechanism and Gaussian noise.
 *
 * Claim  mwem-rounds.schedule  the number of rounds, scales and rates are public functions of the plan, and their cost
 *                              is at most the total
 * Claim  mwem-rounds.score     the score of a query with denominator den moves by at most r den max q
 * Claim  mwem-rounds.adult     on five columns of the Adult table at epsilon 1, delta 1e-9, the mean total variation of
 *                              all pairs of rows is at most 0.023
 *
 * Reference  Hardt, Ligett, McSherry 2012; spec/synthetic.md 4
 */
#ifndef SC_SYNTH_MWEM_ROUNDS_H
#define SC_SYNTH_MWEM_ROUNDS_H

#include "synth/model/weight_model.h"
#include "synth/rounds/rounds.h"
#include "synth/rounds/synth_released.h"

#define SC_MWEM_DEN ((uint32_t)1 << 20)
#define SC_MWEM_ROUNDS ((uint64_t)1 << 16)

/* All of it public. */
typedef struct sc_mwem_plan {
    const sc_clique *cliques;       /* whole marginals, at least one; or */
    const sc_linear_query *queries; /* with one denominator, from 1 to SC_MWEM_DEN */
    size_t count;
    uint64_t rounds; /* 0: as many as there are, at most 16 */
    unsigned passes,
        last_passes; /* of the update after each round, and after all; at least 1 */
    const sc_synth_zero *zeros;
    size_t zero_count;
    sc_ratio counting,
        selecting; /* shares of the number of rows, and of the rest of selections; above 0, below 1 */
} sc_mwem_plan;

void sc_mwem_plan_init(
    sc_mwem_plan *plan); /* shares 1/50 and 1/10, 100 passes and 100 more */
void sc_mwem_plan_clear(sc_mwem_plan *plan);
uint64_t sc_mwem_rounds(const sc_mwem_plan *plan); /* as many as it will have */

/* Before a charge: the noise of a round, in 64ths, a variance, or a scale where it is pure.
 * SCRIM_E_PARAM for an invalid plan, SCRIM_E_LIMIT. */
SCRIM_MUST_USE scrim_status sc_mwem_noise(const sc_mwem_plan *plan,
                                          const sc_synth_columns *columns,
                                          const sc_round_unit *unit,
                                          const sc_ratio *total, bool is_pure,
                                          uint64_t *out, scrim_error *error);
/* Draws all of it. model gets the weights after the last update. */
SCRIM_MUST_USE scrim_status sc_mwem_run(sc_rounds *rounds, const sc_mwem_plan *plan,
                                        sc_weight_model **model, scrim_error *error);

#endif
