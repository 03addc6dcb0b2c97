/* The marginals that synthetic rows should have right, and the candidates that are measured for it.
 *
 * A candidate is a non-empty subset of a clique of the workload. It is worth what it has in common with the
 * workload: W_C = sum over its cliques W of weight_W |C and W|, brought to integers before anything is multiplied
 * by it. (A weight of 5/4 that is multiplied first and rounded then moves a score by 2, not by 5/4.)
 *
 * Claim  workload.whole  weights of candidates are whole numbers without a common divisor, in the proportion of
 *                        the sum above
 *
 * Reference  spec/synthetic.md 3, weights
 */
#ifndef SC_SYNTH_WORKLOAD_H
#define SC_SYNTH_WORKLOAD_H

#include "base/number/ratio.h"
#include "synth/model/clique.h"

typedef struct sc_workload {
    const sc_clique *cliques; /* NULL: all pairs, or the one column that there is */
    const sc_ratio *weights;  /* at least 0; NULL: each is 1 */
    size_t count;
} sc_workload;

/* The most columns of a clique of a workload, and the most candidates. */
#define SC_WORKLOAD_WIDTH 8
#define SC_WORKLOAD_CANDIDATES ((size_t)1 << 16)
/* Weights have a common denominator of at most this, and are at most this. */
#define SC_WORKLOAD_WEIGHT ((int64_t)1 << 20)

typedef struct sc_candidate_clique {
    sc_clique clique;
    uint64_t weight; /* at least 1 */
    uint64_t cells;
} sc_candidate_clique;

typedef struct sc_candidates {
    sc_candidate_clique *list; /* ascending as numbers */
    size_t count;
    uint64_t cells; /* of all together */
    uint64_t most;  /* the largest weight */
} sc_candidates;

/* Those of at most most_cells cells, and all single columns. out is filled on success only.
 * SCRIM_E_PARAM for an invalid workload or one without weight, SCRIM_E_LIMIT, SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_candidates_make(const sc_synth_columns *columns,
                                               const sc_workload *workload,
                                               uint64_t most_cells, sc_candidates *out,
                                               scrim_error *error);
void sc_candidates_clear(sc_candidates *candidates);

#endif
