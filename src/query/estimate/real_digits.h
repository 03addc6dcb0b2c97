/* Doubles of what is computed from released numbers, as exact numbers; and how many digits a
 * number needs. */
#ifndef SC_QUERY_REAL_DIGITS_H
#define SC_QUERY_REAL_DIGITS_H

#include "base/number/ratio.h"

/* Estimates have no more digits behind the point. */
#define SC_REAL_DIGITS 20

/* The same number; x is finite. */
void sc_real_to_ratio(double x, sc_ratio *out);
/* x, at least 0, rounded up to three decimal digits in all. */
void sc_real_three_upper(double x, sc_ratio *out);

/* The fewest digits behind the point, up to SC_REAL_DIGITS, with which no rounding is off by more
 * than error. */
unsigned sc_digits_for(double error);
/* Those that a multiple of step has, or SC_REAL_DIGITS when it has more. */
unsigned sc_digits_of_step(const sc_ratio *step);

#endif
