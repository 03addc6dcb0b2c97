/* Draws held against the exact law, by chi-square over bins whose probabilities come from
 * the law's balls:
 *
 *     goodness fit;
 *     goodness_init(&fit, &law, GOODNESS_COARSE);
 *     goodness_count(&fit, draws, count);
 *     CHECK(goodness_holds(&fit));
 *     goodness_clear(&fit);
 */
#ifndef GOODNESS_H
#define GOODNESS_H

#include "check.h"
#include "sampling/law.h"

/* Few bins see a scale that is a little wrong; many see an error inside of a block. */
#define GOODNESS_COARSE 40
#define GOODNESS_FINE 600

/* Bin i holds low[i] .. low[i+1] - 1; the first and the last have no outer end. */
typedef struct goodness {
    size_t bins;
    sc_int128 *low;
    double *probability;
    uint64_t *observed;
} goodness;

/* About `bins` bins of equal length between the 1/1000-quantiles, and two on each side;
 * a bin for each number where there are fewer of them. False, with a failed check, when
 * the law has no quantiles. */
bool goodness_init(goodness *fit, const sc_law *law, size_t bins);
/* Bins that begin at these numbers, of the law on low[0] .. last: what is outside has
 * been left out, and the rest adds up to 1. */
bool goodness_init_part(goodness *fit, const sc_law *law, const sc_int128 *low,
                        size_t bins, sc_int128 last);
void goodness_clear(goodness *fit);

void goodness_count(goodness *fit, const sc_int128 *values, size_t count);
/* The p-value of what was counted, and whether it is above LAWS_FALSE_ALARM. */
double goodness_p(const goodness *fit);
bool goodness_holds(const goodness *fit);

/* The middle of a ball as a double, for statistics. */
double goodness_middle(const sc_ball *x);

#endif
