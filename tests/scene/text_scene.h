/* Devices that hold texts, for tests of decoders: draws in doubles, and the counts of RAPPOR's reports
 * without making a report for each device. */
#ifndef TEXT_SCENE_H
#define TEXT_SCENE_H

#include "local/texts/text_system.h"

/* The next number of a seed, from 0 on and below 1; and a draw of the binomial law. */
double scene_uniform(uint64_t *seed);
uint64_t scene_binomial(uint64_t n, double p, uint64_t *seed);
/* Divides n devices among `count` values by their weights. */
void scene_divide(uint64_t n, const double *weights, size_t count, uint64_t *out,
                  uint64_t *seed);

/* Laws of the regression tests of google/rappor. */
typedef enum scene_law {
    SCENE_UNIFORM,
    SCENE_EXPONENTIAL,
    SCENE_NORMAL,
    SCENE_ZIPF,
    SCENE_ZIPF_STEEP
} scene_law;
void scene_weights(scene_law law, size_t count, double *out);

/* A design whose columns set bits at random. */
void scene_design(sc_text_design *design, uint64_t *seed);
/* The counts of held[s] devices that hold the text of column s, for all columns: bits of a report are
 * independent of each other given the texts, so that each count is a sum of two binomial draws. */
void scene_counts(const sc_text_design *design, const uint64_t *held,
                  const sc_signal_chances *chances, uint64_t *reports, uint64_t *ones,
                  uint64_t *seed);

#endif
