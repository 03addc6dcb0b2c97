/* Integers and bitmaps without a branch and without a division, for secret values. */
#ifndef SL_INTEGERS_H
#define SL_INTEGERS_H

#include <stddef.h>
#include <stdint.h>

/* Integers without a branch and without a division, for secret values.
 *
 * Products are made so that no factor is seen in their time. Compilers for small processors make a
 * product of 64 bits by a function of theirs, and that of libgcc for ARMv6-M has a branch; on ARMv7-M
 * (Cortex-M3) the instruction for it takes longer for larger factors. There, and wherever it is not known
 * what the compiler does, products are made of 16-bit ones. -DSCRIM_LOCAL_SMALL_PRODUCTS asks for it.
 *
 * A compiler may turn a comparison into a jump; behind the assembly, which is empty, the mask is a
 * number like any other.
 */

/* 2^64 high + low. */
typedef struct sl_wide {
    uint64_t high, low;
} sl_wide;

#if defined(SCRIM_LOCAL_SMALL_PRODUCTS) ||                                               \
    !(defined(__SIZEOF_INT128__) || defined(__x86_64__) || defined(__i386__) ||          \
      defined(__ARM_FEATURE_DSP) || (defined(__arm__) && !defined(__thumb__)) ||         \
      defined(__riscv_mul))
#define SL_SMALL_PRODUCTS 1
#else
#define SL_SMALL_PRODUCTS 0
#endif

/* The same number, of which the compiler knows nothing: else it jumps by it, counts loops by it, or makes
 * a long product of short ones. */
static inline uint32_t sl_hidden_small(uint32_t secret)
{
#if defined(__GNUC__)
    __asm__("" : "+r"(secret));
    return secret;
#else
    volatile uint32_t hidden = secret;
    return hidden;
#endif
}

static inline uint64_t sl_hidden(uint64_t secret)
{
#if defined(__GNUC__)
    __asm__("" : "+r"(secret));
    return secret;
#else
    volatile uint64_t hidden = secret;
    return hidden;
#endif
}

/* a b, of four products of 16 bits: no sum has a carry. */
static inline uint64_t sl_product_small(uint32_t a, uint32_t b)
{
    const uint32_t part = UINT16_MAX, x = sl_hidden_small(a), y = sl_hidden_small(b);
    const uint32_t low = (x & part) * (y & part);
    const uint32_t middle = (x >> 16) * (y & part) + (low >> 16);
    const uint32_t other = (x & part) * (y >> 16) + (middle & part);
    const uint32_t high = (x >> 16) * (y >> 16) + (middle >> 16) + (other >> 16);
    return (uint64_t)high << 32 | (other << 16 | (low & part));
}

static inline uint64_t sl_product(uint32_t a, uint32_t b)
{
    return SL_SMALL_PRODUCTS ? sl_product_small(a, b) : (uint64_t)a * b;
}

/* a b modulo 2^64. */
static inline uint64_t sl_times(uint64_t a, uint64_t b)
{
    if (!SL_SMALL_PRODUCTS)
        return a * b;
    const uint32_t low = sl_hidden_small((uint32_t)a),
                   other = sl_hidden_small((uint32_t)b);
    const uint32_t high = (uint32_t)(a >> 32) * other + low * (uint32_t)(b >> 32);
    return sl_hidden(sl_product(low, other) + ((uint64_t)high << 32));
}

static inline sl_wide sl_multiply_parts(uint64_t a, uint64_t b)
{
    const uint64_t part = UINT32_MAX;
    const uint32_t a_low = (uint32_t)a, a_high = (uint32_t)(a >> 32);
    const uint32_t b_low = (uint32_t)b, b_high = (uint32_t)(b >> 32);
    const uint64_t low = sl_product(a_low, b_low);
    const uint64_t middle = sl_product(a_high, b_low) + (low >> 32);
    const uint64_t other = sl_product(a_low, b_high) + (middle & part);
    const sl_wide product = {sl_product(a_high, b_high) + (middle >> 32) + (other >> 32),
                             other << 32 | (low & part)};
    return product;
}

static inline sl_wide sl_multiply(uint64_t a, uint64_t b)
{
#if defined(__SIZEOF_INT128__) && !SL_SMALL_PRODUCTS
    (void)sl_multiply_parts; /* which the tests hold against this */
    __extension__ const unsigned __int128 whole = (unsigned __int128)a * b;
    const sl_wide product = {(uint64_t)(whole >> 64), (uint64_t)whole};
    return product;
#else
    return sl_multiply_parts(a, b);
#endif
}

/* All ones where bit is 1, all zeros where it is 0. */
static inline uint64_t sl_mask(uint32_t bit)
{
    return 0 - (uint64_t)sl_hidden_small(bit);
}

/* All ones where a < b; both are below 2^63. */
static inline uint64_t sl_mask_less(uint64_t a, uint64_t b)
{
    return sl_mask((uint32_t)((a - b) >> 63));
}

/* All ones where a is not 0; it is below 2^63. */
static inline uint64_t sl_mask_some(uint64_t a)
{
    return sl_mask_less(0, a);
}

static inline uint64_t sl_mask_equal(uint64_t a, uint64_t b)
{
    const uint64_t differing = a ^ b;
    return ~sl_mask_some((differing | differing >> 32) & UINT32_MAX);
}

/* a where the mask is all ones, b where it is 0. */
static inline uint64_t sl_select(uint64_t mask, uint64_t a, uint64_t b)
{
    return b ^ ((a ^ b) & mask);
}

/* The value, or count - 1 if it is outside of 0 .. count - 1. */
static inline uint64_t sl_inside(uint64_t value, uint64_t count)
{
    const uint64_t low = value & (UINT64_MAX >> 1);
    const uint64_t inside = sl_mask_less(low, count) & ~sl_mask((uint32_t)(value >> 63));
    return sl_select(inside, low, count - 1);
}

/* A public divisor of secret numbers. */
typedef struct sl_divisor {
    uint64_t reciprocal; /* floor((2^64 - 1) / divisor) */
    uint64_t divisor;
} sl_divisor;

static inline sl_divisor sl_divisor_of(uint64_t divisor)
{
    const sl_divisor made = {UINT64_MAX / divisor, divisor};
    return made;
}

static inline sl_divisor sl_divisor_select(uint64_t mask, sl_divisor a, sl_divisor b)
{
    const sl_divisor chosen = {sl_select(mask, a.reciprocal, b.reciprocal),
                               sl_select(mask, a.divisor, b.divisor)};
    return chosen;
}

/* u div d, for u below 2^62 and any d below 2^62. The product with the reciprocal falls short of u/d
 * by less than u/2^64 <= 1/4, so that its floor is at most 1 too small. */
static inline uint64_t sl_divide(sl_divisor d, uint64_t u)
{
    const uint64_t quotient = sl_multiply(u, d.reciprocal).high;
    return quotient + 1 -
           (sl_mask_less(u - sl_times(quotient, d.divisor), d.divisor) & 1);
}

/* A public divisor of secret numbers below 2^32; its reciprocal is rounded up, and then exact
 * (Lemire, Kaser, Kurz 2019). */
typedef struct sl_small {
    uint64_t reciprocal; /* ceil(2^64 / divisor) */
    uint32_t divisor;    /* at least 2 */
} sl_small;

static inline sl_small sl_small_of(uint32_t divisor)
{
    const sl_small made = {UINT64_MAX / divisor + 1, divisor};
    return made;
}

/* n div d; the remainder goes to rest. */
static inline uint32_t sl_small_divide(sl_small d, uint32_t n, uint32_t *rest)
{
    const uint32_t quotient = (uint32_t)sl_multiply(d.reciprocal, n).high;
    *rest = n - quotient * d.divisor;
    return quotient;
}

static inline uint32_t sl_small_modulo(sl_small d, uint32_t n)
{
    uint32_t rest;
    (void)sl_small_divide(d, n, &rest);
    return rest;
}

/* How many bytes hold each number below count; at least 1. */
static inline uint32_t sl_bytes_below(uint64_t count)
{
    uint32_t bytes = 1;
    while (bytes < 8 && (count - 1) >> (8 * bytes) != 0)
        bytes++;
    return bytes;
}

/* Writes it little-endian. */
static inline void sl_put(uint8_t *out, uint64_t value, uint32_t bytes)
{
    for (uint32_t i = 0; i < bytes; i++)
        out[i] = (uint8_t)(value >> (8 * i));
}

/* 8 bytes at once: the compiler makes one load or store of it. */
static inline void sl_put8(uint8_t *out, uint64_t value)
{
    out[0] = (uint8_t)value;
    out[1] = (uint8_t)(value >> 8);
    out[2] = (uint8_t)(value >> 16);
    out[3] = (uint8_t)(value >> 24);
    out[4] = (uint8_t)(value >> 32);
    out[5] = (uint8_t)(value >> 40);
    out[6] = (uint8_t)(value >> 48);
    out[7] = (uint8_t)(value >> 56);
}

static inline uint64_t sl_get8(const uint8_t *in)
{
    return (uint64_t)in[0] | (uint64_t)in[1] << 8 | (uint64_t)in[2] << 16 |
           (uint64_t)in[3] << 24 | (uint64_t)in[4] << 32 | (uint64_t)in[5] << 40 |
           (uint64_t)in[6] << 48 | (uint64_t)in[7] << 56;
}

/* Reads it. */
static inline uint64_t sl_get(const uint8_t *in, uint32_t bytes)
{
    uint64_t value = 0;
    for (uint32_t i = 0; i < bytes; i++)
        value |= (uint64_t)in[i] << (8 * i);
    return value;
}

/* Zeros that the optimiser leaves there. */
static inline void sl_wipe(void *memory, size_t bytes)
{
#if defined(__GNUC__)
    uint8_t *byte = memory;
    for (size_t i = 0; i < bytes; i++)
        byte[i] = 0;
    __asm__ __volatile__("" : : "r"(memory) : "memory");
#else
    volatile uint8_t *byte = memory;
    for (size_t i = 0; i < bytes; i++)
        byte[i] = 0;
#endif
}

/* Bitmaps of reports, 64 bits at once: bit i stands in byte i div 8 at weight 2^(i mod 8). */

static inline uint32_t sl_bitmap_bytes(uint32_t bits)
{
    return bits / 8 + (bits % 8 != 0);
}

static inline uint32_t sl_bitmap_words(uint32_t bits)
{
    return bits / 64 + (bits % 64 != 0);
}

/* How many bits the word has: 64, or fewer in the last one. */
static inline uint32_t sl_bitmap_lanes(uint32_t bits, uint32_t word)
{
    return bits - 64 * word < 64 ? bits - 64 * word : 64;
}

static inline uint64_t sl_bitmap_get(const uint8_t *bitmap, uint32_t bits, uint32_t word)
{
    const uint32_t lanes = sl_bitmap_lanes(bits, word);
    const uint8_t *at = bitmap + 8 * (size_t)word;
    return lanes == 64 ? sl_get8(at) : sl_get(at, sl_bitmap_bytes(lanes));
}

/* Spare bits of the last word become 0. */
static inline void sl_bitmap_put(uint8_t *bitmap, uint32_t bits, uint32_t word,
                                 uint64_t content)
{
    const uint32_t lanes = sl_bitmap_lanes(bits, word);
    uint8_t *at = bitmap + 8 * (size_t)word;
    if (lanes == 64)
        sl_put8(at, content);
    else
        sl_put(at, content & (UINT64_MAX >> (64 - lanes)), sl_bitmap_bytes(lanes));
}

/* A bit at a secret place within its word. Small processors shift numbers of 32 bits in the same time
 * whatever the distance, but not those of 64. */
static inline uint64_t sl_bitmap_bit(uint64_t place)
{
    const uint32_t bit = sl_hidden_small((uint32_t)1 << (place & 31));
    const uint32_t high = (uint32_t)sl_mask((uint32_t)(place >> 5) & 1);
    return (uint64_t)(bit & high) << 32 | (bit & ~high);
}

/* The word of a bitmap whose one bit is at a secret place. */
static inline uint64_t sl_bitmap_one(uint64_t place, uint32_t word)
{
    return sl_bitmap_bit(place) & sl_mask_equal(place >> 6, word);
}

#endif
