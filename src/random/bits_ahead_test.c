#include "base/checked.h"
#include "check.h"
#include "random/bits_ahead.h"
#include "random/bits_tape.h"

#include <string.h>

#define WORDS ((size_t)200)
#define MANY (4 * (size_t)SC_AHEAD_WORDS)

static scrim_status no_more(sc_bits *bits, scrim_error *error)
{
    (void)bits;
    return sc_fail(error, SCRIM_E_ENTROPY, "no more words");
}

static void random_words(uint64_t seed, uint64_t *words, size_t count)
{
    sc_tape *tape = NULL;
    REQUIRE_OK(sc_tape_seeded(seed, &tape, NULL));
    for (size_t i = 0; i < count; i++)
        REQUIRE_OK(sc_bits_word(sc_tape_bits_of(tape), &words[i], NULL));
    sc_tape_free(tape);
}

/* Are the words taken wiped, and the others as they were? */
static bool is_wiped_so_far(const uint64_t *words, const uint64_t *before,
                            const sc_bits_supply *supply)
{
    static const uint64_t zeros[WORDS];
    size_t taken = WORDS - supply->left, bytes = sizeof *words;
    return memcmp(words, zeros, taken * bytes) == 0 &&
           memcmp(words + taken, before + taken, supply->left * bytes) == 0;
}

TEST(bits_read_ahead_are_those_that_would_be_taken)
{
    CLAIM("bits-ahead.same");
    uint64_t words[WORDS] = {0}, twins[WORDS], before[WORDS], choice[4 * WORDS] = {0};
    random_words(check_seed(), words, WORDS);
    random_words(check_seed() + 1, choice, 4 * WORDS);
    memcpy(twins, words, sizeof words);
    memcpy(before, words, sizeof words);
    sc_bits_supply supply = {.left = WORDS, .end = words + WORDS};
    sc_bits_supply twin_window = {.left = WORDS, .end = twins + WORDS};
    sc_bits bits = {&supply, no_more}, twin = {&twin_window, no_more};
    for (size_t i = 0; i < 4 * WORDS && supply.left > 10; i++) {
        sc_bits_ahead ahead = sc_bits_ahead_begin(&bits);
        bool is_dropped = choice[i] >> 63;
        for (unsigned part = 0; part < choice[i] % 6; part++) {
            unsigned count =
                (unsigned)(choice[i] >> (8 * part + 3)) % (SC_AHEAD_BITS + 1);
            uint64_t got = 0, want = 0;
            REQUIRE(sc_bits_ahead_take(&ahead, count, &got));
            if (is_dropped)
                continue;
            REQUIRE_OK(sc_bits_take(&twin, count, &want, NULL));
            REQUIRE(got == want);
        }
        if (!is_dropped)
            sc_bits_ahead_finish(&ahead, &bits);
        REQUIRE(supply.left == twin_window.left && supply.held == twin_window.held);
        REQUIRE(supply.reservoir == twin_window.reservoir);
        REQUIRE(is_wiped_so_far(words, before, &supply));
    }
    CHECK_INT(supply.left <= 10, 1);
}

/* Bits held and bits of the words make one string; its last may begin in the last word's first
 * byte. */
TEST(bits_ahead_end_where_the_window_ends)
{
    uint64_t words[2] = {1, 2}, got = 77;
    sc_bits_supply supply = {.left = 2, .end = words + 2, .reservoir = 5, .held = 3};
    sc_bits bits = {&supply, no_more};
    sc_bits_ahead ahead = sc_bits_ahead_begin(&bits);
    CHECK(sc_bits_ahead_take(&ahead, 2, &got));
    CHECK_INT(got, 1);
    CHECK(sc_bits_ahead_take(&ahead, 56, &got));
    CHECK_INT(got, 1 | 1 << 1);
    CHECK(sc_bits_ahead_take(&ahead, 16, &got));
    CHECK_INT(got, 2 << 9);
    CHECK_INT(ahead.at, 71);
    CHECK(sc_bits_ahead_load(&ahead));
    CHECK(sc_bits_ahead_take(&ahead, 1, &got));
    CHECK(!sc_bits_ahead_load(&ahead));
    sc_bits_ahead_finish(&ahead, &bits);
    CHECK_INT(supply.left, 0);
    CHECK_INT(supply.held, 56);
    CHECK_INT(supply.reservoir, 0);
    CHECK_INT(words[0] + words[1], 0);
}

/* Seven bytes are no word. */
TEST(bits_ahead_are_not_fetched_from_beyond_the_window)
{
    uint64_t words[3] = {0, 0, UINT64_MAX}, got = 77;
    sc_bits_supply supply = {.left = 2, .end = words + 2};
    sc_bits bits = {&supply, no_more};
    sc_bits_ahead ahead = sc_bits_ahead_begin(&bits);
    CHECK(sc_bits_ahead_look(&ahead, 71, &got));
    CHECK_INT(got, 0);
    CHECK(!sc_bits_ahead_look(&ahead, 72, &got));
    CHECK_INT(got, 0);
}

/* Offsets from a bit that is held: before, at and after the first bit of the words. */
TEST(bits_ahead_are_looked_at_across_the_reservoir)
{
    uint64_t words[2] = {0x0123456789abcdef, 0xfedcba9876543210}, got = 0;
    sc_bits_supply supply = {.left = 2, .end = words + 2, .reservoir = 0x2b, .held = 6};
    sc_bits bits = {&supply, no_more};
    sc_bits_ahead ahead = sc_bits_ahead_begin(&bits);
    for (unsigned offset = 0; offset < 30; offset++) {
        sc_uint128 all = (sc_uint128)words[0] << 6 | 0x2b;
        REQUIRE(sc_bits_ahead_look(&ahead, offset, &got));
        const uint64_t mask = ((uint64_t)1 << SC_AHEAD_BITS) - 1;
        all |= (sc_uint128)words[1] << 70;
        CHECK((got & mask) == ((uint64_t)(all >> offset) & mask));
    }
    sc_bits_ahead_leap(&ahead, 5);
    sc_bits_ahead_finish(&ahead, &bits);
    CHECK_INT(supply.held, 1);
    CHECK_INT(supply.reservoir, 1);
    CHECK_INT(supply.left, 2);
}

/* More bits at a time than a string has are refused, and never wrong. */
TEST(bits_ahead_beyond_a_string_are_refused)
{
    uint64_t words[4] = {UINT64_MAX, 0, UINT64_MAX, 0}, got = 77;
    sc_bits_supply supply = {.left = 4, .end = words + 4};
    sc_bits bits = {&supply, no_more};
    sc_bits_ahead ahead = sc_bits_ahead_begin(&bits);
    CHECK(!sc_bits_ahead_take(&ahead, SC_AHEAD_BITS + 1, &got));
    CHECK_INT(got, 77);
    CHECK(sc_bits_ahead_take(&ahead, 1, &got));
    CHECK_INT(got, 1);
    CHECK(sc_bits_ahead_take(&ahead, SC_AHEAD_BITS, &got));
    CHECK(got == ((uint64_t)1 << SC_AHEAD_BITS) - 1);
    CHECK(sc_bits_ahead_take(&ahead, 7, &got));
    CHECK_INT(got, 127);
    CHECK(sc_bits_ahead_take(&ahead, SC_AHEAD_BITS, &got));
    CHECK_INT(got, 0);
}

/* A child finds its supply wiped: nothing is ahead of it, and nothing is read. */
TEST(bits_ahead_of_a_wiped_window_are_none)
{
    uint64_t got = 0;
    sc_bits_supply supply = {0};
    sc_bits bits = {&supply, no_more};
    sc_bits_ahead ahead = sc_bits_ahead_begin(&bits);
    CHECK(!sc_bits_ahead_take(&ahead, 1, &got));
}

TEST(bits_ahead_end_before_patience_does)
{
    static uint64_t words[MANY];
    uint64_t got = 0;
    sc_bits_supply supply = {.left = MANY, .end = words + MANY, .held = 63};
    sc_bits bits = {&supply, no_more};
    sc_bits_ahead ahead = sc_bits_ahead_begin(&bits);
    unsigned turns = 0;
    while (sc_bits_ahead_take(&ahead, 1, &got))
        turns++;
    CHECK(turns < SC_BITS_PATIENCE && turns + 128 >= SC_BITS_PATIENCE);
    CHECK(!sc_bits_ahead_take(&ahead, 1, &got));
    sc_bits_ahead_extend(&ahead);
    for (turns = 0; sc_bits_ahead_take(&ahead, 1, &got);)
        turns++;
    CHECK(turns < SC_BITS_PATIENCE && turns + 128 >= SC_BITS_PATIENCE);
}
