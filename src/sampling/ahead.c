#include "sampling/ahead.h"

#include "base/checked.h"

/* Beyond, a string has fewer than three chunks, and comparing them at once gains nothing. */
#define SPARSE_WIDTH (SC_AHEAD_BITS / 3)

void sc_range_init(sc_range *range, uint64_t n)
{
    const unsigned width = sc_bit_length64(n - 1);
    *range = (sc_range){.n = n, .width = width, .mask = ((uint64_t)1 << width) - 1};
    if (width == 0)
        return;
    for (unsigned end = width, i = 0; end <= SC_AHEAD_BITS; end += width, i ^= 1) {
        const unsigned start = end - width;
        range->chunks[i] |= range->mask << start;
        range->guards[i] |= (uint64_t)1 << end;
        range->tops[i] |= (uint64_t)1 << end | (n - 1) << start;
        range->span = end;
    }
    /* A tenth is where a wrong guess costs about what the comparison does. */
    range->is_sparse = width <= SPARSE_WIDTH && range->mask + 1 - n > range->mask / 10;
}
