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
#ifndef SL_RAPPOR_ENCODER_H
#define SL_RAPPOR_ENCODER_H

#include "local/device/kind.h"

extern const sl_kind sl_rappor;

#endif
