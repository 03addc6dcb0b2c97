/* All small histograms, for tests by enumeration. */
#ifndef SMALL_HEIGHTS_H
#define SMALL_HEIGHTS_H

#include "lab/experiment/simulated_bars.h"

/* The next of all histograms with these bars of at most most elements; begin with zeros. False
 * past the last, which is followed by zeros again. */
static inline bool small_heights_next(lab_bars *x, int64_t most)
{
    for (size_t i = 1; i <= x->count; i++) {
        if (x->at[i]++ < most)
            return true;
        x->at[i] = 0;
    }
    return false;
}

#endif
