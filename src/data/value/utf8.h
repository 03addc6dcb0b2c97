/* Is it UTF-8? As the standard says: shortest forms, no surrogates, nothing above U+10FFFF. */
#ifndef SC_DATA_UTF8_H
#define SC_DATA_UTF8_H

#include "base/text.h"

#include <string.h>

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
            /* What lies behind the text counts as ones. */
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

#endif
