/* RAPPOR's counts of report bits, debiased (spec 2.3, steps 1 and 2).
 *
 * A place is a bit of a cohort. `count` of `reports` reports have its bit set; the estimate is unbiased for
 * the number of devices whose signal has it set.
 *
 * Post-processing of reports that are private already: in doubles.
 */
#ifndef SC_LOCAL_SIGNAL_COUNTS_H
#define SC_LOCAL_SIGNAL_COUNTS_H

#include <stdint.h>

/* Chances that a bit of the report is 1 where that of the signal is 0, 1: p* and q*. */
typedef struct sc_signal_chances {
    double zero, one;
} sc_signal_chances;

/* f, p and q as in spec 2.1. */
sc_signal_chances sc_signal_chances_of(double f, double p, double q);
double sc_signal_estimate(const sc_signal_chances *chances, double count, double reports);
/* The variance of the estimate, of randomisation alone, at the estimate clamped to what is possible. */
double sc_signal_variance(const sc_signal_chances *chances, double estimate,
                          double reports);

#endif
