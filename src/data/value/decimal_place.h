/* Numbers that come as integers, and not as text, on the grid of a column: whole numbers, decimals,
 * and floating-point numbers as their shortest decimal (shortest.h).
 *
 * Claim  decimal-place.exact  the place is that of the number's text in a CSV file (field.h)
 */
#ifndef SC_DATA_DECIMAL_PLACE_H
#define SC_DATA_DECIMAL_PLACE_H

#include "model/grid.h"

/* The place of +-digits 10^exponent, in steps; digits are below 2^127. */
int64_t sc_decimal_place(const sc_grid *grid, bool is_negative, sc_uint128 digits,
                         int exponent);

/* The place of a floating-point number, by the bits of IEEE binary64, binary32 and binary16. False, with
 * place untouched, for NaN and infinity. */
bool sc_decimal_place_of_double(const sc_grid *grid, uint64_t bits, int64_t *place);
bool sc_decimal_place_of_single(const sc_grid *grid, uint32_t bits, int64_t *place);
bool sc_decimal_place_of_half(const sc_grid *grid, uint16_t bits, int64_t *place);

#endif
