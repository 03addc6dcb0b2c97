/* Exact integers and rationals of any size: the one door to GMP.
 *
 * GMP ends the process when memory runs out, so nothing larger than SC_RATIO_BITS above or
 * below the line is ever let in from outside, and callers keep products of a few such numbers.
 * An sc_ratio is always in lowest terms with a denominator above 0.
 */
#ifndef SC_BASE_RATIO_H
#define SC_BASE_RATIO_H

#include "base/checked.h"
#include "base/number/own.h"
#include "base/status.h"
#include "base/text.h"

#include <gmp.h>

#define SC_RATIO_BITS 4096
/* No decimal of SC_RATIO_BITS has more digits: see decimal() in ratio.c. */
#define SC_RATIO_DIGITS 4097

typedef struct sc_integer {
    mpz_t z;
} sc_integer;

typedef struct sc_ratio {
    mpq_t q;
} sc_ratio;

void sc_integer_init(sc_integer *x);
void sc_integer_clear(sc_integer *x);
void sc_integer_set(sc_integer *out, const sc_integer *x);
void sc_integer_set_int128(sc_integer *out, sc_int128 value);
void sc_integer_set_uint128(sc_integer *out, sc_uint128 value);
/* True, with the value stored, when it fits. */
bool sc_integer_get_int128(const sc_integer *x, sc_int128 *out);
bool sc_integer_get_uint64(const sc_integer *x, uint64_t *out);
bool sc_integer_get_uint128(const sc_integer *x, sc_uint128 *out);
void sc_integer_add(sc_integer *out, const sc_integer *a, const sc_integer *b);
void sc_integer_sub(sc_integer *out, const sc_integer *a, const sc_integer *b);
void sc_integer_mul(sc_integer *out, const sc_integer *a, const sc_integer *b);
void sc_integer_mul_uint64(sc_integer *out, const sc_integer *a, uint64_t b);
void sc_integer_shift_left(sc_integer *out, const sc_integer *a, unsigned bits);
/* Floor division for any a and b > 0: a = quotient * b + remainder, 0 <= remainder < b. Either
 * output may be NULL. */
void sc_integer_divide(sc_integer *quotient, sc_integer *remainder, const sc_integer *a,
                       const sc_integer *b);
/* floor(sqrt(a)), a >= 0. */
void sc_integer_sqrt(sc_integer *out, const sc_integer *a);
int sc_integer_sign(const sc_integer *x);
int sc_integer_compare(const sc_integer *a, const sc_integer *b);
size_t sc_integer_bits(const sc_integer *x); /* bits of |x|; 0 for 0 */
/* The non-negative integer with these words, least significant first. */
void sc_integer_set_words(sc_integer *out, const uint64_t *words, size_t count);

void sc_ratio_init(sc_ratio *x); /* 0 */
void sc_ratio_clear(sc_ratio *x);
void sc_ratio_set(sc_ratio *out, const sc_ratio *x);
void sc_ratio_set_int64(sc_ratio *out, int64_t value);
void sc_ratio_set_int128(sc_ratio *out, sc_int128 value);
void sc_ratio_set_integer(sc_ratio *out, const sc_integer *value);
/* numerator 2^-places. */
void sc_ratio_set_dyadic(sc_ratio *out, const sc_integer *numerator, unsigned places);
/* numerator / denominator, reduced; denominator must be above 0. */
void sc_ratio_set_fraction(sc_ratio *out, const sc_integer *numerator,
                           const sc_integer *denominator);
void sc_ratio_set_quotient(sc_ratio *out, int64_t numerator, int64_t denominator);
void sc_ratio_numerator(const sc_ratio *x, sc_integer *out);
void sc_ratio_denominator(const sc_ratio *x, sc_integer *out);
void sc_ratio_add(sc_ratio *out, const sc_ratio *a, const sc_ratio *b);
void sc_ratio_sub(sc_ratio *out, const sc_ratio *a, const sc_ratio *b);
void sc_ratio_mul(sc_ratio *out, const sc_ratio *a, const sc_ratio *b);
void sc_ratio_div(sc_ratio *out, const sc_ratio *a, const sc_ratio *b); /* b is not 0 */
int sc_ratio_sign(const sc_ratio *x);
int sc_ratio_compare(const sc_ratio *a, const sc_ratio *b);
int sc_ratio_compare_int64(const sc_ratio *a, int64_t b);
bool sc_ratio_is_integer(const sc_ratio *x);
/* floor(x) and ceil(x). */
void sc_ratio_floor(const sc_ratio *x, sc_integer *out);
void sc_ratio_ceil(const sc_ratio *x, sc_integer *out);
/* The smallest number with this many binary places that is not below x. */
void sc_ratio_round_up(const sc_ratio *x, unsigned places, sc_ratio *out);
/* a + b, rounded up to this many binary places where it has more than bits below the line: a long
 * sum of unlike fractions stays short, and is never too small. */
void sc_ratio_add_up(sc_ratio *out, const sc_ratio *a, const sc_ratio *b, size_t bits,
                     unsigned places);
/* The bits of what is above the line or of what is below it, whichever has more. */
size_t sc_ratio_bits(const sc_ratio *x);
/* Bits above the line less bits below it: 2^(this - 1) < |x| < 2^(this + 1), if x is not 0. */
long sc_ratio_exponent(const sc_ratio *x);

/* Reads an exact number: "1", "-3", "+2", "0.1", ".5", "1/3", "1e-9", "2^-40", "3/2^10" is not
 * one. Forms: [sign] digits [. digits] [e [sign] digits], [sign] digits / digits,
 * [sign] digits ^ [sign] digits. No spaces, no locale, no hexadecimal, no NaN, no infinity.
 * The sign is outermost: "-2^4" is -16.
 * SCRIM_E_SYNTAX when it is not a number (also division by 0, and 0^0), SCRIM_E_LIMIT when, in
 * lowest terms, it has more than SC_RATIO_BITS bits above or below the line (found without
 * computing it: "1e999999999" is cheap to refuse), or more than SC_RATIO_DIGITS digits in one
 * part after leading zeros. x is untouched on failure. */
SCRIM_MUST_USE scrim_status sc_ratio_parse(sc_text text, sc_ratio *x, scrim_error *error);
/* The shortest exact text: an integer, a terminating decimal of at most SC_RATIO_PLACES digits
 * after the point where there is one, else "n/d". It parses back to the same number. Writes at most
 * capacity bytes with the terminator and returns the length it needs without it, as snprintf
 * does. SC_RATIO_TEXT_BYTES is always enough. */
#define SC_RATIO_TEXT_BYTES 2600
#define SC_RATIO_PLACES 20
size_t sc_ratio_format(const sc_ratio *x, char *text, size_t capacity);

/* A rational in a line of text, behind its name. */

/* Writes before, then the number as sc_ratio_format does. */
void sc_ratio_put(sc_text_sink *sink, const char *before, const sc_ratio *x);

/* Where the answer to a question turns from no to yes, among the positive rationals.
 *
 * The question is one whose answer, as x grows, is first no and then yes. An answer that is not
 * sure is given as no: what is found is then larger than need be, and nothing worse.
 *
 * Claim  ratio-search.holds  what is found holds: the question was asked of it, and answered yes
 */

typedef bool sc_ratio_question(const void *context, const sc_ratio *x);

/* high = the power of 2 between 2^near and 2^far that holds where its half, low, does not;
 * near < 0 < far. False when no such power exists. */
bool sc_ratio_bracket(sc_ratio_question *holds, const void *context, int near, int far,
                      sc_ratio *low, sc_ratio *high);
/* Halves the interval between low, which does not hold, and high, which does, this number of times. */
void sc_ratio_bisect(sc_ratio_question *holds, const void *context, int steps,
                     sc_ratio *low, sc_ratio *high);

#endif
