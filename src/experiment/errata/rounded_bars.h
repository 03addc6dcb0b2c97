/* The histogram of erratum 12: noise on [-q, 0] whose width q is a tenth of the number of elements, added
 * to each bar, then rounded to the nearest integer. */
#ifndef SC_EXPERIMENT_ROUNDED_BARS_H
#define SC_EXPERIMENT_ROUNDED_BARS_H

#include "experiment/errata/working.h"

/* delta at epsilon 1 of so many large bars with 200 elements, and 201 of which one more is in the first
 * bar: the hockey stick over all outcomes, in the worse direction. At most 3 bars are quick. */
void sc_rounded_bars_delta(sc_working *w, sc_working_part part, const char *name,
                           unsigned bars, const char *what);

#endif
