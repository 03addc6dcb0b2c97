/* Groups that come from data: which of them have members enough to be named. See
 * scrim/measurement.h for what an options struct is. */
#ifndef SCRIM_THRESHOLD_H
#define SCRIM_THRESHOLD_H

#include "scrim/measurement.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Which groups are kept, from the number of units of each. */
typedef struct scrim_partition_selection_options {
    size_t size;
    scrim_neighbours neighbours; /* required */
    const char *epsilon;         /* required */
    const char *delta;           /* required; above 0 */
    const char *max_groups;      /* that one unit may be in; NULL: 1 */
} scrim_partition_selection_options;

SCRIM_API SCRIM_MUST_USE scrim_status
scrim_partition_selection_new(const scrim_partition_selection_options *options,
                              scrim_measurement **out, scrim_error *error);

/* The number of units of each group, with noise, where that reaches a threshold. */
typedef struct scrim_threshold_laplace_options {
    size_t size;
    scrim_neighbours neighbours; /* required */
    const char *epsilon;         /* required */
    const char *delta;           /* required; above 0 */
    const char *max_groups;      /* that one unit may be in; NULL: 1 */
} scrim_threshold_laplace_options;

SCRIM_API SCRIM_MUST_USE scrim_status
scrim_threshold_laplace_new(const scrim_threshold_laplace_options *options,
                            scrim_measurement **out, scrim_error *error);

/* The same with Gaussian noise: less of it where a unit may be in many groups. */
typedef struct scrim_threshold_gaussian_options {
    size_t size;
    scrim_neighbours neighbours; /* required */
    const char *epsilon;         /* required */
    const char *delta;           /* required; above 0 */
    const char *max_groups;      /* that one unit may be in; NULL: 1 */
} scrim_threshold_gaussian_options;

SCRIM_API SCRIM_MUST_USE scrim_status
scrim_threshold_gaussian_new(const scrim_threshold_gaussian_options *options,
                             scrim_measurement **out, scrim_error *error);

/* Numbers, each with a range that holds the truth always, or without one: the noise is so rarely so large
 * that there is none, that this is paid for by a delta. The centres are the values of the answer, and
 * the certificate's radius is the width; where there is no range, the answer's kind is SCRIM_ANSWER_NONE. */
typedef struct scrim_range_options {
    size_t size;
    scrim_neighbours neighbours; /* required */
    const char *sensitivity;     /* required; of several values, in the l1 norm */
    const char *epsilon;         /* required */
    const char
        *width; /* to either side of the centre, in steps of the grid; this or delta */
    const char *delta;
    const char *grid; /* NULL: the integers */
    /* How many values, where there is a grid; NULL: one. The line's size=N. */
    const char *values;
} scrim_range_options;

SCRIM_API SCRIM_MUST_USE scrim_status scrim_range_new(const scrim_range_options *options,
                                                      scrim_measurement **out,
                                                      scrim_error *error);

#ifdef __cplusplus
}
#endif

#endif
