/* The errors of many runs, counted: integers, so that the order in which they are added changes
 * nothing. */
#ifndef SC_EXPERIMENT_ERROR_TALLY_H
#define SC_EXPERIMENT_ERROR_TALLY_H

#include "base/checked.h"
#include "experiment/heights.h"
#include "scrim/experiment.h"

typedef struct sc_error_tally {
    uint64_t counts[SC_HEIGHTS_MAX + 1]; /* runs by their error, in bars */
    sc_uint128
        set_squares;  /* over finished data sets, of the sum of the errors of each */
    uint64_t set_sum; /* of the data set that is not finished */
} sc_error_tally;

void sc_error_tally_add(sc_error_tally *tally, uint32_t error);
void sc_error_tally_end_set(sc_error_tally *tally);
/* Adds what another has counted; both are between data sets. */
void sc_error_tally_merge(sc_error_tally *tally, const sc_error_tally *other);

/* Mean, standard error and quantile in percent of the number of bars; the rest of out is left as
 * it is. by_set: the data sets differ, and the runs on one of them are not independent. */
void sc_error_tally_tell(const sc_error_tally *tally, size_t bars, uint64_t sets,
                         bool by_set, scrim_experiment_error *out);

#endif
