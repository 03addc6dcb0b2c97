/* The decoder of condensed-exponential, whose reports are values with R(z|x) = w(|x-z|)/S_x: counts are the histogram
 * of reports times the inverse of R, in doubles. Their variances are those of the reports as they were counted.
 *
 * Claim  decode-condensed.unbiased  a histogram that is as expected has the number of devices that hold each value
 *                                   as its estimate, but for rounding
 *
 * Time  values^3
 */
#ifndef SC_LOCAL_DECODE_CONDENSED_H
#define SC_LOCAL_DECODE_CONDENSED_H

#include "local/collect/decoding.h"

#define SC_CONDENSED_VALUES 512

/* SCRIM_E_PARAM: distances are those of a table, which the configuration has only the hash of. SCRIM_E_LIMIT: more than
 * SC_CONDENSED_VALUES values, or weights so close that counts are lost. */
SCRIM_MUST_USE scrim_status sc_decode_condensed(const sc_sums *sums, sc_decoding *out,
                                                scrim_error *error);

#endif
