#include "base/number/ratio.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

_Static_assert(LONG_MAX == INT64_MAX, "GMP's long arguments take an int64_t");

/* Integers. */

void sc_integer_init(sc_integer *x)
{
    mpz_init(x->z);
}

void sc_integer_clear(sc_integer *x)
{
    mpz_clear(x->z);
}

void sc_integer_set(sc_integer *out, const sc_integer *x)
{
    mpz_set(out->z, x->z);
}

void sc_integer_set_words(sc_integer *out, const uint64_t *words, size_t count)
{
    mpz_import(out->z, count, -1, sizeof *words, 0, 0, words);
}

void sc_integer_set_uint128(sc_integer *out, sc_uint128 value)
{
    const uint64_t words[2] = {(uint64_t)value, (uint64_t)(value >> 64)};
    sc_integer_set_words(out, words, 2);
}

void sc_integer_set_int128(sc_integer *out, sc_int128 value)
{
    sc_integer_set_uint128(out, value < 0 ? -(sc_uint128)value : (sc_uint128)value);
    if (value < 0)
        mpz_neg(out->z, out->z);
}

/* |x|, which has at most 128 bits. */
static sc_uint128 magnitude(const sc_integer *x)
{
    uint64_t words[2] = {0, 0};
    mpz_export(words, NULL, -1, sizeof *words, 0, 0, x->z);
    return (sc_uint128)words[1] << 64 | words[0];
}

bool sc_integer_get_int128(const sc_integer *x, sc_int128 *out)
{
    if (sc_integer_bits(x) > 128)
        return false;
    const bool negative = mpz_sgn(x->z) < 0;
    const sc_uint128 size = magnitude(x);
    if (size > (sc_uint128)SC_INT128_MAX + (negative ? 1u : 0u))
        return false;
    *out = (sc_int128)(negative ? -size : size);
    return true;
}

bool sc_integer_get_uint128(const sc_integer *x, sc_uint128 *out)
{
    if (mpz_sgn(x->z) < 0 || sc_integer_bits(x) > 128)
        return false;
    *out = magnitude(x);
    return true;
}

bool sc_integer_get_uint64(const sc_integer *x, uint64_t *out)
{
    if (mpz_sgn(x->z) < 0 || sc_integer_bits(x) > 64)
        return false;
    *out = (uint64_t)magnitude(x);
    return true;
}

void sc_integer_add(sc_integer *out, const sc_integer *a, const sc_integer *b)
{
    mpz_add(out->z, a->z, b->z);
}

void sc_integer_sub(sc_integer *out, const sc_integer *a, const sc_integer *b)
{
    mpz_sub(out->z, a->z, b->z);
}

void sc_integer_mul(sc_integer *out, const sc_integer *a, const sc_integer *b)
{
    mpz_mul(out->z, a->z, b->z);
}

void sc_integer_mul_uint64(sc_integer *out, const sc_integer *a, uint64_t b)
{
    mpz_mul_ui(out->z, a->z, b);
}

void sc_integer_shift_left(sc_integer *out, const sc_integer *a, unsigned bits)
{
    mpz_mul_2exp(out->z, a->z, bits);
}

void sc_integer_divide(sc_integer *quotient, sc_integer *remainder, const sc_integer *a,
                       const sc_integer *b)
{
    if (quotient != NULL && remainder != NULL)
        mpz_fdiv_qr(quotient->z, remainder->z, a->z, b->z);
    else if (quotient != NULL)
        mpz_fdiv_q(quotient->z, a->z, b->z);
    else if (remainder != NULL)
        mpz_fdiv_r(remainder->z, a->z, b->z);
}

void sc_integer_sqrt(sc_integer *out, const sc_integer *a)
{
    mpz_sqrt(out->z, a->z);
}

/* GMP promises the sign of a comparison only; we promise -1, 0 or 1. */
static int sign_of(int comparison)
{
    return (comparison > 0) - (comparison < 0);
}

int sc_integer_sign(const sc_integer *x)
{
    return mpz_sgn(x->z);
}

int sc_integer_compare(const sc_integer *a, const sc_integer *b)
{
    return sign_of(mpz_cmp(a->z, b->z));
}

static size_t bits_of(mpz_srcptr x)
{
    return mpz_sgn(x) == 0 ? 0 : mpz_sizeinbase(x, 2);
}

size_t sc_integer_bits(const sc_integer *x)
{
    return bits_of(x->z);
}

/* Rationals. */

void sc_ratio_init(sc_ratio *x)
{
    mpq_init(x->q);
}

void sc_ratio_clear(sc_ratio *x)
{
    mpq_clear(x->q);
}

void sc_ratio_set(sc_ratio *out, const sc_ratio *x)
{
    mpq_set(out->q, x->q);
}

void sc_ratio_set_int64(sc_ratio *out, int64_t value)
{
    mpq_set_si(out->q, value, 1);
}

void sc_ratio_set_integer(sc_ratio *out, const sc_integer *value)
{
    mpq_set_z(out->q, value->z);
}

void sc_ratio_set_int128(sc_ratio *out, sc_int128 value)
{
    SC_OWN(sc_integer, whole);
    sc_integer_set_int128(&whole, value);
    sc_ratio_set_integer(out, &whole);
}

void sc_ratio_set_dyadic(sc_ratio *out, const sc_integer *numerator, unsigned places)
{
    mpq_set_z(out->q, numerator->z);
    mpq_div_2exp(out->q, out->q, places);
}

void sc_ratio_set_fraction(sc_ratio *out, const sc_integer *numerator,
                           const sc_integer *denominator)
{
    mpq_set_num(out->q, numerator->z);
    mpq_set_den(out->q, denominator->z);
    mpq_canonicalize(out->q);
}

void sc_ratio_set_quotient(sc_ratio *out, int64_t numerator, int64_t denominator)
{
    SC_OWN(sc_integer, top, bottom);
    sc_integer_set_int128(&top, numerator);
    sc_integer_set_int128(&bottom, denominator);
    sc_ratio_set_fraction(out, &top, &bottom);
}

void sc_ratio_numerator(const sc_ratio *x, sc_integer *out)
{
    mpq_get_num(out->z, x->q);
}

void sc_ratio_denominator(const sc_ratio *x, sc_integer *out)
{
    mpq_get_den(out->z, x->q);
}

void sc_ratio_add(sc_ratio *out, const sc_ratio *a, const sc_ratio *b)
{
    mpq_add(out->q, a->q, b->q);
}

void sc_ratio_sub(sc_ratio *out, const sc_ratio *a, const sc_ratio *b)
{
    mpq_sub(out->q, a->q, b->q);
}

void sc_ratio_mul(sc_ratio *out, const sc_ratio *a, const sc_ratio *b)
{
    mpq_mul(out->q, a->q, b->q);
}

void sc_ratio_div(sc_ratio *out, const sc_ratio *a, const sc_ratio *b)
{
    mpq_div(out->q, a->q, b->q);
}

int sc_ratio_sign(const sc_ratio *x)
{
    return mpq_sgn(x->q);
}

int sc_ratio_compare(const sc_ratio *a, const sc_ratio *b)
{
    return sign_of(mpq_cmp(a->q, b->q));
}

int sc_ratio_compare_int64(const sc_ratio *a, int64_t b)
{
    return sign_of(mpq_cmp_si(a->q, b, 1));
}

bool sc_ratio_is_integer(const sc_ratio *x)
{
    return mpz_cmp_ui(mpq_denref(x->q), 1) == 0;
}

void sc_ratio_floor(const sc_ratio *x, sc_integer *out)
{
    mpz_fdiv_q(out->z, mpq_numref(x->q), mpq_denref(x->q));
}

void sc_ratio_ceil(const sc_ratio *x, sc_integer *out)
{
    mpz_cdiv_q(out->z, mpq_numref(x->q), mpq_denref(x->q));
}

void sc_ratio_round_up(const sc_ratio *x, unsigned places, sc_ratio *out)
{
    mpq_mul_2exp(out->q, x->q, places);
    mpz_cdiv_q(mpq_numref(out->q), mpq_numref(out->q), mpq_denref(out->q));
    mpz_set_ui(mpq_denref(out->q), 1);
    mpq_div_2exp(out->q, out->q, places);
}

void sc_ratio_add_up(sc_ratio *out, const sc_ratio *a, const sc_ratio *b, size_t bits,
                     unsigned places)
{
    mpq_add(out->q, a->q, b->q);
    if (bits_of(mpq_denref(out->q)) > bits)
        sc_ratio_round_up(out, places, out);
}

size_t sc_ratio_bits(const sc_ratio *x)
{
    const size_t above = bits_of(mpq_numref(x->q)), below = bits_of(mpq_denref(x->q));
    return above > below ? above : below;
}

long sc_ratio_exponent(const sc_ratio *x)
{
    return (long)bits_of(mpq_numref(x->q)) - (long)bits_of(mpq_denref(x->q));
}

/* Reading. */

/* A power of ten or of a base, with room to add the length of any text in memory to
 * it. */
#define EXPONENT_MAX (INT64_C(1) << 62)

static bool take_minus(sc_text *rest)
{
    const bool minus = sc_text_take(rest, '-');
    if (!minus)
        (void)sc_text_take(rest, '+');
    return minus;
}

static void drop_leading_zeros(sc_text *digits)
{
    while (sc_text_take(digits, '0'))
        continue;
}

static int64_t drop_trailing_zeros(sc_text *digits)
{
    const size_t before = digits->bytes;
    while (digits->bytes > 0 && digits->start[digits->bytes - 1] == '0')
        digits->bytes--;
    return (int64_t)(before - digits->bytes);
}

/* [sign] digits, saturated at EXPONENT_MAX, where everything but 0 and 1 is beyond the
 * limit. */
static bool take_exponent(sc_text *rest, int64_t *out)
{
    const bool minus = take_minus(rest);
    sc_text digits = sc_text_take_digits(rest);
    if (digits.bytes == 0)
        return false;
    drop_leading_zeros(&digits);
    uint64_t value = 0;
    if (digits.bytes > 0 && !sc_text_uint64(digits, &value))
        value = EXPONENT_MAX;
    if (value > EXPONENT_MAX)
        value = EXPONENT_MAX;
    *out = minus ? -(int64_t)value : (int64_t)value;
    return true;
}

/* The integer whose digits are those of a and then those of b; false when they are too
 * many. */
static bool join(mpz_t out, sc_text a, sc_text b)
{
    char digits[SC_RATIO_DIGITS + 1];
    sc_text_sink sink;
    if (a.bytes > SC_RATIO_DIGITS || b.bytes > SC_RATIO_DIGITS - a.bytes)
        return false;
    sc_text_sink_init(&sink, digits, sizeof digits);
    sc_text_put(&sink, a);
    sc_text_put(&sink, b);
    if (sink.length == 0)
        mpz_set_ui(out, 0);
    else
        mpz_set_str(out, digits, 10);
    return true;
}

/* digits [. digits] [e [sign] digits], where whole has been taken off rest.
 *
 * With zeros stripped at both ends the value is m * 10^e, m an integer of n digits that is not
 * divisible by ten. Its size in lowest terms can be told without computing it:
 *   e >= 0  it is at least 10^(n-1+e), and 10^1234 has more than SC_RATIO_BITS = 4096 bits;
 *   e < 0   m shares with 10^-e a power of 2 or one of 5, not both: the denominator is at
 *           least 2^-e, and with -e <= 4096 the numerator at least 10^(n-1) / 5^4096, which is
 *           above 2^4096 when n > 4097 = SC_RATIO_DIGITS.
 * A text that passes is small enough to be computed and measured. */
static scrim_status decimal(sc_text whole, sc_text rest, mpq_t out)
{
    sc_text fraction = {rest.start, 0};
    int64_t e = 0;
    if (sc_text_take(&rest, '.')) {
        fraction = sc_text_take_digits(&rest);
        if (fraction.bytes == 0)
            return SCRIM_E_SYNTAX;
    } else if (whole.bytes == 0) {
        return SCRIM_E_SYNTAX;
    }
    if (sc_text_take(&rest, 'e') && !take_exponent(&rest, &e))
        return SCRIM_E_SYNTAX;
    if (rest.bytes > 0)
        return SCRIM_E_SYNTAX;

    e -= (int64_t)fraction.bytes;
    e += drop_trailing_zeros(&fraction);
    if (fraction.bytes == 0)
        e += drop_trailing_zeros(&whole);
    drop_leading_zeros(&whole);
    if (whole.bytes == 0)
        drop_leading_zeros(&fraction);
    const int64_t n = (int64_t)(whole.bytes + fraction.bytes);
    if (n == 0)
        return SCRIM_OK; /* out is 0 */
    if (e > 1234 - n && e >= 0)
        return SCRIM_E_LIMIT;
    if (e < -SC_RATIO_BITS || !join(mpq_numref(out), whole, fraction))
        return SCRIM_E_LIMIT;
    mpz_ui_pow_ui(mpq_denref(out), 10, e < 0 ? (unsigned long)-e : 0);
    if (e > 0) {
        mpz_t scale;
        mpz_init(scale);
        mpz_ui_pow_ui(scale, 10, (unsigned long)e);
        mpz_mul(mpq_numref(out), mpq_numref(out), scale);
        mpz_clear(scale);
    }
    return SCRIM_OK;
}

/* digits / digits, where numerator and the line have been taken off rest. */
static scrim_status fraction(sc_text numerator, sc_text rest, mpq_t out)
{
    sc_text denominator = sc_text_take_digits(&rest);
    if (numerator.bytes == 0 || denominator.bytes == 0 || rest.bytes > 0)
        return SCRIM_E_SYNTAX;
    drop_leading_zeros(&numerator);
    drop_leading_zeros(&denominator);
    if (denominator.bytes == 0)
        return SCRIM_E_SYNTAX;
    const sc_text none = {"", 0};
    if (!join(mpq_numref(out), numerator, none) ||
        !join(mpq_denref(out), denominator, none))
        return SCRIM_E_LIMIT;
    return SCRIM_OK;
}

/* digits ^ [sign] digits, where base and the caret have been taken off rest. A base of b
 * bits to the power e has more than (b - 1) e bits; where that is at most SC_RATIO_BITS,
 * the power has at most twice as many and can be computed. */
static scrim_status power(sc_text base, sc_text rest, mpq_t out)
{
    int64_t e;
    if (base.bytes == 0 || !take_exponent(&rest, &e) || rest.bytes > 0)
        return SCRIM_E_SYNTAX;
    drop_leading_zeros(&base);
    if (base.bytes == 0)
        return e > 0 ? SCRIM_OK : SCRIM_E_SYNTAX; /* out is 0 */
    if (!join(mpq_numref(out), base, (sc_text){"", 0}))
        return SCRIM_E_LIMIT;
    if (mpz_cmp_ui(mpq_numref(out), 1) == 0)
        return SCRIM_OK;
    const uint64_t size = (uint64_t)(e < 0 ? -e : e);
    if (size > SC_RATIO_BITS / (mpz_sizeinbase(mpq_numref(out), 2) - 1))
        return SCRIM_E_LIMIT;
    mpz_pow_ui(mpq_numref(out), mpq_numref(out), size);
    if (e < 0)
        mpq_inv(out, out);
    return SCRIM_OK;
}

static scrim_status parse(sc_text rest, mpq_t out)
{
    const bool minus = take_minus(&rest);
    const sc_text digits = sc_text_take_digits(&rest);
    scrim_status status;
    if (sc_text_take(&rest, '/'))
        status = fraction(digits, rest, out);
    else if (sc_text_take(&rest, '^'))
        status = power(digits, rest, out);
    else
        status = decimal(digits, rest, out);
    if (status != SCRIM_OK)
        return status;
    mpq_canonicalize(out);
    if (bits_of(mpq_numref(out)) > SC_RATIO_BITS ||
        bits_of(mpq_denref(out)) > SC_RATIO_BITS)
        return SCRIM_E_LIMIT;
    if (minus)
        mpq_neg(out, out);
    return SCRIM_OK;
}

scrim_status sc_ratio_parse(sc_text text, sc_ratio *x, scrim_error *error)
{
    char quote[SC_TEXT_QUOTE_BYTES];
    mpq_t value;
    mpq_init(value);
    scrim_status status = parse(text, value);
    if (status == SCRIM_OK)
        mpq_swap(x->q, value);
    else if (status == SCRIM_E_LIMIT)
        status = sc_fail(error, status,
                         "'%s' is too large or too fine; at most %d bits in its "
                         "numerator and denominator are allowed",
                         sc_text_quote(text, quote), SC_RATIO_BITS);
    else
        status = sc_fail_for(
            error, status, SCRIM_REASON_SYNTAX, "",
            "'%s' is not an exact number; write it like 12, 0.1, 1/3, 1e-9 or "
            "2^-40",
            sc_text_quote(text, quote));
    mpq_clear(value);
    return status;
}

/* Writing. */

/* The digits after the point of a number with this denominator: the larger of its
 * exponents of 2 and of 5. More than SC_RATIO_PLACES when there are other factors, or too
 * many. */
static unsigned long decimals_of(const mpz_t denominator)
{
    mpz_t rest, five;
    mpz_init(rest);
    mpz_init_set_ui(five, 5);
    const unsigned long twos = mpz_scan1(denominator, 0);
    mpz_tdiv_q_2exp(rest, denominator, twos);
    const unsigned long fives = mpz_remove(rest, rest, five);
    const bool terminates = mpz_cmp_ui(rest, 1) == 0;
    mpz_clear(five);
    mpz_clear(rest);
    if (!terminates)
        return ULONG_MAX;
    return twos > fives ? twos : fives;
}

/* |value|, with this number of its digits behind a point. */
static void put_digits(sc_text_sink *sink, const mpz_t value, size_t decimals)
{
    void (*release)(void *, size_t);
    char *text = mpz_get_str(NULL, 10, value);
    const sc_text all = sc_text_of(text);
    sc_text digits = all;
    (void)sc_text_take(&digits, '-');
    const size_t before = digits.bytes > decimals ? digits.bytes - decimals : 0;
    if (before == 0)
        sc_text_put(sink, sc_text_of("0"));
    sc_text_put(sink, (sc_text){digits.start, before});
    if (decimals > 0) {
        sc_text_put(sink, sc_text_of("."));
        sc_text_put_times(sink, '0', decimals - (digits.bytes - before));
        sc_text_put(sink, (sc_text){digits.start + before, digits.bytes - before});
    }
    mp_get_memory_functions(NULL, NULL, &release);
    release(text, all.bytes + 1);
}

size_t sc_ratio_format(const sc_ratio *x, char *text, size_t capacity)
{
    sc_text_sink sink;
    sc_text_sink_init(&sink, text, capacity);
    /* Most are, and tables have many of them. */
    if (mpz_cmp_ui(mpq_denref(x->q), 1) == 0 && mpz_fits_slong_p(mpq_numref(x->q))) {
        char digits[32];
        snprintf(digits, sizeof digits, "%ld", mpz_get_si(mpq_numref(x->q)));
        sc_text_put(&sink, sc_text_of(digits));
        return sink.length;
    }
    if (mpq_sgn(x->q) < 0)
        sc_text_put(&sink, sc_text_of("-"));
    const unsigned long decimals = decimals_of(mpq_denref(x->q));
    if (decimals <= SC_RATIO_PLACES) {
        mpz_t scaled;
        mpz_init(scaled);
        mpz_ui_pow_ui(scaled, 10, decimals);
        mpz_divexact(scaled, scaled, mpq_denref(x->q));
        mpz_mul(scaled, scaled, mpq_numref(x->q));
        put_digits(&sink, scaled, decimals);
        mpz_clear(scaled);
    } else {
        put_digits(&sink, mpq_numref(x->q), 0);
        sc_text_put(&sink, sc_text_of("/"));
        put_digits(&sink, mpq_denref(x->q), 0);
    }
    return sink.length;
}

void sc_ratio_put(sc_text_sink *sink, const char *before, const sc_ratio *x)
{
    char text[SC_RATIO_TEXT_BYTES];
    (void)sc_ratio_format(x, text, sizeof text);
    sc_text_put(sink, sc_text_of(before));
    sc_text_put(sink, sc_text_of(text));
}

bool sc_ratio_bracket(sc_ratio_question *holds, const void *context, int near, int far,
                      sc_ratio *low, sc_ratio *high)
{
    int exponent = 0;
    SC_OWN(sc_ratio, two);
    sc_ratio_set_int64(&two, 2);
    sc_ratio_set_int64(high, 1);
    while (exponent > near && holds(context, high)) {
        sc_ratio_div(high, high, &two);
        exponent--;
    }
    while (exponent < far && !holds(context, high)) {
        sc_ratio_mul(high, high, &two);
        exponent++;
    }
    sc_ratio_div(low, high, &two);
    return exponent > near && exponent < far;
}

void sc_ratio_bisect(sc_ratio_question *holds, const void *context, int steps,
                     sc_ratio *low, sc_ratio *high)
{
    SC_OWN(sc_ratio, middle, two);
    sc_ratio_set_int64(&two, 2);
    for (int step = 0; step < steps; step++) {
        sc_ratio_add(&middle, low, high);
        sc_ratio_div(&middle, &middle, &two);
        sc_ratio_set(holds(context, &middle) ? high : low, &middle);
    }
}
