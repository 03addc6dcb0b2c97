#include "sampling/clamped_laplace.h"

scrim_status sc_clamped_laplace_reference(sc_bits *bits, const sc_fraction *scale,
                                          sc_int128 bound, sc_int128 *out,
                                          scrim_error *error)
{
    sc_int128 value = 0;
    SC_TRY(sc_discrete_laplace_reference(bits, scale, &value, error));
    *out = sc_clamp(value, bound);
    return SCRIM_OK;
}
