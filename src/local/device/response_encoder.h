/* Randomised response over k values: the value with weight a, each other one with weight b.
 *
 *     u = uniform(a + (k-1) b);  u < a: the value;  else j = (u - a) div b, and 1 more from the value on
 */
#ifndef SL_RESPONSE_ENCODER_H
#define SL_RESPONSE_ENCODER_H

#include "local/device/kind.h"

extern const sl_kind sl_response;

#endif
