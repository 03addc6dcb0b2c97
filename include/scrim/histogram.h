/* Histograms that only ever lose elements, and what is read off them: flexible accuracy. See
 * scrim/measurement.h for what an options struct is. */
#ifndef SCRIM_HISTOGRAM_H
#define SCRIM_HISTOGRAM_H

#include "scrim/measurement.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The number of elements of each bar, less at most q of them. */
typedef struct scrim_stlap_options {
    size_t size;
    scrim_neighbours neighbours; /* required */
    const char *epsilon;         /* required */
    const char *q;               /* this or delta */
    const char *delta;           /* q is then the least that will do */
    const char *group;           /* how many elements one unit may have; NULL: 1 */
    const char *sampler; /* "table": integer weights, in constant time; NULL: exact */
    const char *
        mode; /* "sparse": empty bars are passed over, which takes less time, and tells by it
                       * how many there are; NULL: dense */
} scrim_stlap_options;

SCRIM_API SCRIM_MUST_USE scrim_status scrim_stlap_new(const scrim_stlap_options *options,
                                                      scrim_measurement **out,
                                                      scrim_error *error);

#ifdef __cplusplus
}
#endif

#endif
