/* The text of a number of a typed source, where a column is declared as text or names the privacy unit. Equal numbers have equal
 * texts, whatever type the source gave them: 5 and 5.0 are the same person.
 *
 * Claim  number-text.one  equal numbers have one text: no zeros behind the point, no point without digits, no minus
 *                         before 0; beyond 10^38 the digits and a power
 */
#ifndef SC_DATA_NUMBER_TEXT_H
#define SC_DATA_NUMBER_TEXT_H

#include "base/checked.h"
#include "base/text.h"
#include "data/value/decimal_value.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Room for the text of an integer of 64 bits, and of any number. */
#define SC_WHOLE_TEXT_BYTES 24
#define SC_NUMBER_TEXT_BYTES 96

/* Up to this power of ten zeros are written out, behind a number and before it. */
#define SC_NUMBER_TEXT_POWER 38

/* The texts lie within room, and need not begin where it does. */

/* An integer of 64 bits, signed or not. */
sc_text sc_whole_text(sc_int128 value, char room[SC_WHOLE_TEXT_BYTES]);
/* +-digits 10^exponent: "1.5", "100", "1e39". Digits are below 2^127. */
sc_text sc_number_text(bool is_negative, sc_uint128 digits, int exponent,
                       char room[SC_NUMBER_TEXT_BYTES]);
/* The shortest decimal of a floating-point number, by the bits of IEEE binary64. False for NaN and infinity. */
bool sc_double_text(uint64_t bits, char room[SC_NUMBER_TEXT_BYTES], sc_text *text);

#endif
