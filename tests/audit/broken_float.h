/* The textbook Laplace mechanism in doubles: x - b sign(u) log(1 - 2|u|), u uniform. */
#ifndef BROKEN_FLOAT_H
#define BROKEN_FLOAT_H

#include "model/measurement.h"

/* laplace-in-doubles epsilon=R bits=N: u has N bits, 53 unless given; up to 16 of them have a
 * law. An answer is in steps of 2^-60, saturated at 8: fine enough for every bit of doubles from
 * 2^-8 on. */
extern const sc_mechanism broken_float_laplace;

/* One such double. */
double broken_float_draw(double x, double scale, unsigned bits, uint64_t word);
int64_t broken_float_steps(double value);

#endif
