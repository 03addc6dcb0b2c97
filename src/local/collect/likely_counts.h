/* The most likely counts, given a histogram of reports: the update by Bayes' rule, again and again.
 *
 *     n_x <- n_x sum over y of h_y R(y|x) / (sum over x' of n_x' R(y|x'))
 *
 * for protocols with R(y|x) = A/W if y is in S_x, else B/W. No update makes the counts less likely.
 *
 * Claim  likely-counts.rises  the likelihood never falls
 */
#ifndef SC_LOCAL_LIKELY_COUNTS_H
#define SC_LOCAL_LIKELY_COUNTS_H

#include "local/collect/report_sums.h"

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
/* So many updates, from equal counts, of a histogram; smooth averages neighbours after each. */
SCRIM_MUST_USE scrim_status sc_likely_update(sc_likely *likely, const double *histogram,
                                             unsigned updates, bool smooth,
                                             double *counts, scrim_error *error);

#endif
