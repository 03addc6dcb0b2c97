#include "sampling/bernoulli_exp.h"

static scrim_status exp01_128(sc_bits *bits, sc_uint128 n, sc_uint128 d, bool *out,
                              scrim_error *error)
{
    for (uint64_t k = 1; k < SC_BITS_PATIENCE; k++) {
        bool pass = false;
        scrim_status status = sc_bernoulli_128(bits, n, d * k, &pass, error);
        if (status != SCRIM_OK)
            return status;
        if (!pass) {
            *out = k & 1;
            return SCRIM_OK;
        }
    }
    return sc_bits_broken(error);
}

scrim_status sc_bernoulli_exp01_integer(sc_bits *bits, const sc_integer *n,
                                        const sc_integer *d, bool *out,
                                        scrim_error *error)
{
    SC_OWN(sc_integer, product);
    scrim_status status = SCRIM_OK;
    bool pass = true;
    uint64_t k = 0;
    while (status == SCRIM_OK && pass && ++k < SC_BITS_PATIENCE) {
        sc_integer_mul_uint64(&product, d, k);
        status = sc_bernoulli_integer(bits, n, &product, &pass, error);
    }
    if (status == SCRIM_OK && pass)
        status = sc_bits_broken(error);
    if (status == SCRIM_OK)
        *out = k & 1;
    return status;
}

/* Coins of exp(-1), whole of them, until one fails: all says whether none did. */
static scrim_status whole_coins(sc_bits *bits, uint64_t whole, bool *all,
                                scrim_error *error)
{
    bool pass = true;
    uint64_t turn = 0;
    for (; pass && turn < whole && turn < SC_BITS_PATIENCE; turn++) {
        scrim_status status = sc_bernoulli_exp01_64(bits, 1, 1, &pass, error);
        if (status != SCRIM_OK)
            return status;
    }
    if (pass && turn < whole)
        return sc_bits_broken(error);
    *all = pass;
    return SCRIM_OK;
}

scrim_status sc_bernoulli_exp_64(sc_bits *bits, uint64_t n, uint64_t d, bool *out,
                                 scrim_error *error)
{
    if (n >= d) {
        bool all;
        scrim_status status = whole_coins(bits, n / d, &all, error);
        if (status != SCRIM_OK)
            return status;
        if (!all) {
            *out = false;
            return SCRIM_OK;
        }
        n %= d;
    }
    return sc_bernoulli_exp01_64(bits, n, d, out, error);
}

scrim_status sc_bernoulli_exp_128(sc_bits *bits, sc_uint128 n, sc_uint128 d, bool *out,
                                  scrim_error *error)
{
    if (n >= d) {
        sc_uint128 whole = n / d;
        bool all;
        scrim_status status = whole_coins(
            bits, whole > UINT64_MAX ? UINT64_MAX : (uint64_t)whole, &all, error);
        if (status != SCRIM_OK)
            return status;
        if (!all) {
            *out = false;
            return SCRIM_OK;
        }
        n %= d;
    }
    return exp01_128(bits, n, d, out, error);
}

scrim_status sc_bernoulli_exp_integer(sc_bits *bits, const sc_integer *n,
                                      const sc_integer *d, bool *out, scrim_error *error)
{
    SC_OWN(sc_integer, whole, rest);
    sc_integer_divide(&whole, &rest, n, d);
    uint64_t count;
    if (!sc_integer_get_uint64(&whole, &count))
        count = UINT64_MAX; /* patience ends long before either */
    bool all = true;
    scrim_status status = whole_coins(bits, count, &all, error);
    if (status == SCRIM_OK && all)
        status = sc_bernoulli_exp01_integer(bits, &rest, d, out, error);
    else if (status == SCRIM_OK)
        *out = false;
    return status;
}

/* The prepared coin. */

static void success_weight(const void *context, uint32_t cell, long bits, sc_ball *out)
{
    const sc_exp_coin *coin = context;
    (void)cell; /* there is one; the rest is the other side */
    sc_ball_set_ratio(out, &coin->x, bits + 64);
    sc_ball_neg(out, out);
    sc_ball_exp(out, out, bits);
}

static void unit_total(const void *context, long bits, sc_ball *out)
{
    (void)context;
    (void)bits;
    sc_ball_set_int64(out, 1);
}

scrim_status sc_exp_coin_init(sc_exp_coin *coin, const sc_ratio *x, scrim_error *error)
{
    sc_weights weights = {.context = coin,
                          .weight = success_weight,
                          .total = unit_total,
                          .cells = 1,
                          .has_rest = true};
    coin->is_sure = sc_ratio_sign(x) == 0;
    coin->table.first = coin->table.second = NULL;
    sc_ratio_init(&coin->x);
    sc_ratio_set(&coin->x, x);
    scrim_status status = SCRIM_OK;
    if (!coin->is_sure)
        status = sc_threshold_table_init(&coin->table, &weights, error);
    if (status != SCRIM_OK)
        sc_ratio_clear(&coin->x);
    return status;
}

void sc_exp_coin_clear(sc_exp_coin *coin)
{
    sc_threshold_table_clear(&coin->table);
    sc_ratio_clear(&coin->x);
}

scrim_status sc_exp_coin_toss(sc_bits *bits, const sc_exp_coin *coin, bool *out,
                              scrim_error *error)
{
    uint64_t word = 0;
    uint32_t cell = 0;
    scrim_status status = sc_bits_word(bits, &word, error);
    if (status == SCRIM_OK && !coin->is_sure)
        status = sc_threshold_table_pick(bits, &coin->table, word >> 1, &cell, error);
    if (status == SCRIM_OK)
        *out = cell == 0;
    return status;
}
