/* Calibration: the noise for a target cost, and the cost for a target error.
 *
 * A mechanism is named by its line without what sets its noise, "gaussian sensitivity=1"; scale,
 * sigma or epsilon, whichever the mechanism has first, is then looked for:
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
 * For a cost, epsilon and delta bound what count releases, declared in advance, cost together: the
 * least noise is found for which the best of all certified bounds is within them. For an error,
 * the most noise is found with which the certificate of one release is within target_error, and
 * what count of them cost is told. Candidates are the numbers of six significant decimal digits,
 * and the one exact number that simple composition would give.
 *
 * Claim  calibration.within   what is returned was tested itself: its own exact law costs no more
 *                             than the target, or its certificate promises no less
 * Claim  calibration.nearest  the next candidate with less noise (for an error: with more) was
 *                             tested, too, and missed the target, unless next says that there is
 *                             none
 * Claim  calibration.ends     whatever the parameters, a calibration answers or refuses within two
 *                             seconds of a processor of 2020: one that takes longer is SCRIM_E_LIMIT
 * Claim  calibration.cost     the cost that is told of all releases together is never below what
 *                             they cost
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

/* What is wanted. Numbers are exact text. Either epsilon, perhaps with a delta, or target_error. */
typedef struct scrim_calibrate_options {
    size_t size;
    const char *epsilon; /* above 0; NULL: epsilon= of the line */
    const char *delta;   /* from 0 to below 1; NULL: delta= of the line, or 0. With it,
                               * delta= of the line is what each release has */
    const char
        *target_error; /* above 0, in the unit of the input: the certificate's radius */
    const char *confidence; /* of the certificate, in (0, 1); NULL: 0.95 */
    uint64_t count;         /* of releases, to 2^40; 0: 1 */
    uint64_t values; /* of an input; the line gets them as its size= where it has one.
                             * 0: size=, candidates=, records= or queries= of the line, or 1 */
    /* Called now and then, may be NULL: with the candidates that were tried so far, of which
     * nobody knows how many there will be (total is 0); of a curve with its points. */
    void (*progress)(void *context, uint64_t done, uint64_t total);
    void *context;
} scrim_calibrate_options;

#define SCRIM_CALIBRATION_TEXT_BYTES 4096

/* What was found: facts, to be copied. */
typedef struct scrim_calibration {
    /* The line, ready for scrim_measurement_parse where it says all that a release needs; of a
     * continuous curve, to compare with. */
    char text[SCRIM_CALIBRATION_TEXT_BYTES];
    char parameter[16]; /* "scale", "sigma" or "epsilon" */
    char value[SCRIM_NUMBER_BYTES];
    /* The next candidate towards the target, which misses it; empty: there is none. */
    char next[SCRIM_NUMBER_BYTES];
    int is_exact; /* 1: value is the best of all numbers, not only of the candidates */
    uint64_t count, values;
    scrim_cost alone; /* of one release; epsilon at the delta below where it has none */
    scrim_cost joint; /* of all; epsilon is empty where nothing is proved at that delta */
    /* What cannot be denied of all together at that delta: their true epsilon lies between this
     * and that of joint. Rounded down; 0 where nothing is known. */
    double epsilon_lower;
    /* The smallest delta proved of all together at the epsilon of joint; rounded up. */
    double delta_upper;
    const char *source; /* the accountant that proved it; constant text */
    scrim_certificate certificate;
    const char
        *input; /* what the mechanism takes, as scrim_mechanism_entry; constant text */
} scrim_calibration;

/* line is "NAME key=value ..." of the catalogue, or continuous-gaussian or continuous-laplace.
 * SCRIM_E_PARAM for targets that are missing, contradict each other or lie outside their domains,
 * and where no noise, or none that is legal, meets them; SCRIM_E_SYNTAX, SCRIM_E_LIMIT,
 * SCRIM_E_MEMORY as scrim_measurement_parse_model. out is untouched on failure. */
SCRIM_API SCRIM_MUST_USE scrim_status
scrim_calibrate(const char *line, const scrim_calibrate_options *options,
                scrim_calibration *out, scrim_error *error);

/* One point of a curve of error against epsilon. Views: doubles, rounded up; infinite where nothing
 * is proved. */
typedef struct scrim_calibration_point {
    char value[SCRIM_NUMBER_BYTES]; /* of the parameter */
    double epsilon_upper;           /* of all releases together, at the same delta */
    double error_upper;             /* the certificate's radius */
} scrim_calibration_point;

/* The points around what was found: count of them (2 to 1024), evenly by the logarithm of the
 * noise, from a quarter of it to four times as much, in ascending order of epsilon; where the noise
 * is no longer legal, there are fewer, and *written says how many. The same line and options. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_calibration_curve(
    const char *line, const scrim_calibrate_options *options,
    const scrim_calibration *found, size_t count, scrim_calibration_point *out,
    size_t *written, scrim_error *error);

#ifdef __cplusplus
}
#endif

#endif
