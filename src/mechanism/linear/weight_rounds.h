/* MWEM: counts of public bins that are multiplied towards the queries they answer worst.
 *
 * Input       counts x of public bins, each cut to max-count; a unit has at most max-rows rows, r
 * Output      counts of the same bins, whole numbers of sum N but for rounding
 * Rounds      T of them: selects the query q of the largest |q(x) - a|, a = floor(q(A) + 1/2) in steps, by
 *             permute-and-flip of rate e/(2 D); draws y = q(x) + Laplace noise of scale D/e, brought into 0 to N; moves
 *             the weights A towards all y so far, 10 times; e = epsilon/(2 T), D = r max q in steps
 * Queries     as those of linear-queries: coefficients from 0 to 1, or a workload
 * Neighbours  add-remove or replace: N is a parameter, not the number of rows of the data
 * Claim       mwem.privacy   pure epsilon-DP
 * Claim       mwem.exact     the law of the selected queries and their values is exactly that; the counts follow
 *                            from them
 * Claim       mwem.accuracy  in all rounds together the error of the query that is selected is within the radius of the
 *                            largest one, with the stated probability
 * Claim       mwem.learns    with little noise the counts answer the queries as the data do
 * Time        T |Q| bins, and T^2 bins for the weights; neither depends on the data
 * Reference   Hardt, Ligett, McSherry 2012; spec/mechanisms.md 10.3, spec/synthetic.md 4
 *
 * The key of the law is what was released, T times the query and its value, and not the counts, which are public once
 * these are known.
 */
#ifndef SC_MECHANISM_WEIGHT_ROUNDS_H
#define SC_MECHANISM_WEIGHT_ROUNDS_H

#include "mechanism/linear/weight_queries.h"

#define SC_WEIGHT_ROUNDS_MAX 64

extern const sc_mechanism sc_mwem;

/* A round that was drawn. */
typedef struct sc_weight_round {
    size_t query;
    int64_t value;
} sc_weight_round;

/* The counts of all bins that follow from `count` rounds. */
void sc_weight_rounds_counts(const scrim_measurement *measurement,
                             const sc_weight_round *rounds, size_t count, int64_t *out);

#endif
