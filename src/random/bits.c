#include "random/bits.h"

#include "base/memory.h"

#include <string.h>

scrim_status sc_bits_fill(sc_bits *bits, uint64_t *out, size_t count, scrim_error *error)
{
    sc_bits_supply *supply = bits->supply;
    for (size_t done = 0, run; done < count; done += run) {
        if (supply->left == 0) {
            scrim_status status = bits->refill(bits, error);
            if (status != SCRIM_OK) {
                sc_wipe(out, count * sizeof *out);
                return status;
            }
        }
        run = supply->left < count - done ? (size_t)supply->left : count - done;
        uint64_t *from = supply->end - supply->left;
        memcpy(out + done, from, run * sizeof *from);
        sc_wipe(from, run * sizeof *from);
        supply->left -= run;
    }
    return SCRIM_OK;
}

scrim_status sc_bits_broken(scrim_error *error)
{
    return sc_fail(
        error, SCRIM_E_ENTROPY,
        "random bits: the source is stuck and its bits are not random; nothing was "
        "drawn; check the kernel's random number generator before trying again");
}
