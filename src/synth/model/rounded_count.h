/* A model's answer as the integer that data may be compared with: floor(A + 1/2), decoded exactly, from 0 to
 * 2^40, 0 for what is not a number. The model is public, so that any integer would be sound.
 *
 * Claim  rounded-count.exact  the result is floor(A + 1/2) of the double A itself, without a rounded sum
 *
 * Reference  spec/synthetic.md 1, rounding rule
 */
#ifndef SC_SYNTH_ROUNDED_COUNT_H
#define SC_SYNTH_ROUNDED_COUNT_H

#include <stdint.h>

/* Rounded answers, and totals of models, are at most this. */
#define SC_SYNTH_COUNT_MAX ((int64_t)1 << 40)

int64_t sc_rounded_count(double answer);

#endif
