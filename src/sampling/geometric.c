#include "sampling/geometric.h"

#include "sampling/coin_runs.h"

scrim_status sc_geometric_turn(sc_bits *bits, uint64_t t, uint64_t s, bool *accepted,
                               uint64_t *value, scrim_error *error)
{
    uint64_t u = 0, v = 0;
    bool keep = false;
    scrim_status status = sc_uniform_64(bits, t, &u, error);
    if (status == SCRIM_OK)
        status = sc_bernoulli_exp01_64(bits, u, t, &keep, error);
    if (status != SCRIM_OK)
        return status;
    *accepted = keep;
    if (!keep)
        return SCRIM_OK;
    status = sc_coin_run(bits, &v, error);
    if (status == SCRIM_OK)
        *value = (u + t * v) / s; /* t < 2^50 and v < 2^13: no overflow */
    return status;
}

static scrim_status turn_integer(sc_bits *bits, const sc_fraction *scale, bool *accepted,
                                 sc_int128 *value, scrim_error *error)
{
    sc_integer u, quotient;
    sc_integer_init(&u);
    sc_integer_init(&quotient);
    uint64_t v = 0;
    scrim_status status = sc_uniform_integer(bits, &scale->n, &u, error);
    if (status == SCRIM_OK)
        status = sc_bernoulli_exp01_integer(bits, &u, &scale->n, accepted, error);
    if (status != SCRIM_OK || !*accepted)
        goto done;
    status = sc_coin_run(bits, &v, error);
    if (status != SCRIM_OK)
        goto done;
    sc_integer_mul_uint64(&quotient, &scale->n, v);
    sc_integer_add(&quotient, &quotient, &u);
    sc_integer_divide(&quotient, NULL, &quotient, &scale->d);
    if (!sc_integer_get_int128(&quotient, value))
        status = sc_fail(error, SCRIM_E_INTERNAL, "a draw does not fit 128 bits");
done:
    sc_integer_clear(&u);
    sc_integer_clear(&quotient);
    return status;
}

scrim_status sc_geometric_reference(sc_bits *bits, const sc_fraction *scale,
                                    sc_int128 *out, scrim_error *error)
{
    for (unsigned turn = 0; turn < SC_BITS_PATIENCE; turn++) {
        bool accepted = false;
        uint64_t small = 0;
        sc_int128 value = 0;
        scrim_status status = scale->is_small
                                  ? sc_geometric_turn(bits, scale->n64, scale->d64,
                                                      &accepted, &small, error)
                                  : turn_integer(bits, scale, &accepted, &value, error);
        if (status != SCRIM_OK)
            return status;
        if (accepted) {
            *out = scale->is_small ? (sc_int128)small : value;
            return SCRIM_OK;
        }
    }
    return sc_bits_broken(error);
}

/* One turn: U below t, kept with exp(-U/t), V coins of exp(-1), stopping as soon as U + t
 * V leaves the range, which changes no probability. */
static scrim_status turn_long(sc_bits *bits, const sc_fraction *scale,
                              const sc_integer *limit, bool *accepted, sc_integer *sum,
                              scrim_error *error)
{
    scrim_status status = sc_uniform_integer(bits, &scale->n, sum, error);
    if (status == SCRIM_OK)
        status = sc_bernoulli_exp01_integer(bits, sum, &scale->n, accepted, error);
    bool more = status == SCRIM_OK && *accepted;
    for (unsigned coins = 0; more && sc_integer_compare(sum, limit) < 0; coins++) {
        if (coins == SC_BITS_PATIENCE)
            return sc_bits_broken(error);
        status = sc_bernoulli_exp01_64(bits, 1, 1, &more, error);
        if (status != SCRIM_OK)
            return status;
        if (more)
            sc_integer_add(sum, sum, &scale->n);
    }
    *accepted = *accepted && sc_integer_compare(sum, limit) < 0;
    return status;
}

/* One turn where the range is shorter than a scale: i uniform, kept with exp(-i s/t). */
static scrim_status turn_short(sc_bits *bits, const sc_fraction *scale,
                               const sc_integer *cells, bool *accepted, sc_integer *i,
                               scrim_error *error)
{
    SC_OWN(sc_integer, numerator);
    scrim_status status = sc_uniform_integer(bits, cells, i, error);
    if (status == SCRIM_OK) {
        sc_integer_mul(&numerator, i, &scale->d);
        status = sc_bernoulli_exp01_integer(bits, &numerator, &scale->n, accepted, error);
    }
    return status;
}

/* Both turns in machine words: t < 2^50, limit = (m+1) s < 2^63. The same bits are
 * taken. */
static scrim_status turn_small(sc_bits *bits, uint64_t t, uint64_t s, uint64_t cells,
                               bool *accepted, uint64_t *i, scrim_error *error)
{
    uint64_t limit = cells * s, sum = 0;
    bool is_short = limit < t, more = false;
    scrim_status status = sc_uniform_64(bits, is_short ? cells : t, &sum, error);
    if (status == SCRIM_OK)
        status = sc_bernoulli_exp01_64(bits, is_short ? sum * s : sum, t, &more, error);
    if (status != SCRIM_OK || is_short) {
        *accepted = more;
        *i = sum;
        return status;
    }
    bool kept = more;
    for (unsigned coins = 0; more && sum < limit; coins++) {
        if (coins == SC_BITS_PATIENCE)
            return sc_bits_broken(error);
        status = sc_bernoulli_exp01_64(bits, 1, 1, &more, error);
        if (status != SCRIM_OK)
            return status;
        if (more)
            sum += t;
    }
    *accepted = kept && sum < limit;
    *i = sum / s;
    return SCRIM_OK;
}

static scrim_status cut_small(sc_bits *bits, const sc_fraction *scale, uint64_t cells,
                              sc_int128 *out, scrim_error *error)
{
    for (unsigned turn = 0; turn < SC_BITS_PATIENCE; turn++) {
        bool accepted = false;
        uint64_t i = 0;
        scrim_status status =
            turn_small(bits, scale->n64, scale->d64, cells, &accepted, &i, error);
        if (status != SCRIM_OK)
            return status;
        if (accepted) {
            *out = i;
            return SCRIM_OK;
        }
    }
    return sc_bits_broken(error);
}

static scrim_status cut_integer(sc_bits *bits, const sc_fraction *scale, sc_int128 m,
                                sc_int128 *out, scrim_error *error)
{
    SC_OWN(sc_integer, cells, limit, value);
    sc_integer_set_int128(&cells, m + 1);
    sc_integer_mul(&limit, &cells, &scale->d);
    bool is_short = sc_integer_compare(&limit, &scale->n) < 0, accepted = false;
    scrim_status status = SCRIM_OK;
    unsigned turn = 0;
    for (; status == SCRIM_OK && !accepted && turn < SC_BITS_PATIENCE; turn++)
        status = is_short ? turn_short(bits, scale, &cells, &accepted, &value, error)
                          : turn_long(bits, scale, &limit, &accepted, &value, error);
    if (status == SCRIM_OK && !accepted)
        status = sc_bits_broken(error);
    if (status == SCRIM_OK && !is_short)
        sc_integer_divide(&value, NULL, &value, &scale->d);
    if (status == SCRIM_OK && !sc_integer_get_int128(&value, out))
        status = sc_fail(error, SCRIM_E_INTERNAL, "a cut draw does not fit 128 bits");
    return status;
}

scrim_status sc_cut_geometric_reference(sc_bits *bits, const sc_fraction *scale,
                                        sc_int128 m, sc_int128 *out, scrim_error *error)
{
    uint64_t limit;
    if (scale->is_small && m < INT64_MAX &&
        sc_uint64_mul((uint64_t)m + 1, scale->d64, &limit) && limit >> 63 == 0)
        return cut_small(bits, scale, (uint64_t)m + 1, out, error);
    return cut_integer(bits, scale, m, out, error);
}
