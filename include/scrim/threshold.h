/* Groups that come from data: which of them have members enough to be named. The mechanisms are
 * "partition-selection", "threshold-laplace", "threshold-gaussian", "threshold-truncated",
 * "threshold-weighted" and "stabilise"; scrim/measurement.h says what their parameters are. */
#ifndef SCRIM_THRESHOLD_H
#define SCRIM_THRESHOLD_H

#include "scrim/measurement.h"

#ifdef __cplusplus
extern "C" {
#endif

/* "threshold-weighted" adds Gaussian noise to weights: a unit in k groups has 1/sqrt(k) in each, and
 * the noise is that of one group. The weight of a unit in so many groups, from 1 to max-groups: 1/sqrt(groups), rounded down to the
 * grid. What is released is the sum of these, of each group. Exact text. */
SCRIM_API SCRIM_MUST_USE scrim_status
scrim_threshold_weight(const scrim_measurement *measurement, uint64_t groups,
                       char weight[SCRIM_NUMBER_BYTES], scrim_error *error);

/* "stabilise" says which keys have utility enough to be used: another mechanism then sees the data of
 * these alone. What the kept keys and the answer of a mechanism on their data cost together, where the
 * mechanism's own cost holds on every fixed set of keys. SCRIM_E_PARAM when the first does not
 * stabilise, when the other has no epsilon or other neighbours, and when the deltas reach 1. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_stabilised_cost(
    const scrim_measurement *stabilise, const scrim_measurement *mechanism,
    scrim_cost *out, scrim_error *error);

/* "range" releases numbers, each with a range that holds the truth always, or without one: the noise
 * is so rarely so large that there is none, that this is paid for by a delta. The centres are the
 * values of the answer, and the certificate's radius is the width; where there is no range, the
 * answer's kind is SCRIM_ANSWER_NONE.
 *
 * The probability that any of count values of a range mechanism has no range, rounded up. It does
 * not depend on the data. SCRIM_E_PARAM for another mechanism. */
SCRIM_API SCRIM_MUST_USE scrim_status
scrim_range_none_upper(const scrim_measurement *measurement, uint64_t count,
                       double *upper, scrim_error *error);

/* Calculators. They look at no data; numbers are exact text. */

/* How large must a group be to be published with probability p by anybody? Whatever is (epsilon,
 * delta)-DP, where neighbours change the size of a group by at most sensitivity (an integer from 1
 * to 2^40), publishes no group of fewer units with probability p. 0 < p <= 1. */
SCRIM_API SCRIM_MUST_USE scrim_status
scrim_group_size_lower(const char *epsilon, const char *delta, const char *sensitivity,
                       const char *p, uint64_t *units, scrim_error *error);
/* How large must it be to be published by this mechanism: the smallest number of units that is kept
 * with probability p or more. SCRIM_E_PARAM when the mechanism is not on groups, or p is 1 and
 * none is certain. */
SCRIM_API SCRIM_MUST_USE scrim_status
scrim_group_size(const scrim_measurement *measurement, const char *p, uint64_t *units,
                 scrim_error *error);

/* What a threshold is made of. Doubles are views, rounded up.
 *
 * Claim  threshold-facts.bounds  no number is below what it stands for; the exact delta is never
 *                                above both added up
 */
typedef struct scrim_threshold_facts {
    int64_t threshold;  /* values from this on are shown */
    double delta_upper; /* at the epsilon that is charged: the exact one, by its curve */
    double new_groups_upper; /* that any group of one unit alone is shown */
    double noise_upper;      /* of the noise on groups that others are in as well */
    double added_upper;      /* both added up, which is what is often charged */
} scrim_threshold_facts;

/* SCRIM_E_PARAM when the mechanism has no threshold. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_threshold_describe(
    const scrim_measurement *measurement, scrim_threshold_facts *out, scrim_error *error);

/* A public universe of so many keys, most of them empty, each counted with the noise of epsilon:
 * what of the zeros becomes something else, and the threshold below which all of them are made
 * zeros again. Texts and doubles rounded up. */
typedef struct scrim_sparsity {
    double nonzero_upper;  /* the share of zeros that are not 0 any more */
    double positive_upper; /* the same where what is below 0 is made 0 */
    /* The smallest integer that, with probability 1 - beta, no zero of them reaches. */
    uint64_t threshold;
    double
        formula_upper; /* ln(keys / beta) / epsilon, which is a little larger as a rule */
} scrim_sparsity;

/* 0 < beta < 1; keys is an integer from 1 to 2^200. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_sparsity_of(const char *epsilon,
                                                        const char *keys,
                                                        const char *beta,
                                                        scrim_sparsity *out,
                                                        scrim_error *error);

/* How large must a group be to be published? By the mechanism of a line, by the others of its
 * family for the same price, and by anybody.
 *
 * Claim  group-sizes.smallest  of each mechanism the sizes are those of scrim_group_size, and the
 *                              first row is the line's
 * Claim  group-sizes.least     no mechanism of that epsilon and delta keeps a group below the least
 *                              sizes with these probabilities, those of the rows included
 */
#define SCRIM_SIZES_ROWS 4
#define SCRIM_SIZES_TEXT_BYTES 4096

/* The smallest number of units that is kept with probability 1/2, with the confidence that was
 * asked for, and always; 0 where there is none. */
typedef struct scrim_group_sizes {
    uint64_t half, likely, certain;
} scrim_group_sizes;

typedef struct scrim_sizes_row {
    const char *name; /* of the mechanism; constant text */
    int is_possible; /* false: that price needs a larger table or threshold than it has; the rest is 0 */
    scrim_group_sizes kept;
    double delta_upper; /* at the epsilon that is charged, by its curve */
    int has_threshold;
    scrim_threshold_facts facts; /* where it has one */
} scrim_sizes_row;

typedef struct scrim_sizes_report {
    char text[SCRIM_SIZES_TEXT_BYTES]; /* the measurement of the line */
    scrim_cost cost;
    char confidence[SCRIM_NUMBER_BYTES];
    size_t count;
    scrim_sizes_row rows[SCRIM_SIZES_ROWS];
    scrim_group_sizes least; /* of whatever mechanism */
    int has_universe;
    scrim_sparsity
        universe; /* were the keys public, so many of them, and each counted with noise */
} scrim_sizes_report;

/* line is "NAME key=value ..." of a mechanism on groups: partition-selection, threshold-laplace,
 * threshold-truncated, threshold-gaussian, stabilise. Others stand beside it where they have the
 * same parameters. confidence is in (0, 1), NULL: 0.95; keys is an integer from 1 to 2^200, NULL:
 * no public universe. SCRIM_E_PARAM and SCRIM_E_LIMIT as scrim_measurement_parse_model, and
 * SCRIM_E_PARAM for another mechanism. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_group_sizes_of(const char *line,
                                                           const char *confidence,
                                                           const char *keys,
                                                           scrim_sizes_report *out,
                                                           scrim_error *error);

#ifdef __cplusplus
}
#endif

#endif
