/* Statistics of a released histogram that look at heights: mode, and max_k, the last place that
 * holds at least k elements (not the k-th largest element).
 *
 * Input       a released histogram y of x; max_k: of one axis
 * Output      a finding; the first place of the largest count. EMPTY where no bar is shown, or
 *             none with k
 * Claim       mode.run    on every run x(mode(y)) >= max_g x(g) - q
 * Claim       mode.max-k  on every run max_{k+q}(x) <= max_k(y) <= max_k(x), where no such place is
 *                         below every place
 * Claim       mode.flexible  (alpha, 0, 0) for drop where places are single numbers. In buckets no
 *                         beta can be promised (for k = 1, the maximum, it can): moving elements by
 *                         any distance above 0 may move the value across the whole range. What
 *                         remains is the drop-move form
 * Time        linear in the bars shown
 * Reference   spec/flexible-accuracy.md 10, with the counterexamples
 */
#ifndef SC_MECHANISM_HISTOGRAM_MODE_H
#define SC_MECHANISM_HISTOGRAM_MODE_H

#include "mechanism/histogram/finding.h"

void sc_bars_mode(const sc_bars *bars, sc_exact_finding *out);
/* SCRIM_E_PARAM for k = 0 or more than one axis, SCRIM_E_LIMIT above SC_BARS_COUNT_MAX; else the
 * caller clears out. */
SCRIM_MUST_USE scrim_status sc_bars_max_k(const sc_bars *bars, uint64_t k,
                                          sc_exact_finding *out, scrim_error *error);

#endif
