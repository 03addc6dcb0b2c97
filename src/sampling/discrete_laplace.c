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

/* One attempt for a wide scale. Its geometric draw loops by itself until it is accepted, so only -0 is rejected here. */
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

/* Draws from the bits that are buffered, until they run out or `count` draws are done; returns how many. A small scale. */
static size_t fill_ahead(sc_bits *bits, const sc_fraction *scale, size_t count,
                         sc_int128 *out)
{
    sc_bits_ahead ahead = sc_bits_ahead_begin(bits);
    size_t done = 0;
    for (; done < count; done++) {
        sc_bits_ahead attempt = ahead; /* dropped if the bits run out within this draw */
        int64_t value;
        sc_bits_ahead_extend(&attempt);
        if (!sc_ahead_laplace(&attempt, scale->n64, scale->d64, &value))
            break;
        ahead = attempt;
        out[done] = value;
    }
    sc_bits_ahead_finish(&ahead, bits);
    return done;
}

static scrim_status draw_plain(sc_bits *bits, const sc_fraction *scale, sc_int128 *out,
                               scrim_error *error)
{
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

scrim_status sc_discrete_laplace_reference_fill(sc_bits *bits, const sc_fraction *scale,
                                                size_t count, sc_int128 *out,
                                                scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    for (size_t done = 0; status == SCRIM_OK && done < count; done++) {
        if (scale->is_small)
            done += fill_ahead(bits, scale, count - done, out + done);
        if (done < count)
            status = draw_plain(bits, scale, &out[done], error);
    }
    return status;
}

scrim_status sc_discrete_laplace_reference(sc_bits *bits, const sc_fraction *scale,
                                           sc_int128 *out, scrim_error *error)
{
    return sc_discrete_laplace_reference_fill(bits, scale, 1, out, error);
}
