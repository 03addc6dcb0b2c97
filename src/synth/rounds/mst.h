/* MST: one-way marginals, then pairs that form a tree.
 *
 * The one-way marginals are measured, rare categories are merged by the noisy counts, and pairs are scored by how far
 * they are from a model in which columns are independent. One pair after the other is selected among those
 * that join two components; then all of them are measured.
 *
 * Claim  mst.schedule  variances, rates, the number of selections and what is measured are those of
 *                      spec/synthetic.md 2, public functions of the plan
 * Claim  mst.tree      the measured pairs form a tree, or a forest with the components of all candidates
 * Claim  mst.adult     on the Adult table at epsilon 1, delta 1e-9, the mean total variation of all pairs of rows is
 *                      at most 0.0375
 *
 * Reference  McKenna, Miklau, Sheldon 2021; spec/synthetic.md 2
 */
#ifndef SC_SYNTH_MST_H
#define SC_SYNTH_MST_H

#include "synth/rounds/rounds.h"

/* All of it public. */
typedef struct sc_mst_plan {
    sc_ratio
        shares[3]; /* of one-way marginals, of selections, of pairs; above 0, of sum 1 */
    const sc_clique *edges; /* declared pairs, which are measured without a selection */
    size_t edge_count;      /* at most the columns less 1, and without a circle */
    bool is_kept;           /* all categories are kept; false: rare ones are merged */
} sc_mst_plan;

void sc_mst_plan_init(sc_mst_plan *plan); /* 2/5, 1/10, 1/2; no edges */
void sc_mst_plan_clear(sc_mst_plan *plan);

/* Pairs with more cells are no candidates. */
#define SC_MST_PAIR_CELLS ((uint64_t)1 << 24)

/* To be called before a charge. SCRIM_E_PARAM for an invalid plan, SCRIM_E_LIMIT where the total
 * rho is too small for its noise. */
SCRIM_MUST_USE scrim_status sc_mst_check(const sc_mst_plan *plan,
                                         const sc_synth_columns *columns,
                                         const sc_round_unit *unit, const sc_ratio *total,
                                         scrim_error *error);
/* Draws all measurements and selections. The allowance must be concentrated, not pure. */
SCRIM_MUST_USE scrim_status sc_mst_run(sc_rounds *rounds, const sc_mst_plan *plan,
                                       scrim_error *error);

#endif
