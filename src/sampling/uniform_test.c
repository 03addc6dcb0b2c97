#include "exact.h"
#include "goodness.h"
#include "laws.h"
#include "sampling/uniform.h"
#include "secret.h"
#include "transcript.h"

#include <string.h>

/* The three widths, one sampler. */

static scrim_status draw_64(const void *n, sc_bits *bits, sc_int128 *out,
                            scrim_error *error)
{
    uint64_t value = 0;
    scrim_status status =
        sc_uniform_64(bits, (uint64_t) * (const sc_uint128 *)n, &value, error);
    *out = value;
    return status;
}

static scrim_status draw_128(const void *n, sc_bits *bits, sc_int128 *out,
                             scrim_error *error)
{
    sc_uint128 value = 0;
    scrim_status status = sc_uniform_128(bits, *(const sc_uint128 *)n, &value, error);
    *out = (sc_int128)value;
    return status;
}

static scrim_status draw_integer(const void *n, sc_bits *bits, sc_int128 *out,
                                 scrim_error *error)
{
    sc_integer limit, value;
    sc_integer_init(&limit);
    sc_integer_init(&value);
    sc_integer_set_uint128(&limit, *(const sc_uint128 *)n);
    scrim_status status = sc_uniform_integer(bits, &limit, &value, error);
    if (status == SCRIM_OK && !sc_integer_get_int128(&value, out))
        CHECK_FAIL("a uniform number is too wide");
    sc_integer_clear(&limit);
    sc_integer_clear(&value);
    return status;
}

static scrim_status draw_fast(const void *n, sc_bits *bits, sc_int128 *out,
                              scrim_error *error)
{
    uint64_t value = 0;
    scrim_status status =
        sc_uniform_fast(bits, (uint64_t) * (const sc_uint128 *)n, &value, error);
    *out = value;
    return status;
}

TEST(uniform_reproduces_the_transcript_in_every_width)
{
    CLAIM("uniform.exact");
    const sc_uint128 ten = 10;
    transcript_check("uniform_below_10", draw_64, &ten);
    transcript_check("uniform_below_10", draw_128, &ten);
    transcript_check("uniform_below_10", draw_integer, &ten);
}

TEST(uniform_takes_the_same_bits_in_every_width)
{
    for (unsigned bit = 0; bit < 120; bit++)
        for (int more = -1; more <= 1; more++) {
            const sc_uint128 n = ((sc_uint128)1 << bit) + (sc_uint128)(sc_int128)more;
            if (n == 0)
                continue;
            transcript_check_twins(check_seed() + bit, 40, draw_128, &n, draw_integer,
                                   &n);
            if (n <= UINT64_MAX)
                transcript_check_twins(check_seed() + bit, 40, draw_64, &n, draw_128, &n);
        }
}

TEST(uniform_below_one_takes_no_bits)
{
    const sc_uint128 one = 1;
    transcript_draw *const widths[] = {draw_64, draw_128, draw_integer};
    for (size_t i = 0; i < 3; i++) {
        sc_tape *tape = NULL;
        sc_int128 value = 7;
        REQUIRE_OK(sc_tape_words(NULL, 0, &tape, NULL));
        CHECK_STATUS(widths[i](&one, sc_tape_bits_of(tape), &value, NULL), SCRIM_OK);
        CHECK_INT(value, 0);
        CHECK_INT(sc_tape_used(tape), 0);
        sc_tape_free(tape);
    }
}

/* A number of 4096 bits and its neighbours: far beyond any machine word. */
TEST(uniform_integers_of_thousands_of_bits_stay_below_their_limit)
{
    sc_integer n, value, one;
    sc_tape *tape = NULL;
    sc_integer_init(&n);
    sc_integer_init(&value);
    sc_integer_init(&one);
    sc_integer_set_int128(&one, 1);
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    for (unsigned bits = 4090; bits <= 4096; bits++) {
        unsigned upper = 0, draws = 400;
        sc_integer_shift_left(&n, &one, bits - 1);
        sc_integer_add(&n, &n, &one); /* 2^(bits-1) + 1: nearly half are rejected */
        for (unsigned i = 0; i < draws; i++) {
            REQUIRE_OK(sc_uniform_integer(sc_tape_bits_of(tape), &n, &value, NULL));
            CHECK(sc_integer_compare(&value, &n) < 0);
            upper += sc_integer_bits(&value) == bits - 1; /* the upper half */
        }
        double z = (upper - draws / 2.0) / 10; /* a standard deviation is 10 */
        CHECK(laws_normal_two_sided(z) > LAWS_FALSE_ALARM);
    }
    sc_tape_free(tape);
    sc_integer_clear(&n);
    sc_integer_clear(&value);
    sc_integer_clear(&one);
}

/* The fast implementation: which words give which value, exactly. */

static scrim_status fast_of(uint64_t word, uint64_t n, uint64_t *out)
{
    sc_tape *tape = NULL;
    if (!CHECK_STATUS(sc_tape_words(&word, 1, &tape, NULL), SCRIM_OK))
        return SCRIM_E_MEMORY;
    scrim_status status = sc_uniform_fast(sc_tape_bits_of(tape), n, out, NULL);
    sc_tape_free(tape);
    return status;
}

static void check_words_of(uint64_t n, uint64_t value)
{
    /* word n runs over value 2^64 .. value 2^64 + 2^64 - 1 in steps of n; exactly
     * floor(2^64 / n) of these words must be kept, wherever the steps begin. */
    const sc_uint128 two64 = (sc_uint128)1 << 64;
    const uint64_t share = (uint64_t)(two64 / n);
    const sc_uint128 last = (((sc_uint128)value + 1) * two64 - 1) / n; /* fits 64 bits */
    const sc_uint128 first = last + 1 - share;
    uint64_t got = 0;
    CHECK_STATUS(fast_of((uint64_t)last, n, &got), SCRIM_OK);
    CHECK_INT(got, value);
    CHECK_STATUS(fast_of((uint64_t)first, n, &got), SCRIM_OK);
    CHECK_INT(got, value);
    /* The word before is rejected, and another asked for, or belongs to value - 1. */
    if (first > 0) {
        scrim_status status = fast_of((uint64_t)first - 1, n, &got);
        CHECK(status == SCRIM_E_ENTROPY || got == value - 1);
    }
}

TEST(uniform_fast_gives_each_value_the_same_number_of_words)
{
    CLAIM("uniform.exact");
    static const uint64_t limits[] = {2,
                                      3,
                                      5,
                                      10,
                                      1000003,
                                      ((uint64_t)1 << 32) + 1,
                                      ((uint64_t)1 << 62) + 12345,
                                      ((uint64_t)1 << 63) - 1,
                                      (uint64_t)1 << 63,
                                      ((uint64_t)1 << 63) + 1,
                                      UINT64_MAX - 1,
                                      UINT64_MAX};
    sc_tape *tape = NULL;
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        const uint64_t n = limits[i];
        check_words_of(n, 0);
        check_words_of(n, n - 1);
        for (int draw = 0; draw < 200; draw++) {
            uint64_t value = 0;
            REQUIRE_OK(sc_uniform_64(sc_tape_bits_of(tape), n, &value, NULL));
            check_words_of(n, value);
        }
    }
    sc_tape_free(tape);
}

/* Statistics (THREATS A07): top bits by the law's bins, low bits by themselves. */

static void check_fit(transcript_draw *draw, sc_uint128 n, uint64_t seed)
{
    enum { LOW = 64 };
    static double even[LOW];
    uint64_t low[LOW] = {0};
    const uint64_t count = check_count(1000000, 10000000);
    goodness fit;
    sc_law law;
    sc_tape *tape = NULL;
    exact_law(&sc_uniform_law, NULL, (sc_int128)n, &law);
    if (!goodness_init(&fit, &law, GOODNESS_FINE) ||
        !CHECK_STATUS(sc_tape_seeded(seed, &tape, NULL), SCRIM_OK))
        return;
    for (uint64_t i = 0; i < count; i++) {
        sc_int128 value = 0;
        if (draw(&n, sc_tape_bits_of(tape), &value, NULL) != SCRIM_OK) {
            CHECK_FAIL("a draw fails");
            break;
        }
        goodness_count(&fit, &value, 1);
        low[(uint64_t)value % LOW]++;
    }
    CHECK(goodness_holds(&fit));
    for (size_t i = 0; i < LOW; i++)
        even[i] = 1.0 / LOW;
    if (n > (sc_uint128)1 << 40)
        CHECK(laws_chi_square(low, even, LOW) > LAWS_FALSE_ALARM);
    sc_tape_free(tape);
    goodness_clear(&fit);
    sc_law_clear(&law);
}

TEST(uniform_numbers_are_even_where_a_remainder_would_not_be)
{
    CLAIM("uniform.exact");
    static const uint64_t limits[] = {3, ((uint64_t)1 << 63) + 1, UINT64_MAX};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        check_fit(draw_64, limits[i], check_seed() + i);
        check_fit(draw_fast, limits[i], check_seed() + i);
    }
}

/* THREATS A07 asks for 10^9 draws: the road that ships, in cells of equal length from the top
 * of the range and by the lowest bits. An instrumented program draws fewer. */
static void check_many(uint64_t n, uint64_t seed)
{
    enum { CELLS = 1024 };
    static uint64_t top[CELLS], low[CELLS];
    static double expected[CELLS], even[CELLS];
    const size_t cells = n < CELLS ? (size_t)n : CELLS;
    const uint64_t full = secret_is_instrumented() ? 10000000 : 1000000000;
    const uint64_t count = check_count(1000000, full);
    sc_tape *tape = NULL;
    REQUIRE_OK(sc_tape_seeded(seed, &tape, NULL));
    memset(top, 0, sizeof top);
    memset(low, 0, sizeof low);
    for (uint64_t i = 0; i < count; i++) {
        uint64_t value = 0;
        if (sc_uniform_fast(sc_tape_bits_of(tape), n, &value, NULL) != SCRIM_OK) {
            CHECK_FAIL("a draw fails");
            break;
        }
        top[(size_t)(((sc_uint128)value * cells) / n)]++;
        low[value % CELLS]++;
    }
    for (size_t i = 0; i < CELLS; i++)
        expected[i] = 1.0 / (double)cells, even[i] = 1.0 / CELLS;
    CHECK(laws_chi_square(top, expected, cells) > LAWS_FALSE_ALARM);
    if (n > (uint64_t)1 << 60)
        CHECK(laws_chi_square(low, even, CELLS) > LAWS_FALSE_ALARM);
    sc_tape_free(tape);
}

TEST(uniform_is_even_over_a_thousand_million_draws)
{
    CLAIM("uniform.exact");
    check_many(3, check_seed());
    check_many(((uint64_t)1 << 63) + 1, check_seed() + 1);
    check_many(UINT64_MAX, check_seed() + 2);
}

/* The statistics above see what they are for: n = 2^63 + 1 by a remainder is uneven. */
static scrim_status draw_remainder(const void *n, sc_bits *bits, sc_int128 *out,
                                   scrim_error *error)
{
    uint64_t word = 0;
    scrim_status status = sc_bits_word(bits, &word, error);
    *out = (sc_int128)((sc_uint128)word % *(const sc_uint128 *)n);
    return status;
}

TEST(uniform_statistics_see_a_remainder)
{
    const sc_uint128 n = (sc_uint128)3 << 62; /* half of the numbers twice as likely */
    goodness fit;
    sc_law law;
    sc_tape *tape = NULL;
    exact_law(&sc_uniform_law, NULL, (sc_int128)n, &law);
    REQUIRE(goodness_init(&fit, &law, GOODNESS_FINE));
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    for (unsigned i = 0; i < 100000; i++) {
        sc_int128 value = 0;
        REQUIRE_OK(draw_remainder(&n, sc_tape_bits_of(tape), &value, NULL));
        goodness_count(&fit, &value, 1);
    }
    CHECK(!goodness_holds(&fit));
    sc_tape_free(tape);
    goodness_clear(&fit);
    sc_law_clear(&law);
}

/* A source that is stuck, or ends. */

TEST(uniform_gives_up_on_a_stuck_source_and_leaves_its_output)
{
    const sc_uint128 n = ((sc_uint128)1 << 63) + 1;
    transcript_draw *const widths[] = {draw_64, draw_128, draw_integer};
    for (size_t i = 0; i < 3; i++) {
        sc_tape *tape = NULL;
        sc_int128 value = 0;
        REQUIRE_OK(sc_tape_constant(UINT64_MAX, &tape, NULL));
        CHECK_STATUS(widths[i](&n, sc_tape_bits_of(tape), &value, NULL), SCRIM_E_ENTROPY);
        CHECK_INT(sc_tape_used(tape), (sc_int128)SC_BITS_PATIENCE * 64);
        sc_tape_free(tape);
    }
    /* A product of 0 is rejected for every n but a power of 2. */
    uint64_t value = 42;
    sc_tape *tape = NULL;
    REQUIRE_OK(sc_tape_constant(0, &tape, NULL));
    CHECK_STATUS(sc_uniform_fast(sc_tape_bits_of(tape), 3, &value, NULL),
                 SCRIM_E_ENTROPY);
    CHECK_INT(value, 42);
    CHECK_INT(sc_tape_words_used(tape), SC_BITS_PATIENCE);
    sc_tape_free(tape);
}
