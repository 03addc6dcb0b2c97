#include "sampling/discrete_laplace.h"

#include "sampling/ahead.h"

scrim_status sc_discrete_laplace_turn(sc_bits *bits, uint64_t t, uint64_t s,
                                      bool *accepted, int64_t *value, scrim_error *error)
{
    uint64_t magnitude = 0, negative = 0;
    scrim_status status = sc_geometric_turn(bits, t, s, accepted, &magnitude, error);
    if (status != SCRIM_OK || !*accepted)
        return status;
    status = sc_bits_take(bits, 1, &negative, error);
    if (status != SCRIM_OK)
        return status;
    *accepted = !(negative && magnitude == 0);
    *value = negative ? -(int64_t)magnitude : (int64_t)magnitude;
    return SCRIM_OK;
}

/* A geometric draw of a wide scale is a whole loop of its own; only -0 starts again. */
static scrim_status turn_wide(sc_bits *bits, const sc_fraction *scale, bool *accepted,
                              sc_int128 *value, scrim_error *error)
{
    sc_int128 magnitude = 0;
    uint64_t negative = 0;
    scrim_status status = sc_geometric_reference(bits, scale, &magnitude, error);
    if (status == SCRIM_OK)
        status = sc_bits_take(bits, 1, &negative, error);
    if (status != SCRIM_OK)
        return status;
    *accepted = !(negative && magnitude == 0);
    *value = negative ? -magnitude : magnitude;
    return SCRIM_OK;
}

/* A whole draw from bits that are ready; false, and nothing taken, where they end. */
static bool draw_ahead(sc_bits *bits, const sc_fraction *scale, sc_int128 *out)
{
    sc_bits_ahead ahead = sc_bits_ahead_begin(bits);
    int64_t value;
    if (!sc_ahead_laplace(&ahead, scale->n64, scale->d64, &value))
        return false;
    sc_bits_ahead_finish(&ahead, bits);
    *out = value;
    return true;
}

scrim_status sc_discrete_laplace_reference(sc_bits *bits, const sc_fraction *scale,
                                           sc_int128 *out, scrim_error *error)
{
    if (scale->is_small && draw_ahead(bits, scale, out))
        return SCRIM_OK;
    for (unsigned turn = 0; turn < SC_BITS_PATIENCE; turn++) {
        bool accepted = false;
        int64_t small = 0;
        sc_int128 value = 0;
        scrim_status status = scale->is_small
                                  ? sc_discrete_laplace_turn(bits, scale->n64, scale->d64,
                                                             &accepted, &small, error)
                                  : turn_wide(bits, scale, &accepted, &value, error);
        if (status != SCRIM_OK)
            return status;
        if (accepted) {
            *out = scale->is_small ? small : value;
            return SCRIM_OK;
        }
    }
    return sc_bits_broken(error);
}
