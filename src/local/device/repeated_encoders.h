/* Encoders whose noise is kept for later reports: bit-flip, repeated unary encoding and RAPPOR. */
#ifndef SL_REPEATED_ENCODERS_H
#define SL_REPEATED_ENCODERS_H

#include "local/device/kind.h"

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

extern const sl_kind sl_bit_flip, sl_repeated_unary;

/* rappor: a signal of bits, one a value of a list or a Bloom filter of a text; a permanent answer of
 * noisy bits; reports that are noisy once more.
 *
 * Input      a value below `values` (hashes = 0: the bit of this number is 1; with two values and one bit:
 *            yes, 1, or no, 0), or a text of `text` bytes and the device's cohort
 * Permanent  each bit, once: with probability f a fair coin, else the signal's
 * Report     each bit, each time: 1 with probability q where the permanent one is 1, p where it is 0
 *            (p = q = 0: the permanent bits)
 * Claim      rappor.permanent  all reports of one permanent answer: 2 h ln((1-f/2)/(f/2)), h the hashes, 1
 *                              for a list; a single bit: half
 * Claim      rappor.report     one report: h ln(q'(1-p') / (p'(1-q'))), q' = q - f(q-p)/2, p' = p + f(q-p)/2; a
 *                              single bit: the larger of ln(q'/p') and ln((1-p')/(1-q'))
 * Layout     the cohort, left out if there is one; the bitmap
 */

extern const sl_kind sl_rappor;

#endif
