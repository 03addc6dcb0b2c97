/* Estimates made plausible: no count below 0, and all of them add up to the number of reports. This is free
 * post-processing and has a price: it is biased, most of all for rare values. Each says how much, by
 * collections that are simulated as if the refined counts were the truth.
 *
 *     simplex    the nearest counts with that property; norm-sub, which shifts the positive ones until they
 *                add up, ends at the same counts
 *     em         the most likely ones, by that many updates by Bayes' rule from equal counts; of protocols
 *                whose sums are a histogram of reports
 *     em-smooth  likewise, and neighbouring values are averaged (1/4, 1/2, 1/4) after each; of square-wave
 */
#ifndef SC_LOCAL_REFINEMENT_H
#define SC_LOCAL_REFINEMENT_H

#include "local/collect/decoding.h"

typedef struct sc_refinement {
    double *counts;   /* one a value */
    unsigned updates; /* 0: it has none */
    /* Of how many simulated collections; the mean of refined count less truth, over values whose refined
     * count is 0, and over the others, of which there are so many. */
    unsigned simulated;
    size_t zeros;
    double bias_of_zeros, bias_of_others;
} sc_refinement;

/* SCRIM_E_PARAM: there is no such name, or it is not for this protocol. updates = 0: 200. */
SCRIM_MUST_USE scrim_status sc_refine(const char *name, unsigned updates,
                                      const sc_sums *sums, const sc_decoding *decoding,
                                      sc_refinement *out, scrim_error *error);
void sc_refinement_clear(sc_refinement *refinement);

#endif
