/* Parts of the attacks on one count: expected successes, which the tables show beside the measured ones,
 * and naive floating-point noise. */
#ifndef LAB_ATTACK_COUNTS_H
#define LAB_ATTACK_COUNTS_H

#include <stdbool.h>
#include <stdint.h>

/* How often a bit is guessed right from two counts with discrete Laplace noise of scale 1/epsilon each:
 * 1 if their difference is above 0. */
double lab_difference_expected(double epsilon);
/* P(|S| < repeats/2), S the sum of `repeats` discrete Laplace draws: their mean, rounded, is the truth.
 * False without memory. */
bool lab_average_expected(double scale, unsigned repeats, double *out);

/* x plus Laplace noise in double precision, by inversion: the upper 53 bits of the word are a uniform
 * number, the lowest is the sign. */
double lab_float_answer(int x, double scale, uint64_t word);
/* Can this answer come from x? */
bool lab_float_is_possible(int x, double scale, double answer);

#endif
