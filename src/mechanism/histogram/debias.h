/* The de-biased view of a released histogram: y + q/2 on the bars that are shown.
 *
 * What is released lies q/2 below the truth on average. This view does not, where bars are high;
 * but it may show more than there is, so that none of the one-sided statements of bars.h, and none
 * of the statistics that use them, holds of it. It is asked for by this name, and nothing else uses
 * it.
 *
 * Claim  debias.mean  the mean of the view of a bar of x elements is x where x > q, and else within
 *                     q/2 times the probability that the bar is not shown
 *
 * Reference  spec/flexible-accuracy.md 10
 */
#ifndef SC_MECHANISM_HISTOGRAM_DEBIAS_H
#define SC_MECHANISM_HISTOGRAM_DEBIAS_H

#include "mechanism/histogram/bars.h"

/* Of a place; 0 where nothing is shown. */
void sc_bars_debiased(const sc_bars *bars, uint64_t place, sc_ratio *out);

#endif
