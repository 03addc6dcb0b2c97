/* one-bit-mean and rounded-bit-mean: one bit about a number x from 0 to m = values - 1.
 *
 * one-bit-mean      1 with probability (b m + x (a-b)) / ((a+b) m), afresh each time: loss ln(a/b)
 * rounded-bit-mean  once a device: an offset alpha uniform below m, and two answers, 1 with probability
 *                   b/(a+b) and a/(a+b). The second answers for x + alpha >= m, which has probability x/m,
 *                   the first otherwise. Each report is flipped with probability flip/2^32, afresh.
 * Claim             one_bit_mean.privacy      ln(a/b)
 * Claim             rounded_bit_mean.privacy  flip = 0: ln(a/b) for all reports of a constant number.
 *                                             flip > 0: ln((2^32-flip)/flip) for each report, whatever the
 *                                             numbers; with a fresh offset each period (epoch = 1),
 *                                             ln(u/(1-u)), u = (a (2^32-flip) + b flip) / ((a+b) 2^32)
 *
 * A finer grid of offsets, with an answer for each of its s + 1 points, is not offered. A report is 1 with
 * the same probability whatever s, since that is linear in x: no estimate of a period gets better, and a
 * number that changes is seen to cross s places in place of one.
 */
#ifndef SL_MEAN_ENCODER_H
#define SL_MEAN_ENCODER_H

#include "local/device/kind.h"

extern const sl_kind sl_one_bit, sl_rounded_bit;

#endif
