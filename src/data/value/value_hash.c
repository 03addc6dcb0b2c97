#include "data/value/value_hash.h"

/* Up to 8 bytes, the first lowest. */
static uint64_t word_of(const char *start, size_t bytes)
{
    uint64_t word = 0;
    for (size_t i = 0; i < bytes; i++)
        word |= (uint64_t)(unsigned char)start[i] << (8 * i);
    return word;
}

uint64_t sc_value_hash_plain(const sc_value_key *key, sc_text text)
{
    uint64_t a, b = 0;
    if (text.bytes <= 8) {
        a = word_of(text.start, text.bytes);
    } else if (text.bytes <= 16) {
        a = word_of(text.start, 8);
        b = word_of(text.start + text.bytes - 8, 8); /* may overlap; the length tells */
    } else {
        const sc_hash_key inner = {key->words[8], key->words[9]};
        a = sc_hash(&inner, text.start, text.bytes);
    }
    const sc_uint128 sum = sc_value_key_part(key, 0) + sc_value_key_part(key, 1) * a +
                           sc_value_key_part(key, 2) * b +
                           sc_value_key_part(key, 3) * text.bytes;
    return (uint64_t)(sum >> 64);
}
