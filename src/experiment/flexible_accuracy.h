/* The harness of scrim/experiment.h, with the bits to be had from anywhere: one stream a data set,
 * so that what is drawn does not depend on who draws it. */
#ifndef SC_EXPERIMENT_FLEXIBLE_ACCURACY_H
#define SC_EXPERIMENT_FLEXIBLE_ACCURACY_H

#include "random/bits.h"
#include "scrim/experiment.h"

/* Opens and closes a stream; called by every worker, perhaps at the same time. */
typedef struct sc_bit_streams {
    scrim_status (*begin)(const void *context, uint64_t stream, void **handle,
                          scrim_error *error);
    sc_bits *(*bits)(void *handle);
    void (*end)(void *handle);
    const void *context;
} sc_bit_streams;

SCRIM_MUST_USE scrim_status sc_flexible_accuracy_run(
    const scrim_experiment_options *options, const sc_bit_streams *streams,
    scrim_experiment **out, scrim_error *error);

#endif
