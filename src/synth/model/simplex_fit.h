/* The nearest non-negative vector of a given sum, in doubles: y_i - t where that is above 0, else 0. */
#ifndef SC_SYNTH_SIMPLEX_FIT_H
#define SC_SYNTH_SIMPLEX_FIT_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

/* count >= 1 and total >= 0. SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_simplex_fit(const double *values, size_t count,
                                           double total, double *out, scrim_error *error);

#endif
