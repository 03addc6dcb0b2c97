/* Amplification by shuffling: where the reports of each protocol fall for the blanket. */
#ifndef SC_LOCAL_AMPLIFICATION_H
#define SC_LOCAL_AMPLIFICATION_H

#include "base/text.h"
#include "local/amplify/blanket.h"

/* Where the reports of a local protocol fall, for the privacy blanket (blanket.h): r, t11 and t10 of a
 * protocol with loss ln p.
 *
 *     any protocol                r = 1/(p+1), nothing else
 *     randomised-response         k values
 *     projective-geometry         q = field, t = digits
 *     subset-selection            d = chosen of k values
 *     hadamard                    J = blocks, 1 unless given
 *     local-hashing, text-hashing g = field, or cells
 *     optimised-unary, symmetric-unary
 *     square-wave                 k values, half width w
 *
 * Where pairs of values differ, the worst pair counts: the one whose sets of likely reports overlap
 * least. Less overlap moves equal masses from the common part (-(rho - 1) p and -(rho - 1)) to the
 * distinguishing ones (p - rho and 1 - rho p), which have the same sum and lie farther apart: a spread.
 *
 * A device whose loss is smaller than ln p sends what a device with ln p would send, mixed with noise
 * that does not depend on its value; so the bound holds for it too.
 *
 * Claim  shuffle-protocol.exact  the masses are those of the protocol's law for its worst pair
 */

/* law->p is set; fills in the rest. line is "NAME key=value ...", or empty for any protocol. Keys of a
 * configuration that do not matter are allowed. SCRIM_E_SYNTAX, SCRIM_E_PARAM, SCRIM_E_LIMIT. */
SCRIM_MUST_USE scrim_status sc_shuffle_protocol(sc_text line, sc_blanket_law *law,
                                                scrim_error *error);

#endif
