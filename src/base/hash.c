#include "base/hash.h"

#include "base/workers.h"

#include <string.h>

/* SipHash-2-4: two rounds a word of input, four at the end; Aumasson and Bernstein,
 * "SipHash: a fast short-input PRF", section 2. */

typedef sc_hash_half sip_state;

static uint64_t rotate_left(uint64_t x, unsigned bits)
{
    return x << bits | x >> (64 - bits);
}

static inline void sip_rounds(sip_state *s, int rounds)
{
    for (int i = 0; i < rounds; i++) {
        s->v0 += s->v1;
        s->v2 += s->v3;
        s->v1 = rotate_left(s->v1, 13) ^ s->v0;
        s->v3 = rotate_left(s->v3, 16) ^ s->v2;
        s->v0 = rotate_left(s->v0, 32);
        s->v2 += s->v1;
        s->v0 += s->v3;
        s->v1 = rotate_left(s->v1, 17) ^ s->v2;
        s->v3 = rotate_left(s->v3, 21) ^ s->v0;
        s->v2 = rotate_left(s->v2, 32);
    }
}

static inline void absorb(sip_state *s, uint64_t word)
{
    s->v3 ^= word;
    sip_rounds(s, 2);
    s->v0 ^= word;
}

/* Eight bytes, little endian whatever the machine: written out, compilers make one load of it. */
static inline uint64_t load_word(const unsigned char *p)
{
    return (uint64_t)p[0] | (uint64_t)p[1] << 8 | (uint64_t)p[2] << 16 |
           (uint64_t)p[3] << 24 | (uint64_t)p[4] << 32 | (uint64_t)p[5] << 40 |
           (uint64_t)p[6] << 48 | (uint64_t)p[7] << 56;
}

/* The last few bytes, fewer than eight. */
static inline uint64_t load_rest(const unsigned char *from, size_t bytes)
{
    uint64_t word = 0;
    for (size_t i = 0; i < bytes; i++)
        word |= (uint64_t)from[i] << 8 * i;
    return word;
}

static inline sip_state begin(const sc_hash_key *key)
{
    return (sip_state){
        .v0 = key->k0 ^ UINT64_C(0x736f6d6570736575),
        .v1 = key->k1 ^ UINT64_C(0x646f72616e646f6d),
        .v2 = key->k0 ^ UINT64_C(0x6c7967656e657261),
        .v3 = key->k1 ^ UINT64_C(0x7465646279746573),
    };
}

static inline uint64_t finish(sip_state *s)
{
    s->v2 ^= 0xff;
    sip_rounds(s, 4);
    return s->v0 ^ s->v1 ^ s->v2 ^ s->v3;
}

uint64_t sc_hash(const sc_hash_key *key, const void *data, size_t bytes)
{
    sip_state s = begin(key);
    const unsigned char *from = data;
    const size_t tail = bytes % 8;
    for (size_t at = 0; at < bytes - tail; at += 8)
        absorb(&s, load_word(from + at));
    const uint64_t rest = tail > 0 ? load_rest(from + (bytes - tail), tail) : 0;
    absorb(&s, rest | (uint64_t)bytes << 56);
    return finish(&s);
}

sc_hash_half sc_hash_first(const sc_hash_key *key, uint64_t first)
{
    sip_state s = begin(key);
    absorb(&s, first);
    return s;
}

uint64_t sc_hash_second(const sc_hash_half *half, uint64_t second)
{
    sip_state s = *half;
    absorb(&s, second);
    absorb(&s, (uint64_t)(2 * sizeof second) << 56);
    return finish(&s);
}

/* Several hashes at once, one in each lane of a vector. */

#if defined(__x86_64__) && defined(__GNUC__)
#define LANES 8
typedef uint64_t lanes __attribute__((vector_size(LANES * sizeof(uint64_t))));
typedef struct sip_lanes {
    lanes v0, v1, v2, v3;
} sip_lanes;

#define ROTATE_LANES(x, bits) ((x) << (bits) | (x) >> (64 - (bits)))

/* The same rounds. Inlined, so that they are compiled for the instructions that the caller names. */
__attribute__((always_inline)) static inline void lane_rounds(sip_lanes *s, int rounds)
{
    for (int i = 0; i < rounds; i++) {
        s->v0 += s->v1;
        s->v2 += s->v3;
        s->v1 = ROTATE_LANES(s->v1, 13) ^ s->v0;
        s->v3 = ROTATE_LANES(s->v3, 16) ^ s->v2;
        s->v0 = ROTATE_LANES(s->v0, 32);
        s->v2 += s->v1;
        s->v0 += s->v3;
        s->v1 = ROTATE_LANES(s->v1, 17) ^ s->v2;
        s->v3 = ROTATE_LANES(s->v3, 21) ^ s->v0;
        s->v2 = ROTATE_LANES(s->v2, 32);
    }
}

__attribute__((always_inline)) static inline void
lane_seconds(const sc_hash_half *half, const uint64_t *seconds, uint64_t *hashes)
{
    const uint64_t length = (uint64_t)(2 * sizeof *seconds) << 56;
    const lanes zero = {0};
    sip_lanes s = {zero + half->v0, zero + half->v1, zero + half->v2, zero + half->v3};
    lanes words;
    memcpy(&words, seconds, sizeof words);
    s.v3 ^= words;
    lane_rounds(&s, 2);
    s.v0 ^= words;
    s.v3 ^= length;
    lane_rounds(&s, 2);
    s.v0 ^= length;
    s.v2 ^= 0xff;
    lane_rounds(&s, 4);
    words = s.v0 ^ s.v1 ^ s.v2 ^ s.v3;
    memcpy(hashes, &words, sizeof words);
}

__attribute__((always_inline)) static inline void
seconds_by_lanes(const sc_hash_half *half, const uint64_t *seconds, size_t count,
                 uint64_t *hashes)
{
    /* The last words do not fill a vector, so they are hashed in one that is padded. */
    uint64_t padded[LANES] = {0};
    for (size_t at = 0; at < count; at += LANES) {
        const size_t rest = count - at;
        if (rest < LANES)
            memcpy(padded, seconds + at, rest * sizeof *padded);
        lane_seconds(half, rest < LANES ? padded : seconds + at,
                     rest < LANES ? padded : hashes + at);
        if (rest < LANES)
            memcpy(hashes + at, padded, rest * sizeof *padded);
    }
}

/* AVX-512 has an instruction that rotates; without it a rotation takes two shifts. */
__attribute__((target("avx512f,avx512vl"))) static void
seconds_avx512(const sc_hash_half *half, const uint64_t *seconds, size_t count,
               uint64_t *hashes)
{
    seconds_by_lanes(half, seconds, count, hashes);
}

__attribute__((target("avx2"))) static void seconds_avx2(const sc_hash_half *half,
                                                         const uint64_t *seconds,
                                                         size_t count, uint64_t *hashes)
{
    seconds_by_lanes(half, seconds, count, hashes);
}
#endif

bool sc_hash_seconds_by(sc_hash_way way, const sc_hash_half *half,
                        const uint64_t *seconds, size_t count, uint64_t *hashes)
{
#if defined(LANES)
    if (way == SC_HASH_AVX512 && sc_processor_has(SC_AVX512VL)) {
        seconds_avx512(half, seconds, count, hashes);
        return true;
    }
    if (way == SC_HASH_AVX2 && sc_processor_has(SC_AVX2)) {
        seconds_avx2(half, seconds, count, hashes);
        return true;
    }
#endif
    for (size_t i = 0; way == SC_HASH_PLAIN && i < count; i++)
        hashes[i] = sc_hash_second(half, seconds[i]);
    return way == SC_HASH_PLAIN;
}

void sc_hash_seconds(const sc_hash_half *half, const uint64_t *seconds, size_t count,
                     uint64_t *hashes)
{
    bool is_done = false;
    for (int way = SC_HASH_AVX512; !is_done && way <= SC_HASH_PLAIN; way++)
        is_done = sc_hash_seconds_by((sc_hash_way)way, half, seconds, count, hashes);
}
