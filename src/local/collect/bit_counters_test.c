#include "check.h"
#include "local/collect/support_counts.h"
#include "random/bits_tape.h"

#include <string.h>

#define BITS_MAX 200

static void count_plainly(const uint8_t *bitmap, size_t bits, uint64_t *counts,
                          size_t *weight)
{
    *weight = 0;
    for (size_t i = 0; i < bits; i++) {
        const unsigned bit = bitmap[i / 8] >> i % 8 & 1;
        counts[i] += bit;
        *weight += bit;
    }
}

static void compare(sc_bits *bits, size_t length, unsigned rows, bool is_full)
{
    uint64_t counts[BITS_MAX] = {0}, words[(BITS_MAX + 63) / 64];
    sc_bit_counters counters;
    size_t wrong = 0, weight = 0;
    REQUIRE_OK(sc_bit_counters_init(&counters, length, NULL));
    for (unsigned r = 0; r < rows; r++) {
        uint8_t bitmap[sizeof words];
        REQUIRE_OK(sc_bits_fill(bits, words, COUNT(words), NULL));
        memcpy(bitmap, words, sizeof bitmap);
        if (is_full)
            memset(bitmap, 0xff, sizeof bitmap);
        if (length % 8 != 0)
            bitmap[length / 8] &= (uint8_t)((1u << length % 8) - 1);
        count_plainly(bitmap, length, counts, &weight);
        wrong += sc_bit_counters_add(&counters, bitmap) != weight;
        if (r == rows / 2)
            sc_bit_counters_finish(&counters);
    }
    sc_bit_counters_finish(&counters);
    for (size_t i = 0; i < length; i++)
        wrong += counters.counts[i] != counts[i];
    CHECK_INT(wrong, 0);
    sc_bit_counters_clear(&counters);
}

TEST(bit_counters_count_as_bit_by_bit)
{
    CLAIM("bit-counters.exact");
    static const unsigned rows[] = {0, 1, 15, 16, 17, 100, 16 * 256 + 3};
    sc_tape *tape = NULL;
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    for (size_t length = 1; length <= BITS_MAX; length += length < 70 ? 1 : 43)
        for (size_t i = 0; i < COUNT(rows); i += check_every(2))
            if (rows[i] < 1000 || length % 16 == 1)
                compare(sc_tape_bits_of(tape), length, rows[i], i % 2 == 0);
    sc_tape_free(tape);
}
