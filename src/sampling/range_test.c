#include "base/checked.h"
#include "check.h"
#include "random/bits_tape.h"
#include "sampling/range.h"

/* The ends of the chunks below n, one after the other. */
static uint64_t ends_of(uint64_t n, uint64_t string)
{
    const unsigned width = sc_bit_length64(n - 1);
    uint64_t ends = 0;
    for (unsigned end = width; end <= SC_AHEAD_BITS; end += width) {
        uint64_t chunk = string >> (end - width) & (((uint64_t)1 << width) - 1);
        if (chunk < n)
            ends |= (uint64_t)1 << end;
    }
    return ends;
}

static void check_string(const sc_range *range, uint64_t string)
{
    const uint64_t ends = ends_of(range->n, string);
    if (!CHECK(sc_range_ends(range, string) == ends))
        CHECK_FAIL("n %llu", (unsigned long long)range->n);
    if (ends == 0)
        return;
    const unsigned end = (unsigned)__builtin_ctzll(ends);
    CHECK(sc_range_chunk(range, string, end) < range->n);
    CHECK(range->span >= end && range->span + range->width > SC_AHEAD_BITS);
}

TEST(ranges_find_the_chunks_below_n)
{
    CLAIM("range.same");
    static const uint64_t list[] = {
        2,  3,  4,   5,    7,    8,       9,       11,
        16, 17, 100, 4096, 4097, 1000001, 1 << 28, (uint64_t)1 << 55};
    sc_tape *tape = NULL;
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        for (unsigned k = 1; k <= 2; k++) {
            sc_range range;
            sc_range_init(&range, list[i] * k);
            check_string(&range, 0);
            check_string(&range, UINT64_MAX);
            for (int times = 0; times < 500; times++) {
                uint64_t string = 0;
                REQUIRE_OK(sc_bits_word(sc_tape_bits_of(tape), &string, NULL));
                check_string(&range, string);
            }
        }
    sc_tape_free(tape);
}

/* Every string of a few chunks, where n is small. */
TEST(ranges_find_the_chunks_of_every_short_string)
{
    CLAIM("range.same");
    for (uint64_t n = 2; n <= 17; n++) {
        sc_range range;
        sc_range_init(&range, n);
        for (uint64_t string = 0; string < 1 << 12; string++)
            check_string(&range, string | string << 44);
    }
}

TEST(ranges_are_sparse_where_many_chunks_are_refused)
{
    static const struct {
        uint64_t n;
        bool is_sparse;
    } list[] = {{1, false},      {2, false},      {3, true},       {4, false},
                {11, true},      {15, false},     {129, true},     {131073, true},
                {262143, false}, {262145, false}, {1000001, false}};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        sc_range range;
        sc_range_init(&range, list[i].n);
        CHECK_INT(range.is_sparse, list[i].is_sparse);
    }
}
