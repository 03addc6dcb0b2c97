#include "check.h"
#include "local/device/device_draws.h"
#include "local_device.h"

#include <string.h>

/* Both products, at the edges and at random. */
TEST(device_products_agree)
{
    uint64_t seed = 1, w[2];
    const scrim_local_source source = device_seeded(&seed);
    static const uint64_t edges[] = {0, 1, UINT32_MAX, (uint64_t)1 << 32, UINT64_MAX};
    for (size_t i = 0; i < 1000; i++) {
        if (i < 25) {
            w[0] = edges[i / 5];
            w[1] = edges[i % 5];
        } else {
            CHECK_INT(source.fill(source.context, w, sizeof w), 0);
        }
        const sc_uint128 whole = (sc_uint128)w[0] * w[1];
        const sl_wide parts = sl_multiply_parts(w[0], w[1]),
                      used = sl_multiply(w[0], w[1]);
        CHECK(parts.high == (uint64_t)(whole >> 64) && parts.low == (uint64_t)whole);
        CHECK(used.high == parts.high && used.low == parts.low);
        CHECK(sl_times(w[0], w[1]) == used.low);
        const uint32_t a = (uint32_t)w[0], b = (uint32_t)(w[1] >> 32);
        CHECK(sl_product_small(a, b) == (uint64_t)a * b);
        CHECK(sl_product(a, b) == (uint64_t)a * b);
    }
}

static void check_quotient(uint64_t u, uint64_t d)
{
    if (sl_divide(sl_divisor_of(d), u) != u / d)
        CHECK_FAIL("%llu div %llu", (unsigned long long)u, (unsigned long long)d);
}

TEST(device_quotients_are_exact)
{
    const uint64_t limit = (uint64_t)1 << 62;
    uint64_t seed = 2, w[2];
    const scrim_local_source source = device_seeded(&seed);
    for (size_t i = 0; i < 4000; i++) {
        CHECK_INT(source.fill(source.context, w, sizeof w), 0);
        const uint64_t d = (w[0] >> (2 + i % 62)) + 1, u = w[1] >> (2 + w[0] % 62);
        const uint64_t multiple = u / d * d;
        check_quotient(u, d);
        check_quotient(multiple, d);
        check_quotient(multiple == 0 ? 0 : multiple - 1, d);
        check_quotient(limit - 1, d);
        check_quotient(0, d);
    }
    check_quotient(limit - 1, limit);
}

/* Divisors of all sizes, and every divisor of fields; the numbers around multiples. */
TEST(device_small_quotients_are_exact)
{
    const uint32_t limit = UINT32_MAX;
    uint64_t seed = 3, word;
    const scrim_local_source source = device_seeded(&seed);
    for (uint32_t i = 2; i < 10000; i++) {
        CHECK_INT(source.fill(source.context, &word, sizeof word), 0);
        const uint32_t d = i < 9000 ? i : (uint32_t)(word >> (33 + i % 26)) + 2;
        const sl_small divisor = sl_small_of(d);
        const uint32_t multiple = (uint32_t)(word % limit) / d * d;
        const uint32_t last = (limit - 1) / d * d;
        const uint32_t numbers[] = {
            0, 1, d - 1, d, multiple, multiple + d - 1, last, last - 1, limit - 1};
        for (size_t j = 0; j < COUNT(numbers); j++) {
            uint32_t rest, n = numbers[j] % limit;
            if (sl_small_divide(divisor, n, &rest) != n / d || rest != n % d)
                CHECK_FAIL("%u div %u", n, d);
        }
        CHECK_INT(sl_small_modulo(divisor, last), 0);
    }
}

TEST(device_masks_choose)
{
    const uint64_t large = ((uint64_t)1 << 63) - 1;
    CHECK(sl_mask_less(0, large) == UINT64_MAX && sl_mask_less(large, 0) == 0);
    CHECK(sl_mask_less(5, 5) == 0 && sl_mask_less(4, 5) == UINT64_MAX);
    CHECK(sl_mask_some(0) == 0 && sl_mask_some(large) == UINT64_MAX);
    for (unsigned i = 0; i < 64; i++) {
        CHECK(sl_mask_equal((uint64_t)1 << i, 0) == 0);
        CHECK(sl_mask_equal((uint64_t)1 << i, (uint64_t)1 << i) == UINT64_MAX);
    }
    CHECK(sl_select(UINT64_MAX, 3, 4) == 3 && sl_select(0, 3, 4) == 4);
}

/* The first and the last of the words that lead to each u; their number, 2^64 div n, is the same for
 * all, and the word before the first is rejected or leads elsewhere. */
static void check_uniform(uint64_t n, uint64_t u)
{
    const sl_range range = sl_range_of(n);
    const uint64_t first = device_word(u, n);
    const uint64_t count = (uint64_t)((((sc_uint128)1 << 64) - range.rejected) / n);
    const uint64_t words[] = {first, first + (count - 1), first - 1, device_word(0, n)};
    device_tape tape = {words, COUNT(words), 0};
    const scrim_local_source source = device_tape_source(&tape);
    sl_bits bits;
    sl_bits_init(&bits, &source, 0);
    CHECK_INT(sl_uniform(&bits, &range), u);
    CHECK_INT(sl_uniform(&bits, &range), u);
    CHECK_INT(tape.taken, 2);
    if (first > 0)
        CHECK(sl_uniform(&bits, &range) != u || u == 0);
    CHECK_INT(sl_bits_clear(&bits), SCRIM_LOCAL_OK);
}

TEST(device_uniform_is_exact)
{
    static const uint64_t sizes[] = {(uint64_t)1 << 62, ((uint64_t)1 << 62) - 1,
                                     3 * ((uint64_t)1 << 60) + 1, 8700000000001};
    for (uint64_t n = 2; n < 40; n++) {
        CHECK_INT(sl_range_of(n).rejected, (uint64_t)(((sc_uint128)1 << 64) % n));
        for (uint64_t u = 0; u < n; u++)
            check_uniform(n, u);
    }
    for (size_t i = 0; i < COUNT(sizes); i++) {
        check_uniform(sizes[i], 0);
        check_uniform(sizes[i], sizes[i] / 2);
        check_uniform(sizes[i], sizes[i] - 1);
    }
}

/* Each of all words of three bits, in lanes: threshold/8 of them are ones. */
TEST(device_bernoulli_is_exact)
{
    for (uint32_t threshold = 0; threshold < 8; threshold++) {
        /* Lane i has the digits of i, the last one first. */
        static const uint64_t words[] = {0xaa, 0xcc, 0xf0};
        uint32_t skipped = 0;
        while (skipped < 3 && (threshold >> skipped & 1) == 0)
            skipped++;
        device_tape tape = {words + skipped, COUNT(words) - skipped, 0};
        const scrim_local_source source = device_tape_source(&tape);
        sl_bits bits;
        sl_bits_init(&bits, &source, 0);
        const uint64_t lanes = sl_bernoulli_words(&bits, threshold << 29);
        CHECK_INT(tape.taken, tape.count);
        CHECK_INT(__builtin_popcountll(lanes & 0xff), threshold);
        CHECK_INT(sl_bits_clear(&bits), SCRIM_LOCAL_OK);
    }
}

/* The last threshold below 2^32: a lane is 0 where all its 32 digits are. */
TEST(device_bernoulli_uses_all_digits)
{
    uint64_t words[32] = {0};
    for (unsigned i = 0; i < 32; i++)
        words[i] = (uint64_t)1 << (i + 8);
    device_tape tape = {words, COUNT(words), 0};
    const scrim_local_source source = device_tape_source(&tape);
    sl_bits bits;
    sl_bits_init(&bits, &source, 0);
    CHECK(sl_bernoulli_words(&bits, UINT32_MAX) == (uint64_t)UINT32_MAX << 8);
    CHECK_INT(sl_bits_clear(&bits), SCRIM_LOCAL_OK);
}

/* Words come in the same order however they are fetched and taken. */
TEST(device_words_keep_their_order)
{
    for (uint32_t ahead = 0; ahead < 2; ahead++) {
        uint64_t words[4 * SL_WORDS];
        for (size_t i = 0; i < COUNT(words); i++)
            words[i] = i;
        device_tape tape = {words, COUNT(words), 0};
        const scrim_local_source source = device_tape_source(&tape);
        sl_bits bits;
        uint64_t next = 0;
        sl_bits_init(&bits, &source, ahead);
        for (uint32_t run = 1; next + run + 1 <= (size_t)3 * SL_WORDS;
             run = run % SL_WORDS + 3) {
            CHECK_INT(sl_word(&bits), next++);
            const uint64_t *got = sl_words(&bits, run);
            for (uint32_t i = 0; i < run; i++)
                CHECK_INT(got[i], next++);
            if (!ahead)
                CHECK_INT(tape.taken, next);
        }
        CHECK_INT(sl_bits_clear(&bits), SCRIM_LOCAL_OK);
    }
}

/* A source that fails ends every loop, and the failure is told. */
TEST(device_draws_end_without_a_source)
{
    device_tape tape = {NULL, 0, 0};
    const scrim_local_source source = device_tape_source(&tape);
    const sl_range range = sl_range_of(3);
    sl_bits bits;
    sl_bits_init(&bits, &source, 1);
    CHECK_INT(sl_uniform(&bits, &range), 0);
    CHECK_INT(sl_bernoulli_words(&bits, 12345), 0);
    CHECK_INT(sl_bits_clear(&bits), SCRIM_LOCAL_E_ENTROPY);
}

static int fill_zeros(void *context, void *out, size_t bytes)
{
    (void)context;
    memset(out, 0, bytes);
    return 0;
}

/* A source that gives the same word for ever says that it works: the draw ends all the same. */
TEST(device_draws_end_with_a_stuck_source)
{
    const scrim_local_source source = {fill_zeros, NULL};
    const sl_range range = sl_range_of(3);
    sl_bits bits;
    sl_bits_init(&bits, &source, 0);
    (void)sl_uniform(&bits, &range);
    CHECK_INT(sl_bits_clear(&bits), SCRIM_LOCAL_E_ENTROPY);
}
