/* Symmetric and optimised unary encoding: a bitmap with a bit for each of k values.
 *
 *     symmetric  the own bit is 1 with probability a/(a+b), each other one with b/(a+b); loss 2 ln(a/b)
 *     optimised  the own bit is 1 with probability 1/2, each other one with b/(a+b);     loss ln(a/b)
 *
 * 256 bits are drawn at once where a+b is a power of two, up to 2^32; else one after the other.
 */
#ifndef SL_UNARY_ENCODER_H
#define SL_UNARY_ENCODER_H

#include "local/device/kind.h"

extern const sl_kind sl_symmetric_unary, sl_optimised_unary;

#endif
