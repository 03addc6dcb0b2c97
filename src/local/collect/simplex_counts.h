/* The nearest counts that are not negative and add up to total. */
#ifndef SC_LOCAL_SIMPLEX_COUNTS_H
#define SC_LOCAL_SIMPLEX_COUNTS_H

#include "base/status.h"

#include <stddef.h>

/* counts are replaced: each becomes max(0, count - t), for the t that makes the sum right. total > 0.
 * SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_simplex_counts(double *counts, size_t count, double total,
                                              scrim_error *error);

#endif
