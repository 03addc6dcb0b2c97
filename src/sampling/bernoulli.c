#include "sampling/bernoulli.h"

scrim_status sc_bernoulli_128(sc_bits *bits, sc_uint128 n, sc_uint128 d, bool *out,
                              scrim_error *error)
{
    sc_uint128 value = 0;
    SC_TRY(sc_uniform_128(bits, d, &value, error));
    *out = value < n;
    return SCRIM_OK;
}

scrim_status sc_bernoulli_integer(sc_bits *bits, const sc_integer *n, const sc_integer *d,
                                  bool *out, scrim_error *error)
{
    SC_OWN(sc_integer, value);
    SC_TRY(sc_uniform_integer(bits, d, &value, error));
    *out = sc_integer_compare(&value, n) < 0;
    return SCRIM_OK;
}

/* digits and remainder of n 2^64 / d; the quotient fits because n < d. */
static void long_division(const sc_integer *n, const sc_integer *d, uint64_t *digits,
                          sc_integer *remainder)
{
    SC_OWN(sc_integer, quotient, shifted);
    sc_integer_shift_left(&shifted, n, 64);
    sc_integer_divide(&quotient, remainder, &shifted, d);
    if (!sc_integer_get_uint64(&quotient, digits))
        *digits = UINT64_MAX; /* not reached: n < d */
}

void sc_coin_init(sc_coin *coin, const sc_ratio *p)
{
    SC_OWN(sc_integer, n);
    sc_integer_init(&coin->d);
    sc_integer_init(&coin->remainder);
    sc_ratio_numerator(p, &n);
    sc_ratio_denominator(p, &coin->d);
    coin->is_sure = sc_integer_compare(&n, &coin->d) >= 0;
    coin->digits = 0;
    if (!coin->is_sure)
        long_division(&n, &coin->d, &coin->digits, &coin->remainder);
}

void sc_coin_clear(sc_coin *coin)
{
    sc_integer_clear(&coin->remainder);
    sc_integer_clear(&coin->d);
}

scrim_status sc_coin_toss(sc_bits *bits, const sc_coin *coin, bool *out,
                          scrim_error *error)
{
    uint64_t word = 0;
    scrim_status status = sc_bits_word(bits, &word, error);
    if (status != SCRIM_OK)
        return status;
    if (coin->is_sure || word != coin->digits) {
        *out = coin->is_sure || word < coin->digits;
        return SCRIM_OK;
    }
    return sc_bernoulli_integer(bits, &coin->remainder, &coin->d, out, error);
}

scrim_status sc_bernoulli_settle(sc_bits *bits, uint64_t word, const sc_integer *n,
                                 const sc_integer *d, bool *out, scrim_error *error)
{
    uint64_t digits;
    SC_OWN(sc_integer, remainder);
    long_division(n, d, &digits, &remainder);
    scrim_status status = SCRIM_OK;
    if (word != digits)
        *out = word < digits;
    else
        status = sc_bernoulli_integer(bits, &remainder, d, out, error);
    return status;
}

scrim_status sc_randomise_bit(sc_bits *bits, uint64_t keep, unsigned secret,
                              unsigned *out, scrim_error *error)
{
    uint64_t word = 0;
    scrim_status status = sc_bits_word(bits, &word, error);
    if (status != SCRIM_OK)
        return status;
    /* The sign of (word >> 2) - keep, both below 2^63, is the coin. */
    uint64_t kept = ((word >> 2) - keep) >> 63;
    *out = (unsigned)((uint64_t)secret ^ kept ^ 1) & 1u;
    return SCRIM_OK;
}

static void set_words(sc_fraction *x)
{
    x->is_small = sc_integer_bits(&x->n) <= SC_FRACTION_SMALL_BITS &&
                  sc_integer_bits(&x->d) <= SC_FRACTION_SMALL_BITS &&
                  sc_integer_get_uint64(&x->n, &x->n64) &&
                  sc_integer_get_uint64(&x->d, &x->d64);
}

void sc_fraction_init(sc_fraction *out, const sc_ratio *value)
{
    out->n64 = out->d64 = 0;
    sc_integer_init(&out->n);
    sc_integer_init(&out->d);
    sc_ratio_numerator(value, &out->n);
    sc_ratio_denominator(value, &out->d);
    set_words(out);
}

void sc_fraction_init_integers(sc_fraction *out, const sc_integer *n, const sc_integer *d)
{
    out->n64 = out->d64 = 0;
    sc_integer_init(&out->n);
    sc_integer_init(&out->d);
    sc_integer_set(&out->n, n);
    sc_integer_set(&out->d, d);
    set_words(out);
}

void sc_fraction_clear(sc_fraction *x)
{
    sc_integer_clear(&x->n);
    sc_integer_clear(&x->d);
}
