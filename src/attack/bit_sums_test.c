#include "attack/bit_sums.h"
#include "check.h"
#include "random/bits_tape.h"

static bool draw_bits(unsigned char bits[SC_BIT_SUMS_PEOPLE])
{
    sc_tape *tape = NULL;
    if (!CHECK_STATUS(sc_tape_seeded(check_seed(), &tape, NULL), SCRIM_OK))
        return false;
    for (size_t i = 0; i < SC_BIT_SUMS_PEOPLE; i++) {
        uint64_t bit = 0;
        CHECK_STATUS(sc_bits_take(sc_tape_bits_of(tape), 1, &bit, NULL), SCRIM_OK);
        bits[i] = (unsigned char)bit;
    }
    sc_tape_free(tape);
    return true;
}

TEST(bit_sums_are_sums_of_half)
{
    unsigned char bits[SC_BIT_SUMS_PEOPLE];
    int64_t sums[SC_BIT_SUMS_QUERIES];
    REQUIRE(draw_bits(bits));
    sc_bit_sums_ask(bits, sums);
    for (unsigned j = 0; j < SC_BIT_SUMS_QUERIES; j++) {
        int64_t sum = 0;
        for (unsigned i = 0; i < SC_BIT_SUMS_PEOPLE; i++)
            sum += __builtin_popcount(j & (i + 1)) % 2 == 0 ? bits[i] : 0;
        CHECK_INT(sums[j], sum);
    }
}

/* The sensitivity that scrim's release declares: each person is in half of the queries. */
TEST(bit_sums_move_by_half_of_the_queries)
{
    unsigned char bits[SC_BIT_SUMS_PEOPLE];
    int64_t sums[SC_BIT_SUMS_QUERIES], others[SC_BIT_SUMS_QUERIES];
    REQUIRE(draw_bits(bits));
    sc_bit_sums_ask(bits, sums);
    for (size_t i = 0; i < SC_BIT_SUMS_PEOPLE; i += 37) {
        int64_t moved = 0;
        bits[i] ^= 1;
        sc_bit_sums_ask(bits, others);
        bits[i] ^= 1;
        for (size_t j = 0; j < SC_BIT_SUMS_QUERIES; j++)
            moved += llabs(sums[j] - others[j]);
        CHECK_INT(moved, SC_BIT_SUMS_QUERIES / 2);
    }
}

TEST(bit_sums_give_all_bits_away)
{
    unsigned char bits[SC_BIT_SUMS_PEOPLE];
    int64_t sums[SC_BIT_SUMS_QUERIES];
    REQUIRE(draw_bits(bits));
    sc_bit_sums_ask(bits, sums);
    CHECK_INT(sc_bit_sums_recovered(sums, bits), SC_BIT_SUMS_PEOPLE);

    /* Rounding is noise of deviation 1.1. */
    for (size_t j = 0; j < SC_BIT_SUMS_QUERIES; j++)
        sums[j] = (sums[j] + 2) / 4 * 4;
    CHECK(sc_bit_sums_recovered(sums, bits) >= 990);
    CHECK_NEAR(sc_bit_sums_expected(4), 0.977249868, 1e-6);
    CHECK_NEAR(sc_bit_sums_expected(0), 1, 0);
}
