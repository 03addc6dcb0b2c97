/* How far continuous noise reaches, to compare with what is drawn.
 *
 * Claim  continuous-radius.tail  noise of scale or sigma 1 leaves the radius with a probability of at
 *                                most beta, and one that is smaller by 2^-50 of it does not
 *
 * Reference  spec/mechanisms.md 4.1, 4.3
 */
#ifndef SC_COMPOSITION_CONTINUOUS_RADIUS_H
#define SC_COMPOSITION_CONTINUOUS_RADIUS_H

#include "base/number/ratio.h"

/* In scales and in sigmas; 0 < beta < 1. False where it is beyond 2^-60 to 2^20. */
bool sc_continuous_laplace_radius(const sc_ratio *beta, sc_ratio *out);
bool sc_continuous_gaussian_radius(const sc_ratio *beta, sc_ratio *out);

#endif
