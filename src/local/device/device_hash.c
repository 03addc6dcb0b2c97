#include "local/device/device_hash.h"

#include "local/device/integers.h"

/* The first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
static const uint32_t constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4,
    0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe,
    0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f,
    0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7,
    0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc,
    0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
    0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116,
    0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
    0xc67178f2,
};

static uint32_t turned(uint32_t x, uint32_t by)
{
    return x >> by | x << (32 - by);
}

static void schedule(const uint8_t block[64], uint32_t words[64])
{
    for (size_t i = 0; i < 16; i++)
        words[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 |
                   (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
    for (uint32_t i = 16; i < 64; i++) {
        const uint32_t a = words[i - 15], b = words[i - 2];
        words[i] = words[i - 16] + words[i - 7] +
                   (turned(a, 7) ^ turned(a, 18) ^ a >> 3) +
                   (turned(b, 17) ^ turned(b, 19) ^ b >> 10);
    }
}

static void compress(uint32_t state[8], const uint8_t block[64])
{
    uint32_t words[64], s[8];
    schedule(block, words);
    for (uint32_t i = 0; i < 8; i++)
        s[i] = state[i];
    for (uint32_t i = 0; i < 64; i++) {
        const uint32_t choice = (s[4] & s[5]) ^ (~s[4] & s[6]);
        const uint32_t majority = (s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]);
        const uint32_t first = s[7] +
                               (turned(s[4], 6) ^ turned(s[4], 11) ^ turned(s[4], 25)) +
                               choice + constants[i] + words[i];
        const uint32_t second =
            (turned(s[0], 2) ^ turned(s[0], 13) ^ turned(s[0], 22)) + majority;
        for (uint32_t j = 7; j > 0; j--)
            s[j] = s[j - 1];
        s[4] += first;
        s[0] = first + second;
    }
    for (uint32_t i = 0; i < 8; i++)
        state[i] += s[i];
}

/* Byte i of the message with its padding: a one, zeros, the length in bits. */
static uint8_t padded(const uint8_t *message, size_t bytes, size_t blocks, size_t i)
{
    if (i < bytes)
        return message[i];
    if (i == bytes)
        return 0x80;
    const size_t behind = 64 * blocks - 1 - i;
    if (behind >= 8)
        return 0;
    return (uint8_t)((uint64_t)bytes * 8 >> (8 * behind));
}

void sl_sha256(const void *message, size_t bytes, uint8_t out[32])
{
    uint32_t state[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                         0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    const size_t blocks = (bytes + 8) / 64 + 1;
    for (size_t block = 0; block < blocks; block++) {
        uint8_t part[64];
        for (size_t i = 0; i < 64; i++)
            part[i] = padded(message, bytes, blocks, 64 * block + i);
        compress(state, part);
    }
    for (uint32_t i = 0; i < 32; i++)
        out[i] = (uint8_t)(state[i / 4] >> (24 - 8 * (i % 4)));
}

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

#define STREAM_SEED_BYTES (8 + SL_SECRET_BYTES + SCRIM_LOCAL_HASH_BYTES + 8)

static void stream_copy(uint8_t *to, const uint8_t *from, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        to[i] = from[i];
}

void sl_stream_init(sl_stream *stream, const uint8_t secret[SL_SECRET_BYTES],
                    sl_purpose purpose, const uint8_t hash[SCRIM_LOCAL_HASH_BYTES],
                    uint64_t period, const uint8_t *value, size_t bytes)
{
    uint8_t seed[STREAM_SEED_BYTES], made[32];
    uint64_t keys[4];
    sl_put(seed, (uint64_t)purpose, 8);
    stream_copy(seed + 8, secret, SL_SECRET_BYTES);
    stream_copy(seed + 8 + SL_SECRET_BYTES, hash, SCRIM_LOCAL_HASH_BYTES);
    sl_put(seed + STREAM_SEED_BYTES - 8, period, 8);
    sl_sha256(seed, sizeof seed, made);
    for (size_t i = 0; i < 4; i++)
        keys[i] = sl_get(made + 8 * i, 8);
    stream->key[0] = sl_siphash(keys, value, bytes);
    stream->key[1] = sl_siphash(keys + 2, value, bytes);
    stream->next = 0;
    sl_wipe(seed, sizeof seed);
    sl_wipe(made, sizeof made);
    sl_wipe(keys, sizeof keys);
}

static int stream_fill(void *context, void *out, size_t bytes)
{
    sl_stream *stream = context;
    uint8_t *to = out;
    while (bytes > 0) {
        uint8_t number[8], word[8];
        const size_t some = bytes < sizeof word ? bytes : sizeof word;
        sl_put(number, stream->next++, sizeof number);
        sl_put(word, sl_siphash(stream->key, number, sizeof number), sizeof word);
        stream_copy(to, word, some);
        to += some;
        bytes -= some;
    }
    return 0;
}

scrim_local_source sl_stream_source(sl_stream *stream)
{
    const scrim_local_source source = {stream_fill, stream};
    return source;
}

uint32_t sl_bloom_place(sl_divisor bits, uint32_t cohort, uint32_t number,
                        const uint8_t *text, size_t bytes)
{
    const uint64_t key[2] = {cohort, number};
    const uint64_t hash = sl_siphash(key, text, bytes), low = hash & UINT32_MAX;
    const uint64_t whole = sl_times(sl_divide(bits, (uint64_t)1 << 32), bits.divisor);
    const uint64_t word = sl_select(sl_mask_less(low, whole), low, hash >> 32);
    return (uint32_t)(word - sl_times(sl_divide(bits, word), bits.divisor));
}
