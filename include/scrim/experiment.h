/* Experiments: compares mechanisms with those of others, on simulated data.
 *
 * Flexible accuracy: the last bar, the last bar of at least 500, and the mode of six kinds of
 * histograms, by scrim's one-sided histogram (stlap) and by six competitors, all at the same epsilon
 * and delta = 2^-20 for one element added or removed:
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
 * These functions take no file, no ledger and no vault, so no protected data can reach them. The
 * competitors are not available in any other way.
 *
 * The raw error of an answer is its distance in bars from the true value. The flexible error is its
 * distance from the nearest value that would be true if at most 0.5 % of the elements were removed.
 * Both are percentages of the number of bars.
 *
 * Claim  experiment.errors   where a row has an expected error, it is the expectation of the mean of
 *                            its runs
 * Claim  experiment.workers  the same bits give the same rows, with any number of workers
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
/* At most this fraction of all runs exceeds the quantile. */
#define SCRIM_EXPERIMENT_GAMMA "0.05"

/* Options. None changes what is promised; all but size may be zero. */
typedef struct scrim_experiment_options {
    size_t size;      /* set by SCRIM_OPTIONS */
    unsigned only;    /* the number of one experiment, 1 to 6; 0: all */
    unsigned workers; /* threads, at most 256; 0: one per processor */
    uint64_t sets;    /* datasets per experiment, at most 10^6; 0: 100 */
    uint64_t runs;    /* runs of each mechanism per dataset, at most 10^6; 0: 100 */
    int is_noisy; /* 1: the bars of experiment 6 are drawn from Poisson distributions */
    /* Called now and then by the calling thread with the finished runs; may be NULL. */
    void (*progress)(void *context, uint64_t done, uint64_t total);
    void *context;
} scrim_experiment_options;

/* An error over all runs, in percent of the number of bars. */
typedef struct scrim_experiment_error {
    double mean;
    /* Of that mean: from the means of the datasets if these differ, else from all
     * runs; 0 for a single one. */
    double standard_error;
    /* the smallest value that at most SCRIM_EXPERIMENT_GAMMA of the runs exceed */
    double quantile;
    int is_least; /* no mechanism has a smaller mean at this epsilon */
    int has_expected;
    double expected; /* the exact expectation of the mean, if has_expected */
} scrim_experiment_error;

/* The result of one mechanism at one epsilon. Texts are constant. */
typedef struct scrim_experiment_row {
    unsigned experiment;   /* 1 to 6 */
    const char *statistic; /* "max", "max_500" or "mode" */
    const char *epsilon;   /* exact: "0.05" */
    const char *mechanism; /* "stlap", which is scrim's, or a competitor */
    uint64_t runs;         /* on all datasets together */
    scrim_experiment_error raw, flexible;
} scrim_experiment_row;

/* The data of an experiment; if they are drawn, the first dataset. Texts are constant. */
typedef struct scrim_experiment_data {
    unsigned experiment;
    const char *statistic;
    const char *data; /* in words */
    size_t bars;
    const int64_t *heights; /* live as long as the handle */
    size_t value;           /* true value of the statistic; 0: no bar has that many */
    int64_t allowance;      /* how many elements the flexible error may remove */
} scrim_experiment_data;

/* The result: an opaque handle for one thread at a time. */
typedef struct scrim_experiment scrim_experiment;

/* Runs the experiments. options may be NULL. The caller frees the result.
 * SCRIM_E_PARAM: options that are not allowed. SCRIM_E_LIMIT: options above a limit.
 * SCRIM_E_ENTROPY, SCRIM_E_MEMORY. out is untouched on failure. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_experiment_flexible_accuracy(
    const scrim_experiment_options *options, scrim_experiment **out, scrim_error *error);
SCRIM_API void scrim_experiment_free(scrim_experiment *experiment);

/* The rows, sorted by experiment, then by epsilon, then by mechanism with scrim's
 * first; and the data, by experiment. NULL past the last. */
SCRIM_API const scrim_experiment_row *
scrim_experiment_row_at(const scrim_experiment *experiment, size_t index);
SCRIM_API const scrim_experiment_data *
scrim_experiment_data_at(const scrim_experiment *experiment, size_t index);

#ifdef __cplusplus
}
#endif

#endif
