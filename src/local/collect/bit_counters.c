#include "local/collect/bit_counters.h"

#include "base/memory.h"

#include <string.h>

#define PLANES 4
#define EIGHTHS 8
#define SIXTEENS_MAX 255 /* what a byte counts */
#define LOW_OF_BYTES UINT64_C(0x0101010101010101)

scrim_status sc_bit_counters_init(sc_bit_counters *counters, size_t bits,
                                  scrim_error *error)
{
    const size_t words = (bits + 63) / 64;
    *counters = (sc_bit_counters){.bits = bits, .bytes = (bits + 7) / 8, .words = words};
    counters->rows = sc_allocate(words * SC_BIT_ROWS, sizeof(uint64_t));
    counters->planes = sc_allocate(words * PLANES, sizeof(uint64_t));
    counters->eighths = sc_allocate(words * EIGHTHS, sizeof(uint64_t));
    counters->counts = sc_allocate(words * 64, sizeof(uint64_t));
    if (counters->rows != NULL && counters->planes != NULL && counters->eighths != NULL &&
        counters->counts != NULL)
        return SCRIM_OK;
    sc_bit_counters_clear(counters);
    return sc_no_memory(error, "counters");
}

void sc_bit_counters_clear(sc_bit_counters *counters)
{
    sc_free(counters->rows);
    sc_free(counters->planes);
    sc_free(counters->eighths);
    sc_free(counters->counts);
    *counters = (sc_bit_counters){0};
}

/* a + b + c = sum + 2 carry, in every bit. */
#define ADD_THREE(sum, carry, a, b, c)                                                   \
    do {                                                                                 \
        const uint64_t either_ = (a) ^ (b), third_ = (c);                                \
        (carry) = ((a) & (b)) | (either_ & third_);                                      \
        (sum) = either_ ^ third_;                                                        \
    } while (0)

/* The sixteen rows of one word go into its planes; what overflows them, of weight 16, is returned. */
static inline uint64_t add_sixteen(uint64_t *plane, const uint64_t *row, size_t words)
{
    uint64_t ones = plane[0], twos = plane[1], fours = plane[2], sixteen;
    uint64_t two[2], four[2], eight[2];
    for (unsigned i = 0; i < 2; i++) {
        for (unsigned j = 0; j < 2; j++, row += 4 * words) {
            ADD_THREE(ones, two[0], ones, row[0], row[words]);
            ADD_THREE(ones, two[1], ones, row[2 * words], row[3 * words]);
            ADD_THREE(twos, four[j], twos, two[0], two[1]);
        }
        ADD_THREE(fours, eight[i], fours, four[0], four[1]);
    }
    ADD_THREE(plane[3], sixteen, plane[3], eight[0], eight[1]);
    plane[0] = ones;
    plane[1] = twos;
    plane[2] = fours;
    return sixteen;
}

/* A word's bits times a weight into the counts of its bits. */
static void count_word(uint64_t *counts, uint64_t word, uint64_t weight)
{
    for (unsigned i = 0; i < 64; i++)
        counts[i] += (word >> i & 1) * weight;
}

static void flush_eighths(sc_bit_counters *counters)
{
    for (size_t w = 0; w < counters->words; w++) {
        uint64_t *eighth = counters->eighths + w * EIGHTHS;
        for (unsigned i = 0; i < 64; i++)
            counters->counts[w * 64 + i] +=
                SC_BIT_ROWS * (eighth[i % 8] >> (i - i % 8) & 0xff);
    }
    memset(counters->eighths, 0, counters->words * EIGHTHS * sizeof(uint64_t));
    counters->sixteens = 0;
}

static void add_rows(sc_bit_counters *counters)
{
    for (size_t w = 0; w < counters->words; w++) {
        uint64_t *eighth = counters->eighths + w * EIGHTHS;
        const uint64_t sixteen = add_sixteen(counters->planes + w * PLANES,
                                             counters->rows + w, counters->words);
        for (unsigned b = 0; b < EIGHTHS; b++)
            eighth[b] += sixteen >> b & LOW_OF_BYTES;
    }
    counters->waiting = 0;
    if (++counters->sixteens == SIXTEENS_MAX)
        flush_eighths(counters);
}

/* The ones of each byte, in its place. */
static inline uint64_t weigh_bytes(uint64_t x)
{
    x -= x >> 1 & UINT64_C(0x5555555555555555);
    x = (x & UINT64_C(0x3333333333333333)) + (x >> 2 & UINT64_C(0x3333333333333333));
    return (x + (x >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
}

static size_t weight_of(const uint64_t *row, size_t words)
{
    const uint64_t pairs = UINT64_C(0x00ff00ff00ff00ff);
    size_t weight = 0;
    while (words > 0) {
        uint64_t sum = 0;
        for (unsigned i = 0; i < 31 && words > 0; i++, words--)
            sum += weigh_bytes(*row++);
        sum = (sum & pairs) + (sum >> 8 & pairs);
        weight += (size_t)(sum * UINT64_C(0x0001000100010001) >> 48);
    }
    return weight;
}

size_t sc_bit_counters_add(sc_bit_counters *counters, const uint8_t *bitmap)
{
    uint64_t *row = counters->rows + counters->waiting * counters->words;
    row[counters->words - 1] = 0;
    memcpy(row, bitmap, counters->bytes);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    for (size_t w = 0; w < counters->words; w++)
        row[w] = __builtin_bswap64(row[w]);
#endif
    const size_t weight = weight_of(row, counters->words);
    if (++counters->waiting == SC_BIT_ROWS)
        add_rows(counters);
    return weight;
}

void sc_bit_counters_finish(sc_bit_counters *counters)
{
    flush_eighths(counters);
    for (size_t w = 0; w < counters->words; w++) {
        uint64_t *counts = counters->counts + w * 64;
        for (unsigned p = 0; p < PLANES; p++)
            count_word(counts, counters->planes[w * PLANES + p], UINT64_C(1) << p);
        for (unsigned r = 0; r < counters->waiting; r++)
            count_word(counts, counters->rows[r * counters->words + w], 1);
    }
    memset(counters->planes, 0, counters->words * PLANES * sizeof(uint64_t));
    counters->waiting = 0;
}
