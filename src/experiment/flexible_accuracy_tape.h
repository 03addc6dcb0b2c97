/* Experiments of test builds: see random/bits_tape.h. */
#ifndef SC_EXPERIMENT_FLEXIBLE_ACCURACY_TAPE_H
#define SC_EXPERIMENT_FLEXIBLE_ACCURACY_TAPE_H

#ifndef SCRIM_TESTING
#error "flexible_accuracy_tape.h is for test builds"
#endif

#include "scrim/experiment.h"

#include <stdint.h>

/* scrim_experiment_flexible_accuracy from a seed: NOT PRIVATE, and then nothing here is. */
SCRIM_MUST_USE scrim_status
sc_flexible_accuracy_seeded(const scrim_experiment_options *options, uint64_t seed,
                            scrim_experiment **out, scrim_error *error);

#endif
