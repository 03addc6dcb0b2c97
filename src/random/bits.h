/* Random bits: the one interface through which randomness enters scrim.
 *
 * A source hands out a stream of 64-bit words, a supply of them at a time. Samplers take
 * whole words (sc_bits_word), or bits of them, least significant first (sc_bits_take);
 * the two may be mixed: a word that was begun with sc_bits_take is finished by the next
 * sc_bits_take, while sc_bits_word always takes a fresh one.
 *
 * The supply lies in memory that the kernel wipes in a child process, together with its
 * length, so that a child finds it empty and its source refills with entropy of its own;
 * no check of a process number takes part. Words are wiped as they are taken.
 *
 * A source belongs to one thread at a time.
 */
#ifndef SC_RANDOM_BITS_H
#define SC_RANDOM_BITS_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

/* Words that are ready. It begins a page that a fork wipes: then left is 0. */
typedef struct sc_bits_supply {
    uint64_t left;      /* words not yet taken */
    uint64_t *end;      /* one past the last: the next word is end[-left] */
    uint64_t reservoir; /* bits of a word begun by sc_bits_take, in its low end */
    unsigned held;      /* how many there are; 0 to 63 */
    unsigned fleeting;  /* not 0 where a fork wipes nothing: then no bits are held back */
} sc_bits_supply;

typedef struct sc_bits sc_bits;
struct sc_bits {
    sc_bits_supply *supply;
    /* Makes at least one word ready, or fails and makes none. Called when left is 0. */
    scrim_status (*refill)(sc_bits *bits, scrim_error *error);
};

/* One fresh word. The output is untouched on failure. */
SCRIM_MUST_USE static inline scrim_status sc_bits_word(sc_bits *bits, uint64_t *out,
                                                       scrim_error *error)
{
    sc_bits_supply *supply = bits->supply;
    if (__builtin_expect(supply->left == 0, 0)) {
        scrim_status status = bits->refill(bits, error);
        if (status != SCRIM_OK)
            return status;
    }
    uint64_t *word = supply->end - supply->left--;
    *out = *word;
    *word = 0;
    return SCRIM_OK;
}

/* `count` fresh words, the ones that as many calls of sc_bits_word would give; the output is zeros on
 * failure. */
SCRIM_MUST_USE scrim_status sc_bits_fill(sc_bits *bits, uint64_t *out, size_t count,
                                         scrim_error *error);

/* The next count bits, 0 <= count <= 64, the first of them least significant. */
SCRIM_MUST_USE static inline scrim_status sc_bits_take(sc_bits *bits, unsigned count,
                                                       uint64_t *out, scrim_error *error)
{
    sc_bits_supply *supply = bits->supply;
    if (__builtin_expect(count <= supply->held && count < 64, 1)) {
        *out = supply->reservoir & (((uint64_t)1 << count) - 1);
        supply->reservoir >>= count;
        supply->held -= count;
        return SCRIM_OK;
    }
    uint64_t word;
    scrim_status status = sc_bits_word(bits, &word, error);
    if (status != SCRIM_OK)
        return status;
    /* A refill after a fork has emptied the reservoir too: read it only now. */
    unsigned held = supply->held, missing = count - held;
    uint64_t value = supply->reservoir | (held == 0 ? word : word << held);
    *out = count == 64 ? value : value & (((uint64_t)1 << count) - 1);
    unsigned rest = supply->fleeting != 0 ? 0 : 64 - missing;
    supply->reservoir = rest == 0 ? 0 : word >> missing;
    supply->held = rest;
    return SCRIM_OK;
}

/* How often a sampler goes round a loop before it gives up. From the second turn on every loop
 * of a sampler ends, at each turn, with probability at least 1/4 whatever went before, so that
 * with honest bits this many turns have probability below (3/4)^8190 < 2^-3300: a source that
 * gets there is broken (stuck at a constant, say), and the draw fails closed. */
#define SC_BITS_PATIENCE 8192

/* SCRIM_E_ENTROPY with the message for a source that is not random. */
scrim_status sc_bits_broken(scrim_error *error);

#endif
