/* Reading ahead: bits are looked at where they lie, and taken all at once or not at all.
 *
 * A sampler that takes its bits one by one reads and writes the supply in memory each
 * time. This reader is a position in the supply, and a string of the bits that follow it,
 * which the compiler can keep in registers. Nothing is taken before sc_bits_ahead_finish; a
 * sampler that comes to the end of what it may read drops its reader and begins again with
 * sc_bits_take, which refills. Tapes and fleeting supplies have no words ahead, so there it
 * mostly comes to that.
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
    const sc_bits_supply *supply;
    const unsigned char *words; /* as bytes: the first bit is in the first of them */
    int64_t at;                 /* the next bit of the words; below 0, of those held */
    int64_t from;               /* where the string was read */
    uint64_t string; /* the bits at `at` and after, up to from + SC_AHEAD_BITS or more */
    uint64_t room;   /* strings may be read at bits 0 to room - 1 */
} sc_bits_ahead;

/* The bits of a string, wherever in a byte it begins. */
#define SC_AHEAD_BITS 56

/* The words that a draw may read ahead hold fewer bits than SC_BITS_PATIENCE: a loop
 * that takes a bit at each turn comes to the end of them first, and needs no count of its
 * turns. */
#define SC_AHEAD_WORDS 127
_Static_assert(64 * SC_AHEAD_WORDS < SC_BITS_PATIENCE, "the bits end before patience");

/* Another SC_AHEAD_WORDS may be read from here: for each of several draws by one reader. None
 * where the first bit of a word does not lie in its first byte. */
static inline void sc_bits_ahead_extend(sc_bits_ahead *ahead)
{
    const bool is_little = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
    const uint64_t left = is_little ? ahead->supply->left : 0;
    /* The last string may begin in the last word's first byte. */
    const uint64_t all = left == 0 ? 0 : 64 * left - SC_AHEAD_BITS;
    const uint64_t most = (uint64_t)(ahead->at + (int64_t)64 * (SC_AHEAD_WORDS - 1));
    ahead->room = all < most ? all : most;
}

SC_AHEAD sc_bits_ahead sc_bits_ahead_begin(const sc_bits *bits)
{
    const sc_bits_supply *supply = bits->supply;
    sc_bits_ahead ahead = {.supply = supply, .at = -(int64_t)supply->held};
    ahead.from = ahead.at - SC_AHEAD_BITS;
    /* An empty supply may have no words to point at, and then itself will do. */
    ahead.words = supply->left == 0 ? (const unsigned char *)supply
                                    : (const unsigned char *)(supply->end - supply->left);
    sc_bits_ahead_extend(&ahead);
    return ahead;
}

/* The string at a bit that the next function cannot read at: one of those held, or, and then
 * it returns false, one beyond the room. */
SCRIM_MUST_USE bool sc_bits_ahead_edge(const sc_bits_supply *supply, uint64_t room,
                                       int64_t at, uint64_t *out);

/* The string that begins offset bits after the next bit; false where it may not be read. */
SC_AHEAD bool sc_bits_ahead_look(const sc_bits_ahead *ahead, unsigned offset,
                                 uint64_t *out)
{
    const int64_t at = ahead->at + offset;
    if (__builtin_expect((uint64_t)at >= ahead->room, 0)) {
        uint64_t string; /* not *out, whose address keeps it out of a register */
        if (!sc_bits_ahead_edge(ahead->supply, ahead->room, at, &string))
            return false;
        *out = string;
        return true;
    }
    uint64_t word;
    memcpy(&word, ahead->words + (at >> 3), sizeof word);
    *out = word >> (at & 7);
    return true;
}

/* Reads the string anew: all of its SC_AHEAD_BITS are there. */
SC_AHEAD bool sc_bits_ahead_load(sc_bits_ahead *ahead)
{
    if (!sc_bits_ahead_look(ahead, 0, &ahead->string))
        return false;
    ahead->from = ahead->at;
    return true;
}

/* Makes sure that the string holds count bits, at most SC_AHEAD_BITS. */
SC_AHEAD bool sc_bits_ahead_need(sc_bits_ahead *ahead, unsigned count)
{
    if (__builtin_expect(ahead->at + count > ahead->from + SC_AHEAD_BITS, 0))
        return sc_bits_ahead_load(ahead);
    return true;
}

/* Drops the next count bits, fewer than 64. */
static inline void sc_bits_ahead_skip(sc_bits_ahead *ahead, unsigned count)
{
    ahead->string >>= count;
    ahead->at += count;
}

/* Drops any number of bits, with the string. */
static inline void sc_bits_ahead_leap(sc_bits_ahead *ahead, unsigned count)
{
    ahead->at += count;
    ahead->from = ahead->at - SC_AHEAD_BITS;
}

/* The next count bits; false where they may not be read, as more than SC_AHEAD_BITS may
 * never be. */
SC_AHEAD bool sc_bits_ahead_take(sc_bits_ahead *ahead, unsigned count, uint64_t *out)
{
    if (__builtin_expect(count > SC_AHEAD_BITS, 0) || !sc_bits_ahead_need(ahead, count))
        return false;
    *out = ahead->string & (((uint64_t)1 << count) - 1);
    sc_bits_ahead_skip(ahead, count);
    return true;
}

/* Takes from the source what has been read, and wipes it there. */
static inline void sc_bits_ahead_finish(const sc_bits_ahead *ahead, sc_bits *bits)
{
    sc_bits_supply *supply = bits->supply;
    if (ahead->at < 0) {
        const unsigned held = (unsigned)-ahead->at;
        supply->reservoir >>= supply->held - held;
        supply->held = held;
        return;
    }
    const uint64_t at = (uint64_t)ahead->at, left = supply->left - (at + 63) / 64;
    supply->held = (unsigned)(0 - at) % 64;
    supply->reservoir = supply->held == 0 ? 0 : *(supply->end - left - 1) >> at % 64;
    while (supply->left != left)
        *(supply->end - supply->left--) = 0;
}

#endif
