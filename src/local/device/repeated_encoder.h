/* bit-flip (dBitFlip) and repeated-unary (L-OSUE): bits about which of k values it is, kept for ever where
 * epoch = 0.
 *
 * bit-flip        once a device: `chosen` of the k values, uniformly, which is public. For each a bit: 1
 *                 with probability a/(a+b) if it is the value, b/(a+b) if not
 * repeated-unary  a permanent bit a value: 1 with probability 1/2 if it is the value, b/(a+b) if not; each
 *                 report keeps each bit with probability keep/2^32 and flips it otherwise, afresh
 * Claim           bit_flip.privacy        2 ln(a/b); chosen = 1: ln(a/b)
 * Claim           repeated_unary.privacy  ln(a/b) for all reports of one permanent answer; for one report
 *                                         (epoch = 1) ln((a l + b)/(b l + a)), l = keep/(2^32-keep)
 * Layout          bit-flip: the numbers of the chosen values, rising, then a bitmap; repeated-unary: a bitmap
 */
#ifndef SL_REPEATED_ENCODER_H
#define SL_REPEATED_ENCODER_H

#include "local/device/kind.h"

extern const sl_kind sl_bit_flip, sl_repeated_unary;

#endif
