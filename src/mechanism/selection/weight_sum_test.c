#include "check.h"
#include "laws.h"
#include "mechanism/selection/rank_shells.h"
#include "random/bits_tape.h"

static void to_integer(const sc_weight_sum *sum, sc_integer *out)
{
    sc_integer_set_words(out, sum->words, SC_WEIGHT_SUM_WORDS);
}

TEST(weight_sum_agrees_with_big_integers)
{
    CLAIM("weight-sum.exact");
    sc_tape *tape = NULL;
    sc_integer total, term, weight, seen;
    sc_weight_sum sum = {{0, 0, 0, 0}};
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    sc_integer_init(&total);
    sc_integer_init(&term);
    sc_integer_init(&weight);
    sc_integer_init(&seen);
    for (int i = 0; i < 2000; i++) {
        uint64_t low = UINT64_MAX, high = UINT64_MAX, cells = UINT64_MAX;
        if (i % 7 != 0) { /* some with every bit set, so that all carries run */
            REQUIRE_OK(sc_bits_word(sc_tape_bits_of(tape), &low, NULL));
            REQUIRE_OK(sc_bits_word(sc_tape_bits_of(tape), &high, NULL));
            REQUIRE_OK(sc_bits_word(sc_tape_bits_of(tape), &cells, NULL));
        }
        sc_uint128 w = (sc_uint128)high << 64 | low;
        sc_weight_sum product = sc_weight_product(w, cells);
        sc_integer_set_uint128(&weight, w);
        sc_integer_mul_uint64(&term, &weight, cells);
        to_integer(&product, &seen);
        CHECK_INT(sc_integer_compare(&seen, &term), 0);
        sc_weight_sum_add(&sum, &product);
        sc_integer_add(&total, &total, &term);
    }
    to_integer(&sum, &seen);
    CHECK_INT(sc_integer_compare(&seen, &total), 0);
    for (uint64_t divisor = 1; divisor != 0; divisor <<= 3) {
        uint64_t rest = 0, d = divisor | 1;
        sc_integer_set_uint128(&weight, d);
        sc_integer_divide(NULL, &term, &total, &weight);
        REQUIRE(sc_integer_get_uint64(&term, &rest));
        CHECK(sc_weight_sum_remainder(&sum, d) == rest);
    }
    sc_integer_clear(&seen);
    sc_integer_clear(&weight);
    sc_integer_clear(&term);
    sc_integer_clear(&total);
    sc_tape_free(tape);
}

TEST(weight_sum_subtracts_with_a_mask)
{
    const sc_weight_sum small = {{5, 0, 0, 0}}, large = {{4, 0, 0, 1}};
    sc_weight_sum out;
    CHECK(sc_weight_sum_sub(&large, &small, &out) == 0);
    CHECK(out.words[0] == UINT64_MAX && out.words[1] == UINT64_MAX);
    CHECK(out.words[2] == UINT64_MAX && out.words[3] == 0);
    CHECK(sc_weight_sum_sub(&small, &large, &out) == UINT64_MAX);
    CHECK(sc_weight_sum_sub(&small, &small, &out) == 0);
    CHECK(out.words[0] == 0 && out.words[3] == 0);
}

/* Every tape of ten bits: the values below a total of three words are equally many. */
TEST(weight_sum_draws_each_value_from_as_many_tapes)
{
    CLAIM("weight-sum.uniform");
    uint64_t seen[6] = {0};
    const sc_weight_sum six = {{6, 0, 0, 0}};
    for (unsigned number = 0; number < 1u << 9; number++) {
        const unsigned char bytes[] = {(unsigned char)number,
                                       (unsigned char)(number >> 8)};
        sc_tape *tape = NULL;
        sc_weight_sum out;
        REQUIRE_OK(sc_tape_bits(bytes, 9, &tape, NULL));
        if (sc_weight_sum_draw(sc_tape_bits_of(tape), &six, &out, NULL) == SCRIM_OK) {
            REQUIRE(out.words[0] < 6);
            seen[out.words[0]]++;
        }
        sc_tape_free(tape);
    }
    for (int i = 0; i < 6; i++)
        CHECK_INT(seen[i], 64 + 16 + 4); /* in one, two or three turns of three bits */
}

TEST(weight_sum_draws_wide_totals_evenly)
{
    CLAIM("weight-sum.uniform");
    /* 3 * 2^189 in twelve equal parts: 3 * 2^187 and so on, told by the high word. */
    const sc_weight_sum total = {{0, 0, (uint64_t)3 << 61, 0}};
    uint64_t seen[12] = {0};
    double even[12];
    sc_tape *tape = NULL;
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    for (uint64_t i = check_count(100000, 1000000); i > 0; i--) {
        sc_weight_sum out, unused;
        REQUIRE_OK(sc_weight_sum_draw(sc_tape_bits_of(tape), &total, &out, NULL));
        CHECK(sc_weight_sum_sub(&out, &total, &unused) != 0);
        seen[out.words[2] >> 59]++;
    }
    for (int i = 0; i < 12; i++)
        even[i] = 1.0 / 12;
    CHECK(laws_chi_square(seen, even, 12) > LAWS_FALSE_ALARM);
    sc_tape_free(tape);
}

TEST(weight_sum_draw_fails_without_bits)
{
    const sc_weight_sum one = {{1, 0, 0, 0}}, two = {{0, 1, 0, 0}};
    sc_weight_sum out = {{9, 9, 9, 9}};
    sc_tape *tape = NULL;
    REQUIRE_OK(sc_tape_words(NULL, 0, &tape, NULL));
    CHECK_STATUS(sc_weight_sum_draw(sc_tape_bits_of(tape), &two, &out, NULL),
                 SCRIM_E_ENTROPY);
    CHECK(out.words[0] == 9);
    CHECK_STATUS(sc_weight_sum_draw(sc_tape_bits_of(tape), &one, &out, NULL), SCRIM_OK);
    CHECK(out.words[0] == 0);
    sc_tape_free(tape);
    /* All ones is never below 3 * 2^62: patience ends. */
    const sc_weight_sum three = {{(uint64_t)3 << 62, 0, 0, 0}};
    REQUIRE_OK(sc_tape_constant(UINT64_MAX, &tape, NULL));
    CHECK_STATUS(sc_weight_sum_draw(sc_tape_bits_of(tape), &three, &out, NULL),
                 SCRIM_E_ENTROPY);
    sc_tape_free(tape);
}
