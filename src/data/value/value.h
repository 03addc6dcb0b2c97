/* Parts that values of every column share: NULL, the words of a bool, UTF-8, lists of texts, and
 * the hash that finds equal values. */
#ifndef SC_DATA_VALUE_H
#define SC_DATA_VALUE_H

#include "base/checked.h"
#include "base/hash.h"
#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* NULL: what stands for a value that is missing or cannot be read, where the column has no default.
 *
 * It is a value that no present one can be, so that it goes wherever values go: among integers one
 * that is beyond every range, among texts a byte that is in no UTF-8. Both come behind all
 * others in the order of keys. Whatever computes with values asks for it first.
 *
 * Claim  null-value.apart  NULL is no value of any column, and is behind all of them
 */

/* Ranges are within 2^62 steps (column.h, extent.h). */
#define SC_NULL INT64_MAX

/* One byte, with padding behind it that can be read. */
sc_text sc_null_text(void);

static inline bool sc_text_is_null(sc_text text)
{
    return text.bytes == 1 && (unsigned char)text.start[0] == 0xff;
}

/* The words of a bool: true, t, yes, y, 1 and false, f, no, n, 0, in small or large letters.
 *
 * Data and declarations are read by the same words.
 *
 * Claim  boolean.words  these words have the values 1 and 0, blanks around them do not count, and
 *                       every other text is refused
 */

/* Writes 1 or 0; false, with out as it was, for any other text. */
bool sc_boolean_read(sc_text text, int64_t *out);

/* Is it UTF-8? As the standard says: shortest forms, no surrogates, nothing above U+10FFFF. */

/* For text that is not all ASCII; slower. */
bool sc_utf8_is_valid_plain(sc_text text);

/* Are the bytes of a word ASCII and not NUL, as far as they are within? The word is 0 beyond. */
static inline bool sc_utf8_is_ascii_word(uint64_t word, uint64_t within)
{
    const uint64_t ones = UINT64_C(0x0101010101010101), tops = ones << 7;
    word |= ones & ~within;
    /* A borrow reaches the top bit of a byte that is 0, of one beyond it at most. */
    return ((word | (word - ones)) & tops) == 0;
}

/* True for valid UTF-8 without NUL. Mostly text is short and ASCII. */
static inline bool sc_utf8_is_valid(sc_text text)
{
    const uint64_t ones = UINT64_C(0x0101010101010101), tops = ones << 7;
    size_t i = 0;
    for (; i + 8 <= text.bytes; i += 8) {
        uint64_t word;
        memcpy(&word, text.start + i, sizeof word);
        /* A borrow reaches the top bit of a byte that is 0, of one beyond it at most. */
        if (((word | (word - ones)) & tops) != 0)
            return sc_utf8_is_valid_plain(text);
    }
    for (; i < text.bytes; i++)
        if ((unsigned char)(text.start[i] - 1) >= 127) /* NUL, or not ASCII */
            return sc_utf8_is_valid_plain(text);
    return true;
}

/* The same for text behind which 8 bytes are readable, whatever they hold. */
static inline bool sc_utf8_is_valid_padded(sc_text text)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    const uint64_t ones = UINT64_C(0x0101010101010101), tops = ones << 7;
    for (size_t i = 0; i < text.bytes; i += 8) {
        uint64_t word;
        memcpy(&word, text.start + i, sizeof word);
        if (text.bytes - i < 8) {
            /* Bytes behind the text count as ones. */
            const uint64_t within = ~(uint64_t)0 >> (64 - 8 * (text.bytes - i));
            word = (word & within) | (ones & ~within);
        }
        if (((word | (word - ones)) & tops) != 0)
            return sc_utf8_is_valid_plain(text);
    }
    return true;
#else
    return sc_utf8_is_valid(text);
#endif
}

/* Lists of texts on one line of a policy: TEXT,TEXT,... A text with a comma, or with a blank at an
 * end, stands between double quotes, where a doubled quote is one. */

/* Takes the next text off a list that is not empty. It lies in the list or in room, which has as
 * many bytes as the list. False when it is not a list. */
bool sc_text_list_take(sc_text *list, char *room, sc_text *item);

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
