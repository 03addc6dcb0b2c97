/* Flexible accuracy: the last bar, the last bar of at least 500, and the mode of six kinds of
 * histograms, by scrim's one-sided histogram (stlap) and by six competitors (competitors.h), all at the
 * same epsilon and delta = 2^-20 for one element added or removed.
 *
 * The raw error of an answer is its distance in bars from the true value. The flexible error is its
 * distance from the nearest value that would be true if at most 0.5 % of the elements were removed.
 * Both are percentages of the number of bars.
 *
 * Claim  experiment.errors  where a row has an expected error, it is the expectation of the mean of its
 *                           runs
 *
 * Reference  docs/flexible-accuracy.md
 */
#ifndef LAB_EXPERIMENT_FLEXIBLE_ACCURACY_H
#define LAB_EXPERIMENT_FLEXIBLE_ACCURACY_H

#include "lab/experiment/competitors.h"

#define LAB_EXPERIMENT_DELTA "2^-20"
/* At most this fraction of all runs exceeds the quantile. */
#define LAB_EXPERIMENT_GAMMA "0.05"
/* Unless others are given, of which there may be that many. */
#define LAB_EXPERIMENT_EPSILONS 6
#define LAB_EXPERIMENT_EPSILONS_MAX 16
/* The guarantee of the smooth-sensitivity competitor is known up to here. */
#define LAB_EXPERIMENT_EPSILON_MOST 3

/* All members may be zero. */
typedef struct lab_experiment_options {
    unsigned only; /* the number of one experiment, 1 to 6; 0: all */
    uint64_t sets; /* datasets per experiment, at most 10^6; 0: 100 */
    uint64_t runs; /* runs of each mechanism per dataset, at most 10^6; 0: 100 */
    bool is_noisy; /* the bars of experiment 6 are drawn from Poisson distributions */
    /* Exact texts, in ascending order, at most LAB_EXPERIMENT_EPSILON_MOST; they outlive the result. NULL: 0.05 to 2. */
    const char *const *epsilons;
    size_t epsilon_count;
    /* Called now and then with the finished and the total number of runs; may be NULL. */
    void (*progress)(void *context, uint64_t done, uint64_t total);
    void *context;
} lab_experiment_options;

/* An error over all runs, in percent of the number of bars. */
typedef struct lab_experiment_error {
    double mean;
    /* The standard error of that mean: from the means of the datasets if these differ, else from all runs; 0 for one. */
    double standard_error;
    double
        quantile; /* the smallest value that at most LAB_EXPERIMENT_GAMMA of the runs exceed */
    bool is_least; /* no mechanism has a smaller mean at this epsilon */
    bool has_expected;
    double expected; /* the exact expectation of the mean, if has_expected */
} lab_experiment_error;

/* The result of one mechanism at one epsilon. Texts are constant. */
typedef struct lab_experiment_row {
    unsigned experiment;
    const char *statistic; /* "max", "max_500" or "mode" */
    const char *epsilon;   /* exact: "0.05"; the caller's, if given */
    const char *mechanism;
    uint64_t runs; /* on all datasets together */
    lab_experiment_error raw, flexible;
} lab_experiment_row;

/* The data of an experiment; the first dataset if they are drawn. */
typedef struct lab_experiment_data {
    unsigned experiment;
    const char *statistic;
    const char *data; /* in words */
    size_t bars;
    int64_t heights[LAB_BARS_MAX];
    size_t value;      /* true value of the statistic; 0: no bar qualifies */
    int64_t allowance; /* how many elements the flexible error may remove */
} lab_experiment_data;

/* Rows are sorted by experiment, then by epsilon, then by mechanism with scrim's first; data by
 * experiment. */
typedef struct lab_experiment {
    size_t row_count, data_count;
    lab_experiment_row
        rows[LAB_EXPERIMENTS * LAB_EXPERIMENT_EPSILONS_MAX * LAB_COMPETITOR_KINDS];
    lab_experiment_data data[LAB_EXPERIMENTS];
} lab_experiment;

/* The result is to be released with free. SCRIM_E_PARAM, SCRIM_E_LIMIT: options that are not allowed.
 * SCRIM_E_ENTROPY, SCRIM_E_MEMORY. out is untouched on failure. */
SCRIM_MUST_USE scrim_status lab_flexible_accuracy(const lab_experiment_options *options,
                                                  lab_experiment **out,
                                                  scrim_error *error);

/* The errors of many runs, counted. */
typedef struct lab_error_tally {
    uint64_t counts[LAB_BARS_MAX + 1]; /* runs by their error, in bars */
    double
        set_squares; /* sum over finished datasets of the square of the sum of their errors */
    uint64_t set_sum; /* sum of the errors on the current dataset */
} lab_error_tally;

void lab_error_tally_add(lab_error_tally *tally, uint32_t error);
void lab_error_tally_end_set(lab_error_tally *tally);
/* Writes mean, standard error and quantile, and leaves the rest of out as it is. by_set: the datasets
 * differ, so that the runs on one of them are not independent. */
void lab_error_tally_summarise(const lab_error_tally *tally, size_t bars, uint64_t sets,
                               bool by_set, lab_experiment_error *out);

#endif
