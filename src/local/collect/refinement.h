/* Counts made plausible: the nearest ones that are not negative, and the most likely ones. */
#ifndef SC_LOCAL_REFINEMENT_H
#define SC_LOCAL_REFINEMENT_H

#include "base/status.h"
#include "local/collect/decoding.h"
#include "local/collect/report_sums.h"

#include <stddef.h>

/* The nearest counts that are not negative and add up to total. */

/* counts are replaced: each becomes max(0, count - t), for the t that makes the sum right. total > 0.
 * SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_simplex_counts(double *counts, size_t count, double total,
                                              scrim_error *error);

/* The most likely counts, given a histogram of reports: the update by Bayes' rule, again and again.
 *
 *     n_x <- n_x sum over y of h_y R(y|x) / (sum over x' of n_x' R(y|x'))
 *
 * for protocols with R(y|x) = A/W if y is in S_x, else B/W, and for condensed-exponential of numbers. No update makes the counts less likely.
 *
 * Claim  likely-counts.rises  the likelihood never falls
 */

typedef struct sc_likely sc_likely;

/* SCRIM_E_PARAM: the protocol has no such histogram. */
SCRIM_MUST_USE scrim_status sc_likely_new(const scrim_local_config *config,
                                          sc_likely **out, scrim_error *error);
void sc_likely_free(sc_likely *likely); /* NULL is allowed */

/* How many reports the histogram has; and how many of each kind are expected if the counts are the
 * truth. */
size_t sc_likely_cells(const sc_likely *likely);
SCRIM_MUST_USE scrim_status sc_likely_expect(sc_likely *likely, const double *counts,
                                             double *expected, scrim_error *error);
/* Runs `updates` updates on a histogram, starting from equal counts; after each, a value keeps 1 - 2 smoothing of its count
 * and gives `smoothing` to either neighbour; 0 to 1/4. */
SCRIM_MUST_USE scrim_status sc_likely_update(sc_likely *likely, const double *histogram,
                                             unsigned updates, double smoothing,
                                             double *counts, scrim_error *error);

/* Estimates made plausible: no count below 0, and all of them add up to the number of reports. This is free
 * post-processing and has a price: it is biased, most of all for rare values. Each says how much, by
 * collections that are simulated as if the refined counts were the truth.
 *
 *     simplex    the nearest counts with that property; norm-sub, which shifts the positive ones until they
 *                add up, ends at the same counts
 *     em         the most likely ones, by that many updates by Bayes' rule from equal counts; of protocols
 *                whose sums are a histogram of reports
 *     em-smooth  likewise, and neighbouring values are averaged (1/4, 1/2, 1/4) after each; of square-wave and
 *                condensed-exponential. Where the
 *                reports contradict the smooth counts, weights are halved: chi-square of the reports may exceed that of
 *                em by one standard deviation. Its bias is measured as if the counts of em were the truth, since a
 *                smooth truth would hide what smoothing takes away
 *
 * Claim  refinement.fits  smoothing never adds more than a standard deviation to the chi-square of the reports, unless its
 *                         weights are the least, 1/1024
 */

typedef struct sc_refinement {
    double *counts;   /* one a value */
    unsigned updates; /* 0: the method makes no updates */
    /* The number of simulated collections; the mean of refined count less truth, over values whose refined
     * count is 0, of which there are `zeros`, and over the others. */
    unsigned simulated;
    size_t zeros;
    double bias_of_zeros, bias_of_others;
    /* The size of the mean of a value, on average and of the value where it is largest. */
    double typical, largest;
    size_t largest_value;
    double smoothing; /* the weight of a neighbour; 0: none */
} sc_refinement;

/* SCRIM_E_PARAM: there is no such name, or it is not for this protocol. updates = 0: 200. */
SCRIM_MUST_USE scrim_status sc_refine(const char *name, unsigned updates,
                                      const sc_sums *sums, const sc_decoding *decoding,
                                      sc_refinement *out, scrim_error *error);
void sc_refinement_clear(sc_refinement *refinement);

#endif
