#include "exact.h"
#include "sampling/bernoulli_exp.h"
#include "transcript.h"
#include "vectors.h"

#include <stdio.h>

typedef struct exponent {
    sc_uint128 n, d;
} exponent;

static scrim_status toss_64(const void *x, sc_bits *bits, sc_int128 *out,
                            scrim_error *error)
{
    const exponent *e = x;
    bool side = false;
    scrim_status status =
        sc_bernoulli_exp_64(bits, (uint64_t)e->n, (uint64_t)e->d, &side, error);
    *out = side;
    return status;
}

static scrim_status toss_128(const void *x, sc_bits *bits, sc_int128 *out,
                             scrim_error *error)
{
    const exponent *e = x;
    bool side = false;
    scrim_status status = sc_bernoulli_exp_128(bits, e->n, e->d, &side, error);
    *out = side;
    return status;
}

static scrim_status toss_integer(const void *x, sc_bits *bits, sc_int128 *out,
                                 scrim_error *error)
{
    const exponent *e = x;
    bool side = false;
    sc_integer n, d;
    sc_integer_init(&n);
    sc_integer_init(&d);
    sc_integer_set_uint128(&n, e->n);
    sc_integer_set_uint128(&d, e->d);
    scrim_status status = sc_bernoulli_exp_integer(bits, &n, &d, &side, error);
    *out = side;
    sc_integer_clear(&n);
    sc_integer_clear(&d);
    return status;
}

TEST(bernoulli_exp_reproduces_the_transcripts_in_every_width)
{
    CLAIM("bernoulli-exp.exact");
    const exponent half = {1, 2}, large = {7, 3};
    transcript_draw *const widths[] = {toss_64, toss_128, toss_integer};
    for (size_t i = 0; i < 3; i++) {
        transcript_check("bernoulli_exp_1_2", widths[i], &half);
        transcript_check("bernoulli_exp_7_3", widths[i], &large);
    }
}

/* Two later samplers, made of the primitives alone. */

static const exponent scores[4] = {{0, 1}, {1, 2}, {3, 2}, {5, 1}};

static scrim_status draw_exponential(const void *unused, sc_bits *bits, sc_int128 *out,
                                     scrim_error *error)
{
    (void)unused;
    for (;;) {
        uint64_t i = 0;
        sc_int128 kept = 0;
        scrim_status status = sc_uniform_64(bits, 4, &i, error);
        if (status == SCRIM_OK)
            status = toss_64(&scores[i], bits, &kept, error);
        if (status != SCRIM_OK || kept != 0) {
            *out = (sc_int128)i;
            return status;
        }
    }
}

static scrim_status draw_permute_and_flip(const void *unused, sc_bits *bits,
                                          sc_int128 *out, scrim_error *error)
{
    (void)unused;
    uint64_t order[4] = {0, 1, 2, 3};
    for (uint64_t j = 0; j < 4; j++) {
        uint64_t step = 0;
        sc_int128 kept = 0;
        scrim_status status = sc_uniform_64(bits, 4 - j, &step, error);
        uint64_t candidate = order[j + step];
        order[j + step] = order[j];
        order[j] = candidate;
        if (status == SCRIM_OK)
            status = toss_64(&scores[candidate], bits, &kept, error);
        if (status != SCRIM_OK || kept != 0) {
            *out = (sc_int128)candidate;
            return status;
        }
    }
    return CHECK_FAIL("no candidate was kept") ? SCRIM_OK : SCRIM_E_INTERNAL;
}

TEST(selection_reproduces_its_transcripts_from_the_primitives)
{
    CLAIM("uniform.exact");
    CLAIM("bernoulli-exp.exact");
    transcript_check("exp_mech_reject", draw_exponential, NULL);
    transcript_check("permute_and_flip", draw_permute_and_flip, NULL);
}

TEST(bernoulli_exp_takes_the_same_bits_in_every_width)
{
    const sc_uint128 one = 1, largest = (one << SC_EXP_64_BITS) - 1;
    const exponent small[] = {{0, 1},
                              {1, 1},
                              {1, 1000},
                              {999, 1000},
                              {10, 1},
                              {123, 7},
                              {1, largest},
                              {largest, largest},
                              {largest - 1, largest},
                              {3 * largest + 1, largest},
                              {largest / 2, largest}};
    for (size_t i = 0; i < sizeof small / sizeof *small; i++) {
        transcript_check_twins(check_seed() + i, 300, toss_64, &small[i], toss_128,
                               &small[i]);
        transcript_check_twins(check_seed() + i, 300, toss_128, &small[i], toss_integer,
                               &small[i]);
    }
    const sc_uint128 wide = (one << SC_EXP_128_BITS) - 1;
    const exponent large[] = {
        {1, wide}, {wide / 3, wide}, {wide, wide}, {7 * wide - 5, wide}};
    for (size_t i = 0; i < sizeof large / sizeof *large; i++)
        transcript_check_twins(check_seed() + i, 300, toss_128, &large[i], toss_integer,
                               &large[i]);
}

/* The product d k of the 64-bit loop at the last turn that patience allows. */
TEST(bernoulli_exp_does_not_wrap_at_the_end_of_patience)
{
    const sc_uint128 one = 1;
    const exponent narrow = {(one << 51) - 1, (one << 51) - 1},
                   wide = {(one << 115) - 1, (one << 115) - 1};
    sc_tape *tape = NULL;
    sc_int128 side = 0;
    CHECK(((sc_uint128)narrow.d * SC_BITS_PATIENCE) >> 64 == 0);
    CHECK(wide.d <= ~(sc_uint128)0 / SC_BITS_PATIENCE);
    REQUIRE_OK(sc_tape_constant(0, &tape, NULL)); /* passes every turn */
    CHECK_STATUS(toss_64(&narrow, sc_tape_bits_of(tape), &side, NULL), SCRIM_E_ENTROPY);
    CHECK_STATUS(toss_128(&wide, sc_tape_bits_of(tape), &side, NULL), SCRIM_E_ENTROPY);
    CHECK_STATUS(toss_integer(&wide, sc_tape_bits_of(tape), &side, NULL),
                 SCRIM_E_ENTROPY);
    sc_tape_free(tape);
}

TEST(bernoulli_exp_law_is_that_of_the_vectors)
{
    json_t *rows = vectors_load("mechanisms", "bernoulli_exp"), *row;
    size_t i;
    sc_ball value, other;
    sc_ball_init(&value);
    sc_ball_init(&other);
    CHECK(json_array_size(rows) >= 9);
    json_array_foreach(rows, i, row)
    {
        json_t *gamma = json_object_get(row, "gamma");
        char shape[64];
        sc_law law;
        snprintf(shape, sizeof shape, "%lld/%lld",
                 (long long)json_integer_value(json_array_get(gamma, 0)),
                 (long long)json_integer_value(json_array_get(gamma, 1)));
        exact_law(&sc_bernoulli_exp_law, shape, 0, &law);
        const char *printed = json_string_value(json_object_get(row, "prob_true"));
        sc_law_pmf(&law, 1, EXACT_BITS, &value);
        CHECK_PRINTED(&value, printed);
        sc_law_mean(&law, EXACT_BITS, &value);
        CHECK_PRINTED(&value, printed);
        sc_law_pmf(&law, 0, EXACT_BITS, &other);
        sc_ball_add(&other, &other, &value, EXACT_BITS);
        sc_ball_set_int64(&value, 1);
        CHECK(sc_ball_contains(&other, &value));
        sc_law_clear(&law);
    }
    sc_ball_clear(&value);
    sc_ball_clear(&other);
}

/* The prepared coin. */

/* The side shown when the coin reads the digits of exp(-x) themselves for levels words
 * and then a word more or less, and how many words it takes. */
static bool side_at_border(const sc_exp_coin *coin, unsigned levels, int more,
                           uint64_t *used)
{
    uint64_t words[8] = {0};
    sc_ball border;
    sc_integer digits, rest, two64;
    sc_ball_init(&border);
    sc_integer_init(&digits);
    sc_integer_init(&rest);
    sc_integer_init(&two64);
    sc_integer_set_uint128(&two64, (sc_uint128)1 << 64);
    sc_ball_set_ratio(&border, &coin->x, 2000);
    sc_ball_neg(&border, &border);
    sc_ball_exp(&border, &border, 2000);
    sc_ball_mul_power2(&border, &border, 63 + 64 * (long)(levels - 1));
    CHECK(sc_ball_floor(&border, &digits));
    for (unsigned i = levels; i-- > 0;) {
        sc_integer_divide(&digits, &rest, &digits, &two64);
        CHECK(sc_integer_get_uint64(&rest, &words[i]));
    }
    words[levels - 1] += (uint64_t)(int64_t)more;
    words[0] <<= 1;
    sc_tape *tape = NULL;
    bool side = false;
    if (CHECK_STATUS(sc_tape_words(words, levels, &tape, NULL), SCRIM_OK))
        CHECK_STATUS(sc_exp_coin_toss(sc_tape_bits_of(tape), coin, &side, NULL),
                     SCRIM_OK);
    *used = sc_tape_words_used(tape);
    sc_tape_free(tape);
    sc_ball_clear(&border);
    sc_integer_clear(&digits);
    sc_integer_clear(&rest);
    sc_integer_clear(&two64);
    return side;
}

TEST(exp_coin_compares_with_the_digits_of_exp)
{
    CLAIM("bernoulli-exp.exact");
    CLAIM("threshold-table.exact");
    static const char *const list[] = {
        "1/1000", "1/2", "1",    "7/3", "10",   "40",   "123456789/987654321",
        "1/9",    "2",   "3/2",  "5",   "20",   "1e-6", "22/7",
        "0.1",    "30",  "13/4", "6",   "9/10", "1/3",  "17/5"};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        sc_ratio x;
        sc_exp_coin coin;
        exact_ratio(list[i], &x);
        REQUIRE_OK(sc_exp_coin_init(&coin, &x, NULL));
        for (unsigned levels = 1; levels <= 6; levels++) {
            uint64_t used = 0;
            CHECK(side_at_border(&coin, levels, -1, &used));
            CHECK_INT(used, levels);
            CHECK(!side_at_border(&coin, levels, 1, &used));
            CHECK_INT(used, levels);
        }
        sc_exp_coin_clear(&coin);
        sc_ratio_clear(&x);
    }
}

/* Probabilities so close to 0 and 1 that no double, and no table, can tell. */
TEST(exp_coin_is_exact_at_the_ends)
{
    CLAIM("bernoulli-exp.exact");
    sc_ratio x;
    sc_exp_coin coin;
    sc_tape *tape = NULL;
    bool side = true;
    exact_ratio("2^-4000", &x); /* 1 - 2^-4000 + ..: its 4000th digit is the first 0 */
    REQUIRE_OK(sc_exp_coin_init(&coin, &x, NULL));
    REQUIRE_OK(sc_tape_constant(UINT64_MAX, &tape, NULL));
    REQUIRE_OK(sc_exp_coin_toss(sc_tape_bits_of(tape), &coin, &side, NULL));
    CHECK(!side);
    CHECK_INT(sc_tape_words_used(tape), 63); /* 63 + 61 64 digits are 3967 */
    sc_tape_free(tape);
    sc_exp_coin_clear(&coin);

    sc_ratio_set_int64(&x, 1000); /* exp(-1000): about 1442 zeros, then digits */
    REQUIRE_OK(sc_exp_coin_init(&coin, &x, NULL));
    REQUIRE_OK(sc_tape_constant(0, &tape, NULL));
    side = false;
    REQUIRE_OK(sc_exp_coin_toss(sc_tape_bits_of(tape), &coin, &side, NULL));
    CHECK(side);
    CHECK_INT(sc_tape_words_used(tape), 23); /* 63 + 21 64 digits are 1407 */
    sc_tape_free(tape);
    sc_exp_coin_clear(&coin);

    sc_ratio_set_int64(&x, 0);
    REQUIRE_OK(sc_exp_coin_init(&coin, &x, NULL));
    REQUIRE_OK(sc_tape_constant(UINT64_MAX, &tape, NULL));
    REQUIRE_OK(sc_exp_coin_toss(sc_tape_bits_of(tape), &coin, &side, NULL));
    CHECK(side);
    sc_tape_free(tape);
    sc_exp_coin_clear(&coin);
    sc_ratio_clear(&x);
}

/* Patience. */

/* The bits 0, 1, 0 over and over: the coin of exp(-1) passes turn 2 with 0, ends turn 3 with 1
 * below 3, and comes up each time. */
static sc_tape *tape_of_heads(void)
{
    enum { WORDS = 3 * (SC_BITS_PATIENCE + 64) / 64 };
    static uint64_t words[WORDS];
    sc_tape *tape = NULL;
    for (unsigned bit = 1; bit < 64 * WORDS; bit += 3)
        words[bit / 64] |= (uint64_t)1 << bit % 64;
    CHECK_STATUS(sc_tape_words(words, WORDS, &tape, NULL), SCRIM_OK);
    return tape;
}

static scrim_status toss(unsigned width, sc_bits *bits, uint64_t whole, bool *out,
                         scrim_error *error)
{
    if (width == 64)
        return sc_bernoulli_exp_64(bits, whole, 1, out, error);
    if (width == 128)
        return sc_bernoulli_exp_128(bits, whole, 1, out, error);
    sc_integer n, d;
    sc_integer_init(&n);
    sc_integer_init(&d);
    sc_integer_set_uint128(&n, whole);
    sc_integer_set_uint128(&d, 1);
    scrim_status status = sc_bernoulli_exp_integer(bits, &n, &d, out, error);
    sc_integer_clear(&n);
    sc_integer_clear(&d);
    return status;
}

TEST(exp_coins_that_all_come_up_end_with_patience)
{
    for (unsigned width = 0; width <= 128; width += 64)
        for (uint64_t whole = SC_BITS_PATIENCE - 1; whole <= SC_BITS_PATIENCE + 2;
             whole++) {
            const bool is_broken = whole > SC_BITS_PATIENCE;
            const uint64_t coins = is_broken ? SC_BITS_PATIENCE : whole;
            bool side = is_broken;
            scrim_error error = {.status = SCRIM_OK};
            sc_tape *tape = tape_of_heads();
            CHECK_STATUS(toss(width, sc_tape_bits_of(tape), whole, &side, &error),
                         is_broken ? SCRIM_E_ENTROPY : SCRIM_OK);
            CHECK_STATUS(error.status, is_broken ? SCRIM_E_ENTROPY : SCRIM_OK);
            CHECK(side); /* exp(-whole) came up, or nothing was written */
            CHECK_INT(sc_tape_used(tape), 3 * (sc_int128)coins);
            sc_tape_free(tape);
        }
}
