/* Decimal text of a few digits for a bound: what a reader sees is a bound still.
 *
 *     4.4996000001 as upper, five digits:  4.4997
 *     1/3 as lower, five digits:           0.33333
 *     2^-200 as upper, five digits:        6.2231e-61
 *
 * Claim  decimal.directed  an upper text is never below the number and a lower one never above it;
 *                          both are less than a unit of the last digit away, and the number itself
 *                          where that has no more digits
 */
#ifndef SC_BASE_DECIMAL_H
#define SC_BASE_DECIMAL_H

#include "base/number/ratio.h"

#define SC_DECIMAL_DIGITS 30 /* at most */
#define SC_DECIMAL_BYTES 64

/* x >= 0 with at most this number of significant digits, from 1 to SC_DECIMAL_DIGITS; sc_ratio_parse
 * reads it. */
void sc_decimal_upper(const sc_ratio *x, unsigned digits, char text[SC_DECIMAL_BYTES]);
void sc_decimal_lower(const sc_ratio *x, unsigned digits, char text[SC_DECIMAL_BYTES]);
/* The numbers that these write. */
void sc_decimal_round_up(const sc_ratio *x, unsigned digits, sc_ratio *out);
void sc_decimal_round_down(const sc_ratio *x, unsigned digits, sc_ratio *out);

#endif
