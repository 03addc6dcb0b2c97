/* One-sided histograms, which only lose elements, and statistics of them: flexible
 * accuracy. */
#ifndef SCRIM_HISTOGRAM_H
#define SCRIM_HISTOGRAM_H

#include "scrim/ledger.h"
#include "scrim/measurement.h"

#ifdef __cplusplus
extern "C" {
#endif

/* "stlap" releases the number of elements of each bar minus at most q. Returns q; 0
 * for any other measurement. */
SCRIM_API uint64_t scrim_stlap_q(const scrim_measurement *measurement);

/* "private-size-stlap" is the same with a q that grows with the number of elements,
 * which is private. It first draws an estimate of that number, never too large, which
 * is the first value of the answer. No bar then loses more than a fraction tau of it,
 * or than what bar-delta needs. The cost is the sum of both. Returns how many elements
 * a bar may have lost if the first value of the answer is estimate. */
SCRIM_API uint64_t scrim_private_size_stlap_q(const scrim_measurement *measurement,
                                              uint64_t estimate);

/* "rounded-stlap" is such a histogram as it was first published: the noise is real, and
 * rounded. Its delta beside the one that the source states, and beside that of "stlap"
 * with the same q and epsilon. Numbers are decimals of 15 digits, rounded up; epsilon is
 * exact. */
typedef struct scrim_rounded_stlap_facts {
    uint64_t q;
    char epsilon[SCRIM_NUMBER_BYTES];
    /* As the source states it; "" if epsilon is not 1/sqrt q. */
    char published[SCRIM_NUMBER_BYTES];
    char delta[SCRIM_NUMBER_BYTES];
    char stlap_delta[SCRIM_NUMBER_BYTES];
    /* The probability that a bar of many elements loses none, and one. */
    char lost_none[SCRIM_NUMBER_BYTES], lost_one[SCRIM_NUMBER_BYTES];
} scrim_rounded_stlap_facts;

/* SCRIM_E_PARAM for any other measurement; out is untouched on failure. */
SCRIM_API SCRIM_MUST_USE scrim_status
scrim_rounded_stlap_facts_of(const scrim_measurement *measurement,
                             scrim_rounded_stlap_facts *out, scrim_error *error);

/* Plans a histogram on equal buckets of an interval, if the number of elements is public. Three of
 * the four numbers epsilon, delta, alpha and beta are given, and the fourth is found.
 *
 * Claim  stlap-plan.holds  a plan has at most the epsilon, delta, alpha and beta that it states, and
 *                          no number of it is above the given one
 */
typedef struct scrim_histogram_question {
    size_t size;
    scrim_neighbours neighbours; /* required */
    const char *epsilon, *delta;
    const char *alpha; /* the fraction of all elements that may be lost */
    const char *beta;  /* largest distance of an element from the centre of its bucket */
    const char *lower,
        *upper;           /* the interval; upper is required, the default of lower is 0 */
    const char *elements; /* required: the number of elements */
} scrim_histogram_question;

typedef struct scrim_histogram_plan {
    char epsilon[SCRIM_NUMBER_BYTES]; /* "0": any epsilon */
    char delta[SCRIM_NUMBER_BYTES];   /* of this q, exact or rounded up */
    char alpha[SCRIM_NUMBER_BYTES], beta[SCRIM_NUMBER_BYTES];
    uint64_t q, buckets;
} scrim_histogram_plan;

/* SCRIM_E_SYNTAX, SCRIM_E_PARAM, SCRIM_E_LIMIT; SCRIM_E_PARAM also if no plan exists.
 * plan is untouched on failure. */
SCRIM_API SCRIM_MUST_USE scrim_status
scrim_histogram_plan_find(const scrim_histogram_question *question,
                          scrim_histogram_plan *plan, scrim_error *error);

/* "bucket-histogram" counts rows of numbers in public buckets, and releases the number of rows of
 * each minus at most q. The answer has a value for each bucket that is shown, with its centre as
 * label ("centre": "0.25", of several axes "0.25;0.75", with a label ";+1" or ";-1" behind it) and
 * its place (scrim_answer_place).
 *
 * Returns the number of values in a row of the input; the values of a row are consecutive. */
SCRIM_API size_t scrim_measurement_row_size(const scrim_measurement *measurement);

/* Statistics of a released histogram, free of charge: they depend only on the answer and on public
 * parameters.
 *
 *     scrim_histogram *histogram = NULL;
 *     scrim_statistic maximum;
 *     if (scrim_histogram_new(measurement, answer, &histogram, &error) == SCRIM_OK &&
 *         scrim_histogram_statistic(histogram, "max", &maximum, &error) == SCRIM_OK)
 *         printf("%s: %s\n", maximum.value, maximum.statement);
 *     scrim_histogram_free(histogram);
 */
typedef struct scrim_histogram scrim_histogram;

/* From an answer of this bucket-histogram measurement, drawn or parsed; neither needs
 * to outlive the histogram. SCRIM_E_PARAM for any other measurement, SCRIM_E_MEMORY;
 * out is untouched on failure. */
SCRIM_API SCRIM_MUST_USE scrim_status
scrim_histogram_new(const scrim_measurement *measurement, const scrim_answer *answer,
                    scrim_histogram **out, scrim_error *error);
SCRIM_API void scrim_histogram_free(scrim_histogram *histogram); /* NULL is allowed */

/* The most elements that a bucket has lost; the number of buckets; the number of
 * buckets shown. */
SCRIM_API uint64_t scrim_histogram_q(const scrim_histogram *histogram);
SCRIM_API uint64_t scrim_histogram_buckets(const scrim_histogram *histogram);
SCRIM_API size_t scrim_histogram_count(const scrim_histogram *histogram);
/* Declares that this many elements were counted, and that the number is public.
 * Statements then give left-out elements as a fraction. Do not use it if rows were
 * left out by a rule. */
SCRIM_API void scrim_histogram_declare_size(scrim_histogram *histogram, uint64_t size);

/* An outcome is not an error: EMPTY means that no bucket is shown that could be the
 * value. */
typedef enum scrim_outcome {
    SCRIM_OUTCOME_VALUE = 1,
    SCRIM_OUTCOME_EMPTY = 2,
    SCRIM_OUTCOME_NOT_SEPARABLE = 3
} scrim_outcome;

#define SCRIM_STATEMENT_BYTES 2048
/* Room for a number of a statistic: 512 bits in numerator and denominator. */
#define SCRIM_STATISTIC_BYTES 1024

/* A statistic and its guarantees. Numbers are exact text, or rounded so that the
 * statement stays true; numbers that a statistic does not have are empty. */
typedef struct scrim_statistic {
    scrim_outcome outcome;
    char value[SCRIM_STATISTIC_BYTES];
    char low[SCRIM_STATISTIC_BYTES], high[SCRIM_STATISTIC_BYTES]; /* of range, interval */
    /* The statement that always holds for the data in their buckets: a sentence, and its numbers. */
    char statement[SCRIM_STATEMENT_BYTES];
    char here_least[SCRIM_NUMBER_BYTES];  /* elements in the value's bucket */
    char bar_most[SCRIM_NUMBER_BYTES];    /* elements in a bucket beyond the value */
    char beyond_most[SCRIM_NUMBER_BYTES]; /* elements beyond the value, all together */
    char rank_low[SCRIM_NUMBER_BYTES],
        rank_high[SCRIM_NUMBER_BYTES]; /* quantile, total */
    /* Flexible accuracy: alpha, beta, gamma; beta is empty if it is unbounded. form is
     * SCRIM_CERTIFICATE_NONE if it has no such statement (total). */
    scrim_certificate certificate;
    int alpha_is_count; /* 1: alpha is a number of elements; 0: a fraction */
    /* The value is exactly that of data from which this many elements were removed,
     * and in which the others moved by this much. */
    char dropped_most[SCRIM_NUMBER_BYTES], moved_most[SCRIM_NUMBER_BYTES];
} scrim_statistic;

/* "max", "min", "range", "interval", "support", "median", "quantile=1/4" (above 0, at
 * most 1), "mode", "max-k=10", "total". The value of a mode on several axes is the
 * text of its centre; that of the support is the number of buckets shown. Buckets of
 * several axes or with labels have only mode, support and total. SCRIM_E_PARAM for
 * another text, or if the statistic does not exist. */
SCRIM_API SCRIM_MUST_USE scrim_status
scrim_histogram_statistic(const scrim_histogram *histogram, const char *which,
                          scrim_statistic *out, scrim_error *error);

#define SCRIM_SEPARATOR_BYTES 8192

/* The plane with the largest margin between the shown centres of both labels: <normal,
 * z> = offset, with label +1 above it. */
typedef struct scrim_separator {
    scrim_outcome outcome;
    char normal[SCRIM_SEPARATOR_BYTES]; /* coordinates, separated by ';' */
    char offset[SCRIM_STATISTIC_BYTES];
    char margin[SCRIM_NUMBER_BYTES]; /* rounded down */
    /* margin of all elements in shown buckets; empty: unknown */
    char kept[SCRIM_NUMBER_BYTES];
    char beyond_most[SCRIM_NUMBER_BYTES]; /* elements in other buckets */
    char dropped_most[SCRIM_NUMBER_BYTES], moved_most[SCRIM_NUMBER_BYTES];
    char statement[SCRIM_STATEMENT_BYTES];
} scrim_separator;

/* SCRIM_E_PARAM: no labels, or the norm of several axes is max. SCRIM_E_LIMIT: numbers
 * are too long, or it takes too many steps. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_histogram_separator(
    const scrim_histogram *histogram, scrim_separator *out, scrim_error *error);

/* The unbiased estimate of the count at a place: y + q/2 if it is shown, else 0. Its
 * mean is right if counts are high, but it may exceed the true count, so the
 * statements above do not hold for it. SCRIM_E_PARAM if there is no such place. */
SCRIM_API SCRIM_MUST_USE scrim_status
scrim_histogram_debiased(const scrim_histogram *histogram, uint64_t place,
                         char text[SCRIM_NUMBER_BYTES], scrim_error *error);

#ifdef __cplusplus
}
#endif

#endif
