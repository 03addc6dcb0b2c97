/* The published histogram whose q is tau times the number of elements: the law of its answers, so
 * that the claim that was made for it can be held against what it does.
 *
 * Each of t bars gets noise of continuous_stlap.h with q = tau n, n the number of all elements, and
 * is rounded to the nearest integer; no bar is near 0. One element more moves q, and with it the
 * law of every bar. Bars that do not change are alike: of them it is told only how many fell into
 * each of few classes, within which the two laws have a constant ratio, so that no divergence is
 * lost.
 *
 * Reference  spec/flexible-accuracy.md 6
 */
#ifndef SIZE_DEPENDENT_H
#define SIZE_DEPENDENT_H

#include "model/outcomes.h"

typedef struct size_dependent {
    sc_ball epsilon;
    sc_ratio tau;
    uint64_t elements; /* of the smaller of the two histograms */
    size_t bars;
    bool is_floor; /* q = floor(tau n) instead, and the discrete law */
} size_dependent;

/* The law of the smaller histogram, or of the larger one, whose first bar has an element more. out
 * is of width 1. False without memory, or with more than 12 classes. */
bool size_dependent_law(const size_dependent *s, bool is_larger, long bits,
                        sc_outcomes *out);
/* delta at an epsilon, the larger of both directions. */
void size_dependent_delta(const size_dependent *s, const sc_ball *epsilon, long bits,
                          sc_ball *out);

#endif
