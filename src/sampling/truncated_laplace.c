#include "sampling/truncated_laplace.h"

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
