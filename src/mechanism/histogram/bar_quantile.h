/* Quantiles of a released histogram by the lower convention, inf {v : F(v) >= phi}: the place of
 * rank r = ceil(phi |y|), 1 for the smallest. The median is the quantile 1/2.
 *
 * Input       a released histogram y of x on one axis, phi rational in (0, 1]
 * Output      a finding; EMPTY where no bar is shown
 * Claim       bar-quantile.run  on every run the value is an element of x (in its bucket) that has
 *                            a rank there from r to r + q p, for at most p places below the value
 *                            that are not empty
 * Claim       bar-quantile.flexible  (alpha, beta, 0) for drop, beta the error of the buckets
 * Time        linear in the bars shown
 * Reference   spec/flexible-accuracy.md 10
 */
#ifndef SC_MECHANISM_HISTOGRAM_BAR_QUANTILE_H
#define SC_MECHANISM_HISTOGRAM_BAR_QUANTILE_H

#include "mechanism/histogram/finding.h"

/* SCRIM_E_PARAM for a phi outside of (0, 1], or more than one axis. Else the caller clears out. */
SCRIM_MUST_USE scrim_status sc_bars_quantile(const sc_bars *bars, const sc_ratio *phi,
                                             sc_exact_finding *out, scrim_error *error);
SCRIM_MUST_USE scrim_status sc_bars_median(const sc_bars *bars, sc_exact_finding *out,
                                           scrim_error *error);

#endif
