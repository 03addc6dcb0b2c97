#include "local/device/siphash.h"

static uint64_t rolled(uint64_t x, uint32_t by)
{
    return x << by | x >> (64 - by);
}

static void sip_rounds(uint64_t v[4], uint32_t count)
{
    for (; count > 0; count--) {
        v[0] += v[1];
        v[2] += v[3];
        v[1] = rolled(v[1], 13) ^ v[0];
        v[3] = rolled(v[3], 16) ^ v[2];
        v[0] = rolled(v[0], 32) + v[3];
        v[2] += v[1];
        v[3] = rolled(v[3], 21) ^ v[0];
        v[1] = rolled(v[1], 17) ^ v[2];
        v[2] = rolled(v[2], 32);
    }
}

static uint64_t sip_word(const uint8_t *bytes, size_t count)
{
    uint64_t word = 0;
    for (size_t i = 0; i < count; i++)
        word |= (uint64_t)bytes[i] << (8 * i);
    return word;
}

static void sip_absorb(uint64_t v[4], uint64_t word)
{
    v[3] ^= word;
    sip_rounds(v, 2);
    v[0] ^= word;
}

uint64_t sl_siphash(const uint64_t key[2], const uint8_t *message, size_t bytes)
{
    /* "somepseudorandomlygeneratedbytes" */
    uint64_t v[4] = {
        key[0] ^ UINT64_C(0x736f6d6570736575), key[1] ^ UINT64_C(0x646f72616e646f6d),
        key[0] ^ UINT64_C(0x6c7967656e657261), key[1] ^ UINT64_C(0x7465646279746573)};
    size_t at = 0;
    for (; at + 8 <= bytes; at += 8)
        sip_absorb(v, sip_word(message + at, 8));
    sip_absorb(v, (uint64_t)bytes << 56 | sip_word(message + at, bytes - at));
    v[2] ^= 0xff;
    sip_rounds(v, 4);
    return v[0] ^ v[1] ^ v[2] ^ v[3];
}
