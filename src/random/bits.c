#include "random/bits.h"

scrim_status sc_bits_broken(scrim_error *error)
{
    return sc_fail(
        error, SCRIM_E_ENTROPY,
        "random bits: the source is stuck and its bits are not random; nothing was "
        "drawn; check the kernel's random number generator before trying again");
}
