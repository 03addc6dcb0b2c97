/* Simulated histograms, and the statistics that the experiments ask of them.
 *
 * Bars are numbered from 1, as in spec/flexible-accuracy.md 13; at[0] is not used. The data are
 * made by the experiments themselves: nothing of this layer ever sees a protected dataset.
 */
#ifndef SC_EXPERIMENT_HEIGHTS_H
#define SC_EXPERIMENT_HEIGHTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SC_HEIGHTS_MAX 300

typedef struct sc_heights {
    size_t bars; /* B, 1 to SC_HEIGHTS_MAX */
    int64_t at[SC_HEIGHTS_MAX + 1];
} sc_heights;

/* max_k, the largest i with x(i) >= k, 0 when no bar has so many; max is max_1. Or the mode, the
 * smallest index of the highest bar. */
typedef struct sc_height_statistic {
    bool is_mode;
    int64_t k; /* of max_k, at least 1 */
} sc_height_statistic;

int64_t sc_heights_total(const sc_heights *x);
int64_t sc_heights_most(const sc_heights *x);
/* From 0 to B for max_k, from 1 to B for the mode. */
size_t sc_heights_value(const sc_height_statistic *f, const sc_heights *x);
/* The same of a released histogram: one without a single element is EMPTY and counts as 0. */
size_t sc_heights_answer(const sc_height_statistic *f, const sc_heights *released);

#endif
