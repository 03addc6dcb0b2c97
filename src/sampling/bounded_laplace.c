#include "sampling/bounded_laplace.h"

scrim_status sc_truncated_laplace_reference(sc_bits *bits, const sc_fraction *scale,
                                            sc_int128 bound, sc_int128 *out,
                                            scrim_error *error)
{
    sc_int128 shifted = 0;
    scrim_status status =
        sc_shifted_laplace_reference(bits, scale, 2 * bound, &shifted, error);
    if (status == SCRIM_OK)
        *out = shifted + bound;
    return status;
}

scrim_status sc_shifted_laplace_reference(sc_bits *bits, const sc_fraction *scale,
                                          sc_int128 q, sc_int128 *out, scrim_error *error)
{
    sc_int128 m = q / 2;
    bool is_odd = q & 1;
    for (unsigned turn = 0; turn < SC_BITS_PATIENCE; turn++) {
        sc_int128 i = 0;
        uint64_t lower = 0;
        scrim_status status = sc_cut_geometric_reference(bits, scale, m, &i, error);
        if (status == SCRIM_OK)
            status = sc_bits_take(bits, 1, &lower, error);
        if (status != SCRIM_OK)
            return status;
        if (!is_odd && lower && i == 0)
            continue;
        *out = lower ? -m - is_odd - i : -m + i;
        return SCRIM_OK;
    }
    return sc_bits_broken(error);
}

scrim_status sc_clamped_laplace_reference(sc_bits *bits, const sc_fraction *scale,
                                          sc_int128 bound, sc_int128 *out,
                                          scrim_error *error)
{
    sc_int128 value = 0;
    SC_TRY(sc_discrete_laplace_reference(bits, scale, &value, error));
    *out = sc_clamp(value, bound);
    return SCRIM_OK;
}
