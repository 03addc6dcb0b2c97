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
