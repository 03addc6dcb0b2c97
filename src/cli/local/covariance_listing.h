/* `scrim local decode --covariance`: the covariances of the estimates, for errors of sums and differences. */
#ifndef SC_CLI_COVARIANCE_LISTING_H
#define SC_CLI_COVARIANCE_LISTING_H

#include "cli/local/decode_listing.h"

/* A row for each pair of values, and for each value with itself; of the largest estimates alone where
 * view->top is not 0. SCRIM_E_LIMIT: of too many values. */
SCRIM_MUST_USE scrim_status sc_covariance_listing(const sc_decode_view *view,
                                                  const sc_options *options,
                                                  scrim_error *error);

#endif
