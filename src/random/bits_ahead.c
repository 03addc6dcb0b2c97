#include "random/bits_ahead.h"

bool sc_bits_ahead_edge(const sc_bits_supply *supply, uint64_t room, int64_t at,
                        uint64_t *out)
{
    if (at >= 0 || room == 0)
        return false;
    const unsigned held = (unsigned)-at;
    *out = supply->reservoir >> (supply->held - held) | *(supply->end - supply->left)
                                                            << held;
    return true;
}
