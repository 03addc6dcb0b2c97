/* The constant-time tables that the tests of sampling/constant_table.h go through. */
#ifndef CONSTANT_TABLES_H
#define CONSTANT_TABLES_H

#include "sampling/constant_table.h"

typedef struct constant_sample {
    const char *law, *shape; /* laplace, gaussian, clamped or shifted; a ratio */
    uint64_t bound;          /* of a shifted law: q */
    unsigned width;          /* of a shifted law: the fraction; its edge is 2^40 */
} constant_sample;

#define CONSTANT_SAMPLES 16
extern const constant_sample constant_samples[CONSTANT_SAMPLES];

SCRIM_MUST_USE scrim_status constant_sample_build(sc_constant_table *table,
                                                  const constant_sample *sample,
                                                  scrim_error *error);
bool constant_sample_is_shifted(const constant_sample *sample);

/* The weight of k as an exact ball. */
void constant_table_weight_ball(const sc_constant_table *table, int64_t k, sc_ball *out);

#endif
