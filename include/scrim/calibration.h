/* Calibration: finds the noise for a target cost, or the cost for a target error.
 *
 * The line names a mechanism without the parameter that sets its noise, "gaussian sensitivity=1".
 * scrim finds this parameter: scale, sigma or epsilon, the first that the mechanism has. In front of it may stand
 * "poisson rate=R": each release sees each unit with that probability only, costs less, and is accurate about its
 * sample.
 *
 *     scrim_calibration found;
 *     scrim_error error;
 *     if (scrim_calibrate("gaussian sensitivity=1",
 *                         SCRIM_OPTIONS(scrim_calibrate_options, .epsilon = "1",
 *                                       .delta = "1e-6", .count = 100),
 *                         &found, &error) != SCRIM_OK)
 *         fputs(error.message, stderr);
 *     else
 *         puts(found.text);
 *
 * For a target cost it finds the least noise with which count releases, declared in advance, stay
 * within epsilon and delta together, by the best certified bound. For a target error it finds the
 * most noise with which the accuracy guarantee of one release stays within target_error, and says
 * what count releases cost. Candidates are the numbers with six significant decimal digits, and
 * the exact number that basic composition gives.
 *
 * Claim  calibration.within   the result itself was tested: its exact distribution costs no more
 *                             than the target, or its accuracy guarantee is within the target
 * Claim  calibration.nearest  the next candidate with less noise (for an error: with more) was
 *                             tested, too, and missed the target, unless next is empty
 * Claim  calibration.ends     whatever the parameters, a calibration answers or refuses within two
 *                             seconds of a processor of 2020, on samples within eight: one that takes
 *                             longer is SCRIM_E_LIMIT
 * Claim  calibration.cost     the joint cost that is returned is never below the true joint cost
 *
 * Reference  those of the accountants, scrim_accountant_at of composition.h
 */
#ifndef SCRIM_CALIBRATION_H
#define SCRIM_CALIBRATION_H

#include "scrim/measurement.h"
#include "scrim/status.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The target. Numbers are exact text. Give epsilon, perhaps with delta, or
 * target_error. */
typedef struct scrim_calibrate_options {
    size_t size;
    const char *epsilon; /* above 0; NULL: epsilon= of the line */
    /* At least 0 and less than 1. NULL: delta= of the line, or 0. If both are given,
     * delta= of the line is the delta of each release. */
    const char *delta;
    /* above 0, in the unit of the input: the radius of the accuracy guarantee */
    const char *target_error;
    const char *confidence; /* of the accuracy guarantee, in (0, 1); NULL: 0.95 */
    uint64_t count;         /* number of releases, at most 2^40; 0: 1 */
    /* Values in an input; becomes size= of the line if it has one. 0: size=,
     * candidates=, records= or queries= of the line, or 1. */
    uint64_t values;
    /* Called now and then; may be NULL. done counts the candidates tried so far, and
     * total is 0. For a curve both count points. */
    void (*progress)(void *context, uint64_t done, uint64_t total);
    void *context;
    /* 1: all values are within target_error at once, with the confidence, instead of
     * each by itself. For noise that is added to each value. */
    int is_at_once;
} scrim_calibrate_options;

#define SCRIM_CALIBRATION_TEXT_BYTES 4096

/* The result: plain data that can be copied. */
typedef struct scrim_calibration {
    /* The line, ready for scrim_measurement_parse if it has all that a release needs.
     * A continuous distribution is for comparison only. */
    char text[SCRIM_CALIBRATION_TEXT_BYTES];
    char parameter[16]; /* "scale", "sigma" or "epsilon" */
    char value[SCRIM_NUMBER_BYTES];
    /* The next candidate, which misses the target; empty if value was the last one. */
    char next[SCRIM_NUMBER_BYTES];
    int is_exact; /* 1: value is the best of all numbers, not only of the candidates */
    uint64_t count, values;
    /* The cost of one release. epsilon is at the delta below if the release has no delta of
     * its own. */
    scrim_cost alone;
    /* of all releases; epsilon is empty if nothing is proven at that delta */
    scrim_cost joint;
    /* A lower bound of the joint epsilon at that delta, rounded down; 0 if nothing is
     * known. */
    double epsilon_lower;
    /* The smallest proven joint delta at the epsilon of joint; rounded up. */
    double delta_upper;
    const char *source; /* the accountant that proved it; constant text */
    scrim_certificate certificate;
    const char
        *input; /* what the mechanism takes, as in scrim_mechanism_entry; constant text */
} scrim_calibration;

/* line is "NAME key=value ..." of the catalogue, or continuous-gaussian or
 * continuous-laplace. SCRIM_E_PARAM: a target is missing, contradictory or not
 * allowed, or no allowed noise meets it. SCRIM_E_SYNTAX, SCRIM_E_LIMIT, SCRIM_E_MEMORY
 * as scrim_measurement_parse_model. out is untouched on failure. */
SCRIM_API SCRIM_MUST_USE scrim_status
scrim_calibrate(const char *line, const scrim_calibrate_options *options,
                scrim_calibration *out, scrim_error *error);

/* One point of the curve of error against epsilon. Doubles are rounded up; infinite if
 * nothing is proven. */
typedef struct scrim_calibration_point {
    char value[SCRIM_NUMBER_BYTES]; /* of the parameter */
    double epsilon_upper;           /* of all releases together, at the same delta */
    double error_upper;             /* the radius of the accuracy guarantee */
} scrim_calibration_point;

/* The curve around the result: count points (2 to 1024), evenly by the logarithm of
 * the noise, from a quarter of it to four times as much, in ascending order of
 * epsilon. There are fewer points if some noise is not allowed; *written says how
 * many. Use the same line and options. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_calibration_curve(
    const char *line, const scrim_calibrate_options *options,
    const scrim_calibration *found, size_t count, scrim_calibration_point *out,
    size_t *written, scrim_error *error);

#ifdef __cplusplus
}
#endif

#endif
