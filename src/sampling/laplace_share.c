#include "sampling/laplace_share.h"

#include "sampling/bernoulli.h"

/* A geometric number is kept with a probability of 1/SC_SHARE_SCALE_MAX or more. */
#define TURNS ((uint64_t)SC_BITS_PATIENCE * SC_SHARE_SCALE_MAX)

/* Flips a coin for each i from 1 to y, true with probability ((i - 1) shares + 1) / (i shares): are all of them true? */
static scrim_status keep(sc_bits *bits, sc_int128 y, uint64_t shares, bool *out,
                         scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    *out = true;
    for (uint64_t i = 1; status == SCRIM_OK && *out && i <= (uint64_t)y; i++)
        status = sc_bernoulli_64(bits, (i - 1) * shares + 1, i * shares, out, error);
    return status;
}

static scrim_status negative_binomial(sc_bits *bits, const sc_fraction *scale,
                                      uint64_t shares, sc_int128 *out, scrim_error *error)
{
    for (uint64_t turn = 0; turn < TURNS; turn++) {
        bool is_kept = false;
        sc_int128 y = 0;
        scrim_status status = sc_geometric_reference(bits, scale, &y, error);
        if (status == SCRIM_OK)
            status = keep(bits, y, shares, &is_kept, error);
        if (status != SCRIM_OK)
            return status;
        if (is_kept) {
            *out = y;
            return SCRIM_OK;
        }
    }
    return sc_bits_broken(error);
}

scrim_status sc_laplace_share_sum(sc_bits *bits, const sc_fraction *scale,
                                  uint64_t shares, uint64_t count, sc_int128 *out,
                                  scrim_error *error)
{
    sc_int128 sum = 0;
    for (uint64_t i = 0; i < count; i++) {
        sc_int128 up = 0, down = 0;
        scrim_status status = negative_binomial(bits, scale, shares, &up, error);
        if (status == SCRIM_OK)
            status = negative_binomial(bits, scale, shares, &down, error);
        if (status != SCRIM_OK)
            return status;
        sum += up - down;
    }
    *out = sum;
    return SCRIM_OK;
}
