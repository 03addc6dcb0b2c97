/* Statistics with a false-alarm rate written down beforehand. */
#ifndef LAWS_H
#define LAWS_H

#include <stddef.h>
#include <stdint.h>

/* The false-alarm rate of one test: an honest sampler fails with this probability. */
#define LAWS_FALSE_ALARM 1e-9

/* P(chi-square with cells-1 degrees of freedom >= the statistic of these counts). Cells
 * with an expectation below 10 are pooled with their neighbours first; an observation
 * where the probability is 0 gives 0, and so do probabilities that do not sum to 1
 * (within 1e-6): a tail that is left out belongs in a cell of its own. */
double laws_chi_square(const uint64_t *observed, const double *probability, size_t cells);

/* P(|N(0,1)| >= |z|). */
double laws_normal_two_sided(double z);

/* The statistic of Welch's t-test. */
double laws_welch_t(const double *a, size_t a_count, const double *b, size_t b_count);

/* The correlation coefficient of two series. */
double laws_correlation(const double *a, const double *b, size_t count);

#endif
