/* Experiments: mechanisms beside those of others, on data that are simulated here.
 *
 * Flexible accuracy: the largest bar, the largest bar of 500, the mode, of six kinds of histograms,
 * by scrim's one-sided histogram (stlap) and by six competitors, all at the same epsilon and
 * delta = 2^-20 for one element added or removed:
 *
 *     scrim_experiment *found = NULL;
 *     scrim_error error;
 *     if (scrim_experiment_flexible_accuracy(
 *             SCRIM_OPTIONS(scrim_experiment_options, .only = 4, .runs = 10), &found,
 *             &error) != SCRIM_OK)
 *         fputs(error.message, stderr);
 *     else
 *         for (size_t i = 0; scrim_experiment_row_at(found, i) != NULL; i++)
 *             puts(scrim_experiment_row_at(found, i)->mechanism);
 *     scrim_experiment_free(found);
 *
 * The functions of this family take no file, no ledger and no vault: no protected data can come
 * near them, and the competitors are to be had in no other way.
 *
 * The raw error of an answer is its distance in bars from the true value; the flexible error is its
 * distance from the nearest value that the data have after at most 0.5 % of their elements are
 * dropped. Both are told in percent of the number of bars.
 *
 * Claim  experiment.errors   where a row has an expected error, the mean of its runs has it for its
 *                            expectation
 * Claim  experiment.workers  the same bits give the same rows, however many workers there are
 *
 * Reference  docs/flexible-accuracy.md
 */
#ifndef SCRIM_EXPERIMENT_H
#define SCRIM_EXPERIMENT_H

#include "scrim/status.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SCRIM_EXPERIMENT_DELTA "2^-20"
/* An answer is beyond the quantile that is told in at most this share of all runs. */
#define SCRIM_EXPERIMENT_GAMMA "0.05"

/* No member changes what is promised, so all may stay zero but size. */
typedef struct scrim_experiment_options {
    size_t size;      /* set by SCRIM_OPTIONS */
    unsigned only;    /* the number of one experiment, 1 to 6; 0: all */
    unsigned workers; /* threads, at most 256; 0: one a processor */
    uint64_t sets;    /* data sets of each experiment, at most 10^6; 0: 100 */
    uint64_t runs;    /* of each mechanism on each data set, at most 10^6; 0: 100 */
    int is_noisy; /* 1: the bars of experiment 6 are Poisson numbers about their heights */
    /* Called now and then, by the thread that called, with the runs that are done; may be NULL. */
    void (*progress)(void *context, uint64_t done, uint64_t total);
    void *context;
} scrim_experiment_options;

/* An error over all runs, in percent of the number of bars. */
typedef struct scrim_experiment_error {
    double mean;
    double
        standard_error; /* of that mean: from the means of the data sets where these differ,
                            * else from all runs; 0 for a single one */
    double
        quantile; /* the least that no more than SCRIM_EXPERIMENT_GAMMA of the runs exceed */
    int is_least; /* no mechanism has a smaller mean at this epsilon */
    int has_expected;
    double
        expected; /* the expectation of the mean, summed and not sampled; where has_expected */
} scrim_experiment_error;

/* What was found of one mechanism at one epsilon. Texts are constant. */
typedef struct scrim_experiment_row {
    unsigned experiment;   /* 1 to 6 */
    const char *statistic; /* "max", "max_500" or "mode" */
    const char *epsilon;   /* exact: "0.05" */
    const char *mechanism; /* "stlap", which is scrim's, or a competitor */
    uint64_t runs;         /* on all data sets together */
    scrim_experiment_error raw, flexible;
} scrim_experiment_row;

/* The data of an experiment; of those that are drawn, the first set. Texts are constant. */
typedef struct scrim_experiment_data {
    unsigned experiment;
    const char *statistic;
    const char *data; /* in words */
    size_t bars;
    const int64_t *heights; /* so many; live as long as the handle */
    size_t value;           /* of the statistic; 0: no bar has so many */
    int64_t allowance;      /* how many elements the flexible error lets go */
} scrim_experiment_data;

/* What was found; an opaque handle that belongs to one thread at a time. */
typedef struct scrim_experiment scrim_experiment;

/* Runs the experiments. options may be NULL. The caller frees what it gets. SCRIM_E_PARAM for
 * options outside their domain, SCRIM_E_LIMIT above it, SCRIM_E_ENTROPY, SCRIM_E_MEMORY. out is
 * untouched on failure. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_experiment_flexible_accuracy(
    const scrim_experiment_options *options, scrim_experiment **out, scrim_error *error);
SCRIM_API void scrim_experiment_free(scrim_experiment *experiment);

/* The rows, by experiment, then by epsilon from the smallest on, then by mechanism with scrim's
 * first; and the data, by experiment. NULL past the last. */
SCRIM_API const scrim_experiment_row *
scrim_experiment_row_at(const scrim_experiment *experiment, size_t index);
SCRIM_API const scrim_experiment_data *
scrim_experiment_data_at(const scrim_experiment *experiment, size_t index);

#ifdef __cplusplus
}
#endif

#endif
