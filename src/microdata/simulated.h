/* Intervals for whole counts by simulation: noise, least squares and the whole solution are repeated with the released
 * counts in the place of the truth, from public coins.
 *
 * They are no guarantee. A released count that clipping has moved away from a small true one is repeated with the
 * moved value: at a true count of half a noise deviation such an interval of 95 % holds half of the time. The interval of
 * the estimate before the last step is the one to rely on.
 *
 * Claim      simulated.public  the intervals are a function of the released counts, the noise and the key alone
 * Reference  spec/synthetic.md 5
 */
#ifndef SC_MICRODATA_SIMULATED_H
#define SC_MICRODATA_SIMULATED_H

#include "microdata/error_bound.h"
#include "microdata/known_counts.h"
#include "microdata/least_squares.h"

/* Runs times counts. */
#define SC_SIMULATED_NUMBERS ((size_t)1 << 25)

/* Runs of any computation of whole counts. */
typedef struct sc_simulated_runs {
    size_t numbers; /* how many counts one run has */
    size_t runs;
    double confidence;
    /* One run: counts that are released where the truth is that of the simulation. */
    scrim_status (*run)(void *context, size_t run, int64_t *counts, scrim_error *error);
    void *context;
    void (*progress)(void *context, uint64_t done, uint64_t total); /* NULL: none */
    void *progress_context;
} sc_simulated_runs;

/* Can so many counts be simulated so often? */
bool sc_simulated_fits(size_t numbers, size_t runs);
/* low and high have a number for each count. SCRIM_E_LIMIT for more than SC_SIMULATED_NUMBERS, SCRIM_E_MEMORY, and as run. */
SCRIM_MUST_USE scrim_status sc_simulate_runs(const sc_simulated_runs *runs,
                                             const int64_t *counts, int64_t *low,
                                             int64_t *high, scrim_error *error);
/* A noise from public coins: those of a run, by the number of the noise. */
double sc_simulated_noise(const sc_level_noise *noise, const sc_hash_half *run,
                          uint64_t number);

typedef struct sc_simulation {
    const sc_squares *squares;   /* an infinite or zero variance draws no noise */
    const sc_level_noise *noise; /* of each level */
    const size_t *starts;        /* of each level, and the number of nodes; */
    size_t levels;
    const sc_known_counts *known; /* NULL: none */
    sc_hash_key key;              /* public */
    size_t runs;
    double confidence;
    void (*progress)(void *context, uint64_t done, uint64_t total); /* NULL: none */
    void *progress_context;
} sc_simulation;

/* low and high have a number for each node. As sc_simulate_runs. */
SCRIM_MUST_USE scrim_status sc_simulate(const sc_simulation *simulation,
                                        const int64_t *counts, int64_t *low,
                                        int64_t *high, scrim_error *error);

/* The whole counts nearest to estimates: nearest, ties to even, within the limits of the projection. */
int64_t sc_nearest_count(double estimate);

#endif
