#include "random/bits_ahead.h"

bool sc_bits_ahead_edge(const sc_bits_window *window, uint64_t room, int64_t at,
                        uint64_t *out)
{
    if (at >= 0 || room == 0)
        return false;
    const unsigned held = (unsigned)-at;
    *out = window->reservoir >> (window->held - held) | *(window->end - window->left)
                                                            << held;
    return true;
}
