#include "local/device/siphash.h"

#include "local/device/integers.h"

static uint64_t rolled(uint64_t x, uint32_t by)
{
    return x << by | x >> (64 - by);
}

/* The state is four words of its own, so that it stays in registers. */
typedef struct sip_state {
    uint64_t a, b, c, d;
} sip_state;

static inline sip_state sip_round(sip_state v)
{
    v.a += v.b;
    v.c += v.d;
    v.b = rolled(v.b, 13) ^ v.a;
    v.d = rolled(v.d, 16) ^ v.c;
    v.a = rolled(v.a, 32) + v.d;
    v.c += v.b;
    v.d = rolled(v.d, 21) ^ v.a;
    v.b = rolled(v.b, 17) ^ v.c;
    v.c = rolled(v.c, 32);
    return v;
}

static inline sip_state sip_absorb(sip_state v, uint64_t word)
{
    v.d ^= word;
    v = sip_round(sip_round(v));
    v.a ^= word;
    return v;
}

uint64_t sl_siphash(const uint64_t key[2], const uint8_t *message, size_t bytes)
{
    /* "somepseudorandomlygeneratedbytes" */
    sip_state v = {
        key[0] ^ UINT64_C(0x736f6d6570736575), key[1] ^ UINT64_C(0x646f72616e646f6d),
        key[0] ^ UINT64_C(0x6c7967656e657261), key[1] ^ UINT64_C(0x7465646279746573)};
    size_t at = 0;
    for (; at + 8 <= bytes; at += 8)
        v = sip_absorb(v, sl_get8(message + at));
    v = sip_absorb(v,
                   (uint64_t)bytes << 56 | sl_get(message + at, (uint32_t)(bytes - at)));
    v.c ^= 0xff;
    v = sip_round(sip_round(sip_round(sip_round(v))));
    return v.a ^ v.b ^ v.c ^ v.d;
}
