/* Reading ahead: bits are looked at where they lie, and taken all at once or not at all.
 *
 * A sampler that takes its bits one by one reads and writes the window in memory each
 * time. This reader is a copy of the window's state that the compiler can keep in
 * registers, and it goes from word to word without a branch that depends on where a word
 * ends. Nothing is taken before sc_bits_ahead_finish; a sampler that comes to the end of
 * what it may read drops its reader and begins again with sc_bits_take, which refills.
 * Tapes and fleeting windows have no words ahead, so there it mostly comes to that.
 *
 * Claim  bits-ahead.same  the bits read ahead are those that sc_bits_take would have
 *                         given, and after finish the source is as it would have left it
 */
#ifndef SC_RANDOM_BITS_AHEAD_H
#define SC_RANDOM_BITS_AHEAD_H

#include "random/bits.h"

#include <stdbool.h>
#include <string.h>

/* Only what is inlined whole stays in registers. */
#define SC_AHEAD SCRIM_MUST_USE static inline __attribute__((always_inline))

typedef struct sc_bits_ahead {
    const unsigned char *next; /* the words as bytes, the first bit in the first byte */
    const unsigned char *stop; /* what next may go up to */
    const unsigned char *end;  /* of the window */
    uint64_t reservoir;        /* the next bits; above those held, more of them or 0 */
    unsigned held;             /* how many are sure; 0 to 63 */
} sc_bits_ahead;

/* What sc_bits_ahead_fetch makes sure of. */
#define SC_AHEAD_BITS 56

/* With up to 63 bits held, fewer bits than SC_BITS_PATIENCE: a loop that takes a bit at
 * each turn comes to the end of them first, and needs no count of its turns. */
#define SC_AHEAD_WORDS 127
_Static_assert(63 + 64 * SC_AHEAD_WORDS < SC_BITS_PATIENCE,
               "the bits end before patience");

/* Another SC_AHEAD_WORDS may be read from here: for each of several draws by one reader. None
 * where the first bit of a word does not lie in its first byte. */
static inline void sc_bits_ahead_extend(sc_bits_ahead *ahead)
{
    bool is_little = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
    const ptrdiff_t ready = is_little ? ahead->end - ahead->next : 0;
    const ptrdiff_t most = (ptrdiff_t)8 * SC_AHEAD_WORDS;
    ahead->stop = ahead->next + (ready < most ? ready : most);
}

SC_AHEAD sc_bits_ahead sc_bits_ahead_begin(const sc_bits *bits)
{
    const sc_bits_window *window = bits->window;
    sc_bits_ahead ahead = {.reservoir = window->reservoir, .held = window->held};
    /* An empty window may have no words to point at, and then itself will do. */
    ahead.end = window->left == 0 ? (const unsigned char *)window
                                  : (const unsigned char *)window->end;
    ahead.next = ahead.end - 8 * window->left;
    sc_bits_ahead_extend(&ahead);
    return ahead;
}

/* Makes sure of SC_AHEAD_BITS bits; false where fewer than 64 may be read beyond those that
 * are held, and nothing has changed. Adds as many whole bytes as there is room for. */
SC_AHEAD bool sc_bits_ahead_fetch(sc_bits_ahead *ahead)
{
    uint64_t word;
    if (__builtin_expect(ahead->stop - ahead->next < 8, 0))
        return false;
    memcpy(&word, ahead->next, sizeof word);
    ahead->reservoir |= word << ahead->held;
    ahead->next += (63 - ahead->held) / 8;
    ahead->held |= 56; /* 56 + held mod 8: as the bytes make it */
    return true;
}

/* Drops count of the bits held. */
static inline void sc_bits_ahead_skip(sc_bits_ahead *ahead, unsigned count)
{
    ahead->reservoir >>= count;
    ahead->held -= count;
}

/* The next count bits, 0 <= count < 64; false where they are neither held nor to be had by
 * fetch, as more than SC_AHEAD_BITS may be. */
SC_AHEAD bool sc_bits_ahead_take(sc_bits_ahead *ahead, unsigned count, uint64_t *out)
{
    if (__builtin_expect(count > ahead->held, 0))
        if (count > SC_AHEAD_BITS || !sc_bits_ahead_fetch(ahead))
            return false;
    *out = ahead->reservoir & (((uint64_t)1 << count) - 1);
    sc_bits_ahead_skip(ahead, count);
    return true;
}

/* Takes from the source what has been read, and wipes it there. */
static inline void sc_bits_ahead_finish(const sc_bits_ahead *ahead, sc_bits *bits)
{
    sc_bits_window *window = bits->window;
    uint64_t unread = 8 * (uint64_t)(ahead->end - ahead->next) + ahead->held;
    uint64_t left = unread / 64;
    unsigned held = unread % 64;
    if (left == window->left)
        window->reservoir >>= window->held - held;
    else
        window->reservoir = held == 0 ? 0 : *(window->end - left - 1) >> (64 - held);
    window->held = held;
    while (window->left != left)
        *(window->end - window->left--) = 0;
}

#endif
