/* Reading ahead: bits are looked at where they lie, and taken all at once or not at all.
 *
 * A sampler that takes its bits one by one reads and writes the window in memory each
 * time. This reader is a copy of the window's state that the compiler can keep in
 * registers. Nothing is taken before sc_bits_ahead_finish; a sampler that comes to the end
 * of what it may read drops its reader and begins again with sc_bits_take, which refills.
 * Tapes and fleeting windows have no words ahead, so there it mostly comes to that.
 *
 * Claim  bits-ahead.same  the bits read ahead are those that sc_bits_take would have
 *                         given, and after finish the source is as it would have left it
 */
#ifndef SC_RANDOM_BITS_AHEAD_H
#define SC_RANDOM_BITS_AHEAD_H

#include "random/bits.h"

#include <stdbool.h>

/* Only what is inlined whole stays in registers. */
#define SC_AHEAD SCRIM_MUST_USE static inline __attribute__((always_inline))

typedef struct sc_bits_ahead {
    const uint64_t *end; /* these, reservoir and held as in sc_bits_window */
    uint64_t left;
    uint64_t stop; /* what left may go down to */
    uint64_t reservoir;
    unsigned held;
} sc_bits_ahead;

/* With up to 63 bits held, fewer bits than SC_BITS_PATIENCE: a loop that takes a bit at
 * each turn comes to the end of them first, and needs no count of its turns. */
#define SC_AHEAD_WORDS 127
_Static_assert(63 + 64 * SC_AHEAD_WORDS < SC_BITS_PATIENCE,
               "the bits end before patience");

SC_AHEAD sc_bits_ahead sc_bits_ahead_begin(const sc_bits *bits)
{
    const sc_bits_window *window = bits->window;
    uint64_t left = window->left;
    return (sc_bits_ahead){.end = window->end,
                           .left = left,
                           .stop = left < SC_AHEAD_WORDS ? 0 : left - SC_AHEAD_WORDS,
                           .reservoir = window->reservoir,
                           .held = window->held};
}

/* The next count bits, 0 <= count < 64; false where what may be read ends before them. */
SC_AHEAD bool sc_bits_ahead_take(sc_bits_ahead *ahead, unsigned count, uint64_t *out)
{
    const uint64_t mask = ((uint64_t)1 << count) - 1;
    if (__builtin_expect(count <= ahead->held, 1)) {
        *out = ahead->reservoir & mask;
        ahead->reservoir >>= count;
        ahead->held -= count;
        return true;
    }
    if (ahead->left == ahead->stop)
        return false;
    uint64_t word = *(ahead->end - ahead->left--);
    unsigned missing = count - ahead->held;
    *out = (ahead->reservoir | word << ahead->held) & mask;
    ahead->reservoir = word >> missing;
    ahead->held = 64 - missing;
    return true;
}

/* Takes from the source what has been read, and wipes it there. */
static inline void sc_bits_ahead_finish(const sc_bits_ahead *ahead, sc_bits *bits)
{
    sc_bits_window *window = bits->window;
    while (window->left != ahead->left)
        *(window->end - window->left--) = 0;
    window->reservoir = ahead->reservoir;
    window->held = ahead->held;
}

#endif
