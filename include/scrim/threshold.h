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

#ifdef __cplusplus
}
#endif

#endif
