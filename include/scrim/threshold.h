/* Private keys: which groups have enough members to be shown. The mechanisms are
 * "partition-selection", "threshold-laplace", "threshold-gaussian",
 * "threshold-truncated", "threshold-weighted" and "stabilise"; "item-sets" counts sets of
 * items in transactions first, "frequent-sets" by size among candidates. scrim/measurement.h describes their parameters. */
#ifndef SCRIM_THRESHOLD_H
#define SCRIM_THRESHOLD_H

#include "scrim/measurement.h"

#ifdef __cplusplus
extern "C" {
#endif

/* "threshold-weighted" adds Gaussian noise to weights: a unit in k groups has weight
 * 1/sqrt(k) in each, and the noise is that of one group. Returns the weight of a unit
 * in this many groups, 1 to max-groups: 1/sqrt(groups), rounded down to the grid. The
 * sum of the weights of each group is released. Exact text. */
SCRIM_API SCRIM_MUST_USE scrim_status
scrim_threshold_weight(const scrim_measurement *measurement, uint64_t groups,
                       char weight[SCRIM_NUMBER_BYTES], scrim_error *error);

/* The line "stabilise ... then NAME ..." runs both under one charge. Returns the cost of
 * "stabilise" and a mechanism on the data of the keys that it keeps, whose own cost
 * holds on every fixed set of keys. SCRIM_E_PARAM: the first is not stabilise, the
 * other has no epsilon or other neighbours, or the deltas reach 1. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_stabilised_cost(
    const scrim_measurement *stabilise, const scrim_measurement *mechanism,
    scrim_cost *out, scrim_error *error);

/* "range" releases numbers with a range that always contains the true value. If the noise is very
 * large, there is no range; delta pays for that. The centres are the values of the answer, and the
 * certificate's radius is the width. If there is no range, the kind is SCRIM_ANSWER_NONE.
 *
 * Returns the probability that any of count values has no range, rounded up. It does not depend on
 * the data. SCRIM_E_PARAM for another mechanism. */
SCRIM_API SCRIM_MUST_USE scrim_status
scrim_range_none_upper(const scrim_measurement *measurement, uint64_t count,
                       double *upper, scrim_error *error);

/* Calculators. They use no data; numbers are exact text. */

/* A lower bound for every mechanism: no (epsilon, delta)-DP mechanism shows a smaller
 * group with probability p. Neighbours change the size of a group by at most
 * sensitivity (an integer from 1 to 2^40). 0 < p <= 1. */
SCRIM_API SCRIM_MUST_USE scrim_status
scrim_group_size_lower(const char *epsilon, const char *delta, const char *sensitivity,
                       const char *p, uint64_t *units, scrim_error *error);
/* The smallest number of units that this mechanism shows with probability at least p.
 * SCRIM_E_PARAM: the mechanism does not select groups, or p is 1 and no size is
 * certain. */
SCRIM_API SCRIM_MUST_USE scrim_status
scrim_group_size(const scrim_measurement *measurement, const char *p, uint64_t *units,
                 scrim_error *error);

/* The parts of a threshold. Doubles are rounded up.
 *
 * Claim  threshold-facts.bounds  no number is below its true value; the exact delta is never above
 *                                the sum of both parts
 */
typedef struct scrim_threshold_facts {
    int64_t threshold;       /* values of at least this are shown */
    double delta_upper;      /* at the charged epsilon: the exact delta, by its curve */
    double new_groups_upper; /* the chance that a group of one unit is shown */
    double noise_upper;      /* delta of the noise on groups that others are in as well */
    double added_upper;      /* the sum of both, which is often charged */
} scrim_threshold_facts;

/* SCRIM_E_PARAM: the mechanism has no threshold. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_threshold_describe(
    const scrim_measurement *measurement, scrim_threshold_facts *out, scrim_error *error);

/* A public list of keys, most of them empty, each counted with the noise of epsilon:
 * how many zeros become something else, and the threshold below which all are set to
 * zero again. Texts and doubles are rounded up. */
typedef struct scrim_sparsity {
    double nonzero_upper;  /* the fraction of zeros that are not 0 any more */
    double positive_upper; /* the same if negative values are set to 0 */
    /* The smallest integer that no empty key reaches, with probability 1 - beta. */
    uint64_t threshold;
    double
        formula_upper; /* ln(keys / beta) / epsilon, which is usually a little larger */
} scrim_sparsity;

/* 0 < beta < 1; keys is an integer from 1 to 2^200. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_sparsity_of(const char *epsilon,
                                                        const char *keys,
                                                        const char *beta,
                                                        scrim_sparsity *out,
                                                        scrim_error *error);

/* The figures of a suppression at one epsilon and delta, for counts that one unit changes by 1: the
 * thresholds and ranges that the paper's formulas print, and those that are enough.
 *
 * Claim  suppression.figures  the threshold and the width are the smallest whose exact delta is at most
 *                             the given one, with any number of values; the printed ones are those of
 *                             the formulas
 *
 * Reference  spec/thresholding.md 2, 3, F16 to F18; the paper's section 6 and Figure 1 */
#define SCRIM_SUPPRESSION_GAMMAS 3 /* 1, 0.1 and 0.01 */
typedef struct scrim_suppression {
    double printed_upper
        [SCRIM_SUPPRESSION_GAMMAS]; /* 1 + (1 + gamma) ln(1/delta) / epsilon */
    uint64_t threshold;             /* no gamma is needed */
    uint64_t least; /* units that any mechanism needs to show a key half the time */
    double width_printed_upper; /* ln(values / delta) / epsilon */
    uint64_t width;             /* on either side of the centre, of each value */
    double none_upper;          /* the chance that any of the values has no range */
    scrim_sparsity zeros;       /* if the values were counts of public keys, all empty */
} scrim_suppression;

/* epsilon and delta as threshold-laplace takes them; values is an integer from 1 to 2^63;
 * confidence is in (0, 1), the chance that no empty key reaches the threshold of zeros. */
SCRIM_API SCRIM_MUST_USE scrim_status
scrim_suppression_of(const char *epsilon, const char *delta, const char *values,
                     const char *confidence, scrim_suppression *out, scrim_error *error);

/* How large must a group be to be shown? By the mechanism of a line, by the others of its kind at
 * the same cost, and by any mechanism.
 *
 * Claim  group-sizes.smallest  of each mechanism the sizes are those of scrim_group_size, and the
 *                              first row is the line's
 * Claim  group-sizes.least     no mechanism of that epsilon and delta keeps a group below the least
 *                              sizes with these probabilities, those of the rows included
 */
#define SCRIM_SIZES_ROWS 4
#define SCRIM_SIZES_TEXT_BYTES 4096

/* The smallest number of units that is shown with probability 1/2, with the given
 * confidence, and always; 0 if no number is large enough. */
typedef struct scrim_group_sizes {
    uint64_t half, likely, certain;
} scrim_group_sizes;

typedef struct scrim_sizes_row {
    const char *name; /* of the mechanism; constant text */
    /* false: that cost needs a larger table or threshold than it has; the rest is 0 */
    int is_possible;
    scrim_group_sizes kept;
    double delta_upper; /* at the charged epsilon, by its curve */
    int has_threshold;
    scrim_threshold_facts facts; /* if it has one */
} scrim_sizes_row;

typedef struct scrim_sizes_report {
    char text[SCRIM_SIZES_TEXT_BYTES]; /* the measurement of the line */
    scrim_cost cost;
    char confidence[SCRIM_NUMBER_BYTES];
    size_t count;
    scrim_sizes_row rows[SCRIM_SIZES_ROWS];
    scrim_group_sizes least; /* lower bound for all mechanisms */
    int has_universe;
    /* if the keys were public, this many, and each were counted with noise */
    scrim_sparsity universe;
} scrim_sizes_report;

/* line is "NAME key=value ..." of partition-selection, threshold-laplace,
 * threshold-truncated, threshold-gaussian or stabilise. Others are shown, too, if they
 * have the same parameters. confidence is in (0, 1), NULL: 0.95. keys is an integer
 * from 1 to 2^200, NULL: no public keys. SCRIM_E_PARAM and SCRIM_E_LIMIT as
 * scrim_measurement_parse_model, and SCRIM_E_PARAM for another mechanism. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_group_sizes_of(const char *line,
                                                           const char *confidence,
                                                           const char *keys,
                                                           scrim_sizes_report *out,
                                                           scrim_error *error);

#ifdef __cplusplus
}
#endif

#endif
