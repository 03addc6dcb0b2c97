/* Ends of a released histogram: maximum, minimum, range, support; and its total.
 *
 * Input       a released histogram y of x, with 0 <= x(g) - y(g) <= q, one axis (support and
 *             total: any number)
 * Output      a finding; EMPTY where no bar is shown (the support is then the empty set, the
 *             total 0)
 * Claim       extremes.run   on every run max_{1+q}(x) <= max(y) <= max(x), where max_k is the
 *                            last place that holds at least k; the mirror image for the minimum;
 *                            {x > q} is in the support of y, and that in the support of x;
 *                            |x| - q t <= |y| <= |x| for t places that are not empty
 * Claim       extremes.flexible  (alpha, beta, 0) for drop: beta is the error of the buckets for
 *                            maximum, minimum, interval and support (Hausdorff), twice that for the
 *                            range as a number; alpha what was left out
 * Time        linear in the bars shown at most
 * Reference   spec/flexible-accuracy.md 10
 */
#ifndef SC_MECHANISM_HISTOGRAM_EXTREMES_H
#define SC_MECHANISM_HISTOGRAM_EXTREMES_H

#include "mechanism/histogram/finding.h"

/* Each initialises out, which the caller clears, unless it fails. SCRIM_E_PARAM where places have
 * no order: there is more than one axis. */
SCRIM_MUST_USE scrim_status sc_bars_max(const sc_bars *bars, sc_exact_finding *out,
                                        scrim_error *error);
SCRIM_MUST_USE scrim_status sc_bars_min(const sc_bars *bars, sc_exact_finding *out,
                                        scrim_error *error);
SCRIM_MUST_USE scrim_status sc_bars_range(const sc_bars *bars, sc_exact_finding *out,
                                          scrim_error *error);
SCRIM_MUST_USE scrim_status sc_bars_interval(const sc_bars *bars, sc_exact_finding *out,
                                             scrim_error *error);
/* The value is how many places are shown; the places are those of bars. */
void sc_bars_support(const sc_bars *bars, sc_exact_finding *out);
void sc_bars_total(const sc_bars *bars, sc_exact_finding *out);

/* One axis? */
SCRIM_MUST_USE scrim_status sc_bars_check_order(const sc_bars *bars, sc_finding_kind kind,
                                                scrim_error *error);

#endif
