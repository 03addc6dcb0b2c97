/* Decimals of a typed source: floating-point numbers as their shortest decimal, and the place of a
 * decimal on the grid of a column. */
#ifndef SC_DATA_DECIMAL_VALUE_H
#define SC_DATA_DECIMAL_VALUE_H

#include "model/grid.h"

#include <stdbool.h>
#include <stdint.h>

/* The shortest decimal that gives a floating-point number back, in its own width: of 0.1 it is 1/10,
 * though the number itself is a little more. It is what a CSV file has in its place.
 *
 * The result is nearer to the number than to any other number of its format; among such decimals it has
 * the fewest digits, and among those it is the nearest. Numbers come as bits, and nothing here is
 * floating-point arithmetic.
 *
 * Claim  shortest.exact  no decimal with fewer digits is read as the same number, and none with as
 *                        many digits is nearer to it
 * Claim  shortest.twins  the fast way and the plain way agree on every number
 */

/* +-digits 10^exponent. */
typedef struct sc_shortest {
    bool is_negative;
    uint64_t digits; /* at most 17 of them */
    int exponent;
} sc_shortest;

/* The bits are those of IEEE binary64, binary32 and binary16. False for NaN and infinity. */
bool sc_shortest_of_double(uint64_t bits, sc_shortest *out);
bool sc_shortest_of_single(uint32_t bits, sc_shortest *out);
bool sc_shortest_of_half(uint16_t bits, sc_shortest *out);

/* The plain way, for tests. */
bool sc_shortest_of_double_plain(uint64_t bits, sc_shortest *out);

/* Numbers that come as integers, and not as text, on the grid of a column: whole numbers, decimals,
 * and floating-point numbers as their shortest decimal.
 *
 * Claim  decimal-place.exact  the place is that of the number's text in a CSV file (field.h)
 */

/* The place of +-digits 10^exponent, in steps; digits are below 2^127. */
int64_t sc_decimal_place(const sc_grid *grid, bool is_negative, sc_uint128 digits,
                         int exponent);

/* The place of a floating-point number, by the bits of IEEE binary64, binary32 and binary16. False, with
 * place untouched, for NaN and infinity. */
bool sc_decimal_place_of_double(const sc_grid *grid, uint64_t bits, int64_t *place);
bool sc_decimal_place_of_single(const sc_grid *grid, uint32_t bits, int64_t *place);
bool sc_decimal_place_of_half(const sc_grid *grid, uint16_t bits, int64_t *place);

#endif
