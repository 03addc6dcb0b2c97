/* Which values somebody holds, with the rate of false ones controlled: Benjamini and Yekutieli 2001, which
 * holds whatever the dependence between the estimates. The hits of a value that no device holds are
 * binomial, exactly; p is their tail.
 *
 * Claim  discovery.rate  of the values that it lists, the expected share that no device holds is at most
 *                        level
 */
#ifndef SC_LOCAL_DISCOVERY_H
#define SC_LOCAL_DISCOVERY_H

#include "local/collect/decoding.h"

/* Sets p[v] to the tail of the hits of v, where that is at most level, else to 1. Values with p[v] at most
 * *listed are; none is where that is below 0. SCRIM_E_MEMORY; SCRIM_E_PARAM: the protocol has no
 * such test. */
SCRIM_MUST_USE scrim_status sc_discovery(const sc_decoding *decoding, double level,
                                         double *p, double *listed, scrim_error *error);

#endif
