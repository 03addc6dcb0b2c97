/* Histograms that only ever lose elements, and what is read off them: flexible accuracy. */
#ifndef SCRIM_HISTOGRAM_H
#define SCRIM_HISTOGRAM_H

#include "scrim/ledger.h"
#include "scrim/measurement.h"

#ifdef __cplusplus
extern "C" {
#endif

/* "stlap" releases the number of elements of each bar, less at most q of them: how many such a
 * measurement may lose of a bar; 0 for any other one. */
SCRIM_API uint64_t scrim_stlap_q(const scrim_measurement *measurement);

/* "private-size-stlap" is the same where q grows with the number of elements, which is private: an
 * estimate of it, never too large, is drawn first and is the first value of the answer; no bar then
 * loses more than a fraction tau of it, or than what bar-delta needs. What is charged is the sum of
 * both. How many elements a bar may have lost where the first value of the answer is estimate. */
SCRIM_API uint64_t scrim_private_size_stlap_q(const scrim_measurement *measurement,
                                              uint64_t estimate);

/* Planning a histogram on equal buckets of an interval, where the number of elements is public.
 * Three of the four are given, and the fourth is found.
 *
 * Claim  stlap-plan.holds  a plan has at most the epsilon, delta, alpha and beta that it tells, and
 *                          no number of it is above one that was given
 */
typedef struct scrim_histogram_question {
    size_t size;
    scrim_neighbours neighbours; /* required */
    const char *epsilon, *delta;
    const char *alpha; /* the fraction of all elements that may be lost */
    const char *beta;  /* how far an element may be from the centre of its bucket */
    const char *lower,
        *upper;           /* the interval; upper is required, lower is 0 unless given */
    const char *elements; /* required: how many there are */
} scrim_histogram_question;

typedef struct scrim_histogram_plan {
    char epsilon[SCRIM_NUMBER_BYTES]; /* "0": any will do */
    char delta[SCRIM_NUMBER_BYTES];   /* of this q, exact or rounded up */
    char alpha[SCRIM_NUMBER_BYTES], beta[SCRIM_NUMBER_BYTES];
    uint64_t q, buckets;
} scrim_histogram_plan;

/* SCRIM_E_SYNTAX, SCRIM_E_PARAM, SCRIM_E_LIMIT; SCRIM_E_PARAM also where there is no such plan.
 * plan is then untouched. */
SCRIM_API SCRIM_MUST_USE scrim_status
scrim_histogram_plan_find(const scrim_histogram_question *question,
                          scrim_histogram_plan *plan, scrim_error *error);

/* "bucket-histogram" counts rows of numbers in public buckets, and releases the number of rows of
 * each less at most q of them. The answer has a value for each bucket that is shown, with its centre
 * as label ("centre": "0.25", of several axes "0.25;0.75", with a label ";+1" or ";-1" behind it)
 * and its place (scrim_answer_place).
 *
 * How many values a row of the input has: those of one row stand one behind the other. */
SCRIM_API size_t scrim_measurement_row_size(const scrim_measurement *measurement);

/* What is read off a released histogram, free of charge: it is a function of what was released and
 * of public parameters.
 *
 *     scrim_histogram *histogram = NULL;
 *     scrim_statistic maximum;
 *     if (scrim_histogram_new(measurement, answer, &histogram, &error) == SCRIM_OK &&
 *         scrim_histogram_statistic(histogram, "max", &maximum, &error) == SCRIM_OK)
 *         printf("%s: %s\n", maximum.value, maximum.statement);
 *     scrim_histogram_free(histogram);
 */
typedef struct scrim_histogram scrim_histogram;

/* From an answer of this measurement, a bucket-histogram, drawn or parsed again; neither needs to
 * outlive it. SCRIM_E_PARAM for any other, SCRIM_E_MEMORY; out is untouched on failure. */
SCRIM_API SCRIM_MUST_USE scrim_status
scrim_histogram_new(const scrim_measurement *measurement, const scrim_answer *answer,
                    scrim_histogram **out, scrim_error *error);
SCRIM_API void scrim_histogram_free(scrim_histogram *histogram); /* NULL is allowed */

/* How many elements a bucket has lost at most; how many buckets there are; how many are shown. */
SCRIM_API uint64_t scrim_histogram_q(const scrim_histogram *histogram);
SCRIM_API uint64_t scrim_histogram_buckets(const scrim_histogram *histogram);
SCRIM_API size_t scrim_histogram_count(const scrim_histogram *histogram);
/* Says that so many elements were counted, and that this number is public. Then what is left out is
 * said as a share of them. False of data of which a row was left out by rule. */
SCRIM_API void scrim_histogram_declare_size(scrim_histogram *histogram, uint64_t size);

/* An outcome is no error: EMPTY where nothing is shown that could be the value. */
typedef enum scrim_outcome {
    SCRIM_OUTCOME_VALUE = 1,
    SCRIM_OUTCOME_EMPTY = 2,
    SCRIM_OUTCOME_NOT_SEPARABLE = 3
} scrim_outcome;

#define SCRIM_STATEMENT_BYTES 2048
/* Room for a number of a statistic: 512 bits above the line and below it. */
#define SCRIM_STATISTIC_BYTES 1024

/* A statistic and what is true of it. Numbers are exact text, or rounded so that what is said stays
 * true; what a statistic does not have is empty. */
typedef struct scrim_statistic {
    scrim_outcome outcome;
    char value[SCRIM_STATISTIC_BYTES];
    char low[SCRIM_STATISTIC_BYTES], high[SCRIM_STATISTIC_BYTES]; /* of range, interval */
    /* What holds on every run, of the data in their buckets: a sentence, and its numbers. */
    char statement[SCRIM_STATEMENT_BYTES];
    char here_least[SCRIM_NUMBER_BYTES];  /* elements in the value's bucket */
    char bar_most[SCRIM_NUMBER_BYTES];    /* elements in a bucket beyond the value */
    char beyond_most[SCRIM_NUMBER_BYTES]; /* elements beyond the value, all together */
    char rank_low[SCRIM_NUMBER_BYTES],
        rank_high[SCRIM_NUMBER_BYTES]; /* quantile, total */
    /* Flexible accuracy: alpha, beta, gamma; beta is empty where it is unbounded. form is
     * SCRIM_CERTIFICATE_NONE where there is none (total). */
    scrim_certificate certificate;
    int alpha_is_count; /* 1: alpha is a number of elements; 0: a share */
    /* The value is exactly that of data of which so many elements were left out, and the others
     * moved by so much. */
    char dropped_most[SCRIM_NUMBER_BYTES], moved_most[SCRIM_NUMBER_BYTES];
} scrim_statistic;

/* "max", "min", "range", "interval", "support", "median", "quantile=1/4" (a number above 0, at most
 * 1), "mode", "max-k=10", "total". The value of a mode of several axes is the text of its centre,
 * that of the support how many buckets are shown. SCRIM_E_PARAM for another text, or where buckets
 * have no order: those of several axes or with labels have only mode, support and total. */
SCRIM_API SCRIM_MUST_USE scrim_status
scrim_histogram_statistic(const scrim_histogram *histogram, const char *which,
                          scrim_statistic *out, scrim_error *error);

#define SCRIM_SEPARATOR_BYTES 8192

/* The plane of the largest margin between the centres shown of both labels: <normal, z> = offset,
 * the label +1 above it. */
typedef struct scrim_separator {
    scrim_outcome outcome;
    char normal[SCRIM_SEPARATOR_BYTES]; /* coordinates, with ';' between them */
    char offset[SCRIM_STATISTIC_BYTES];
    char margin[SCRIM_NUMBER_BYTES]; /* rounded down */
    char kept[SCRIM_NUMBER_BYTES];   /* margin of all elements in buckets that are shown;
                                      * empty: nothing is said */
    char beyond_most[SCRIM_NUMBER_BYTES]; /* elements in other buckets */
    char dropped_most[SCRIM_NUMBER_BYTES], moved_most[SCRIM_NUMBER_BYTES];
    char statement[SCRIM_STATEMENT_BYTES];
} scrim_separator;

/* SCRIM_E_PARAM where there are no labels, or the norm of several axes is max; SCRIM_E_LIMIT where
 * numbers are too long or it takes too many steps. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_histogram_separator(
    const scrim_histogram *histogram, scrim_separator *out, scrim_error *error);

/* The count at a place as the de-biased view has it, y + q/2 where it is shown, else 0. It has the
 * right mean where counts are high, and may show more than there is: no statement above holds of
 * it. SCRIM_E_PARAM where there is no such place. */
SCRIM_API SCRIM_MUST_USE scrim_status
scrim_histogram_debiased(const scrim_histogram *histogram, uint64_t place,
                         char text[SCRIM_NUMBER_BYTES], scrim_error *error);

#ifdef __cplusplus
}
#endif

#endif
