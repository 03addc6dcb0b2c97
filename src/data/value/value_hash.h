/* A hash of byte strings under a key that is drawn afresh for each query, for finding equal units
 * and equal keys in tables.
 *
 * Strings of up to 16 bytes: with 64-bit words a, b of the string and its length n, the upper half
 * of (k0 + k1 a + k2 b + k3 n) modulo 2^128. The hashes of two different strings are then
 * independent and uniform over the choice of k (Lemire, Kaser 2014, multilinear hashing), so
 * whoever writes the data, but does not know the key, can prepare no collisions: two strings
 * collide with probability 2^-64. Longer strings are first made 64 bits by SipHash.
 *
 * Hashes say where to look. Whether two units are the same is a question to their bytes.
 *
 * Claim  value-hash.uniform  over random keys, hashes are uniform and those of two short strings
 *                            are independent
 */
#ifndef SC_DATA_VALUE_HASH_H
#define SC_DATA_VALUE_HASH_H

#include "base/checked.h"
#include "base/hash.h"
#include "base/text.h"

#include <string.h>

/* All of it random. */
typedef struct sc_value_key {
    uint64_t words[10];
} sc_value_key;

static inline sc_uint128 sc_value_key_part(const sc_value_key *key, size_t i)
{
    return (sc_uint128)key->words[2 * i] << 64 | key->words[2 * i + 1];
}

/* A string of any length. */
uint64_t sc_value_hash_plain(const sc_value_key *key, sc_text text);

/* The same for a string behind which 8 bytes are readable. */
static inline uint64_t sc_value_hash(const sc_value_key *key, sc_text text)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    if (text.bytes <= 16 && text.bytes > 0) {
        uint64_t a, b;
        memcpy(&a, text.start, sizeof a);
        sc_uint128 sum =
            sc_value_key_part(key, 0) + sc_value_key_part(key, 3) * text.bytes;
        if (text.bytes > 8) {
            memcpy(&b, text.start + text.bytes - 8, sizeof b);
            sum += sc_value_key_part(key, 2) * b;
        } else {
            a &= ~(uint64_t)0 >> (64 - 8 * text.bytes);
        }
        return (uint64_t)((sum + sc_value_key_part(key, 1) * a) >> 64);
    }
#endif
    return sc_value_hash_plain(key, text);
}

/* A key with what it makes of short lengths, for the hashes of many strings. */
#define SC_VALUE_SHORT 8
typedef struct sc_value_hasher {
    sc_value_key key;
    sc_uint128 lengths[SC_VALUE_SHORT + 1];
} sc_value_hasher;

static inline sc_value_hasher sc_value_hasher_of(const sc_value_key *key)
{
    sc_value_hasher hasher = {.key = *key};
    for (unsigned i = 0; i <= SC_VALUE_SHORT; i++)
        hasher.lengths[i] = sc_value_key_part(key, 0) + sc_value_key_part(key, 3) * i;
    return hasher;
}

/* The bits of a word that a string of 1 to 8 bytes takes, its first byte lowest. */
static inline uint64_t sc_value_within(size_t bytes)
{
    return ~(uint64_t)0 >> (64 - 8 * bytes);
}

/* The hash of a string of 1 to 8 bytes, the first lowest in a word that is 0 beyond them. */
static inline uint64_t sc_value_hash_word(const sc_value_hasher *hasher, uint64_t word,
                                          size_t bytes)
{
    return (
        uint64_t)((hasher->lengths[bytes] + sc_value_key_part(&hasher->key, 1) * word) >>
                  64);
}

#endif
