/* Distances of values that are declared one by one, for condensed-exponential.
 *
 *     distances=3,5,4       of 3 values: d(0,1), then d(0,2) and d(1,2)
 *
 * Claim  declared-distances.metric  a list that is taken is a metric of whole numbers from 1 to 255 on all values
 */
#ifndef SC_MECHANISM_DECLARED_DISTANCES_H
#define SC_MECHANISM_DECLARED_DISTANCES_H

#include "base/number/parameters.h"
#include "scrim_local.h"

/* The parameter, which is optional. */
#define SC_RULE_DISTANCES                                                                \
    {                                                                                    \
        .name = "distances", .kind = SC_PARAMETER_RATIONALS, .optional = true,           \
        .at_least = "1", .at_most = "255",                                               \
        .domain = "integers from 1 to 255, such as 3,5,4: of 0 and 1, then of 0 and 2, " \
                  "1 and 2, and so on; up to 11 values"                                  \
    }

/* Fills table, which the configuration points to from then on, where the parameter is given. SCRIM_E_PARAM: there is no
 * distance for each pair of values, one is no whole number, or a way over a third value is shorter. */
SCRIM_MUST_USE scrim_status sc_declared_distances(const sc_parameters *parameters,
                                                  scrim_local_config *config,
                                                  uint8_t table[SC_PARAMETER_ITEMS],
                                                  scrim_error *error);

#endif
