#include "exact.h"
#include "laws.h"
#include "random/bits_tape.h"
#include "sampling/gap_weights.h"

static sc_gap_weights weights;

static const char *const rates[] = {
    "1/2",   "1",      "1/2000", "1/3",        "7/1000003", "1e-9",   "2^-40",
    "2^-60", "2^-122", "2^-57",  "2^-64",      "2^-200",    "1e-400", "31.5",
    "32",    "63.99",  "64",     "65",         "1e30",      "44",     "0.001",
    "12345", "1/7",    "9/10",   "123456/789",
};
enum { RATES = sizeof rates / sizeof *rates };

/* Initialises the one above. */
static bool prepare(const char *rate)
{
    sc_ratio x;
    exact_ratio(rate, &x);
    const bool ok = CHECK_STATUS(sc_gap_weights_init(&weights, &x, NULL), SCRIM_OK);
    sc_ratio_clear(&x);
    return ok;
}

/* 2^places exp(-rate gap), by another road: the rate to the power of the gap. */
static void exact_weight(uint64_t gap, long places, sc_ball *out)
{
    sc_ball_set_ratio(out, &weights.rate, 2048);
    sc_ball_neg(out, out);
    sc_ball_exp(out, out, 2048);
    sc_ball_power(out, out, gap, 1024);
    sc_ball_mul_power2(out, out, places);
}

/* w <= 2^63 exp(-rate gap) < w + slack, and c - c/4096 - 1024 < 2^63 exp(-rate gap) <= c. */
static bool holds(uint64_t gap)
{
    sc_ball exact, edge;
    sc_ball_init(&exact);
    sc_ball_init(&edge);
    const uint64_t w = sc_gap_weight(&weights, gap);
    exact_weight(gap, 63, &exact);
    sc_ball_set_int128(&edge, w);
    bool ok = sc_ball_is_less_equal(&edge, &exact);
    sc_ball_set_int128(&edge, (sc_int128)w + (sc_int128)SC_GAP_SLACK);
    ok = ok && sc_ball_is_less(&exact, &edge);
    const sc_int128 c = sc_gap_ceiling(&weights, gap);
    sc_ball_set_int128(&edge, c);
    ok = ok && sc_ball_is_less_equal(&exact, &edge);
    sc_ball_set_int128(&edge, c - c / 4096 - 1024);
    ok = ok && sc_ball_is_less(&edge, &exact);
    sc_ball_clear(&exact);
    sc_ball_clear(&edge);
    return ok;
}

/* A gap that spreads evenly over the sizes: a random number of random bits. */
static uint64_t some_gap(sc_bits *bits)
{
    uint64_t word = 0, size = 0;
    CHECK_STATUS(sc_bits_word(bits, &word, NULL), SCRIM_OK);
    CHECK_STATUS(sc_bits_take(bits, 6, &size, NULL), SCRIM_OK);
    return word >> size;
}

SLOW_TEST(gap_weights_are_low_by_less_than_the_slack)
{
    CLAIM("gap-weights.digits");
    const uint64_t edges[] = {
        0, 1, 2, 3, 100, UINT64_MAX, 1ull << 63, UINT64_MAX - 1, 1ull << 62};
    sc_tape *tape = NULL;
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    for (size_t r = 0; r < RATES; r++) {
        REQUIRE(prepare(rates[r]));
        for (size_t i = 0; i < sizeof edges / sizeof *edges; i++)
            if (!holds(edges[i]))
                CHECK_FAIL("rate %s, gap %llu", rates[r], (unsigned long long)edges[i]);
        for (uint64_t i = check_count(500, 20000); i > 0; i--) {
            const uint64_t gap = some_gap(sc_tape_bits_of(tape));
            if (!holds(gap))
                CHECK_FAIL("rate %s, gap %llu", rates[r], (unsigned long long)gap);
        }
        sc_gap_weights_clear(&weights);
    }
    sc_tape_free(tape);
}

/* The words of floor(x) for a ball below 2^256, most significant first. */
static bool words_of(const sc_ball *x, int64_t plus, uint64_t word[4])
{
    sc_integer digits, two64, rest, step;
    sc_integer_init(&digits);
    sc_integer_init(&two64);
    sc_integer_init(&rest);
    sc_integer_init(&step);
    bool ok = sc_ball_floor(x, &digits);
    sc_integer_set_int128(&step, plus);
    sc_integer_add(&digits, &digits, &step);
    sc_integer_set_uint128(&two64, (sc_uint128)1 << 64);
    for (int i = 3; ok && i >= 0; i--) {
        sc_integer_divide(&digits, &rest, &digits, &two64);
        ok = sc_integer_get_uint64(&rest, &word[i]);
    }
    sc_integer_clear(&digits);
    sc_integer_clear(&two64);
    sc_integer_clear(&rest);
    sc_integer_clear(&step);
    return ok;
}

/* Settles the real with these 256 digits; a tape that would be read further fails. */
static bool settled(const uint64_t word[4], uint64_t gap, uint64_t whole)
{
    bool below = false;
    sc_tape *tape = NULL;
    if (CHECK_STATUS(sc_tape_words(word + 1, 3, &tape, NULL), SCRIM_OK))
        CHECK_STATUS(sc_gap_weights_settle(sc_tape_bits_of(tape), &weights, gap, whole,
                                           word[0], &below, NULL),
                     SCRIM_OK);
    sc_tape_free(tape);
    return below;
}

/* The same by a flip: sixteen digits in the low end of the first word, 48 in the next. */
static bool flipped(const uint64_t word[4], uint64_t gap)
{
    /* top - value is the gap, also where it does not fit a signed number. */
    const int64_t top = INT64_MAX, value = (int64_t)((uint64_t)INT64_MAX - gap);
    const uint64_t cut[5] = {word[0] >> 48, word[0] << 16, word[1], word[2], word[3]};
    uint64_t heads = 9;
    sc_tape *tape = NULL;
    if (CHECK_STATUS(sc_tape_words(cut, 5, &tape, NULL), SCRIM_OK))
        CHECK_STATUS(sc_gap_weights_flip(sc_tape_bits_of(tape), &weights, top, &value, 1,
                                         &heads, NULL),
                     SCRIM_OK);
    sc_tape_free(tape);
    CHECK(heads <= 1);
    return heads == 1;
}

/* Reals one unit of the 256th digit to either side of the border, for each decision. */
TEST(gap_weights_settle_at_the_border_itself)
{
    CLAIM("gap-weights.exact");
    static const struct {
        const char *rate;
        uint64_t gap;
    } cases[] = {
        {"1/2", 1},  {"1/2", 7},       {"1/3", 100},        {"1", 60},
        {"2", 40},   {"1/2000", 1500}, {"1e-9", 314159265}, {"2^-60", 1ull << 60},
        {"9/10", 2}, {"7", 1},         {"1e-15", 1}};
    sc_ball exact, divisor;
    sc_ball_init(&exact);
    sc_ball_init(&divisor);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const uint64_t gap = cases[i].gap;
        uint64_t low[4], high[4];
        REQUIRE(prepare(cases[i].rate));
        exact_weight(gap, 256, &exact);
        REQUIRE(words_of(&exact, -1, low) && words_of(&exact, 1, high));
        CHECK(settled(low, gap, SC_GAP_ONE) && !settled(high, gap, SC_GAP_ONE));
        CHECK(flipped(low, gap) && !flipped(high, gap));
        /* The same weight as a share of what the choice by weights takes it for. */
        const uint64_t whole = sc_gap_ceiling(&weights, gap);
        sc_ball_set_int128(&divisor, whole);
        sc_ball_mul_power2(&exact, &exact, 63);
        sc_ball_div(&exact, &exact, &divisor, 1024);
        REQUIRE(words_of(&exact, -1, low) && words_of(&exact, 1, high));
        CHECK(settled(low, gap, whole) && !settled(high, gap, whole));
        sc_gap_weights_clear(&weights);
    }
    sc_ball_clear(&exact);
    sc_ball_clear(&divisor);
}

TEST(gap_weights_flip_sure_and_hopeless_coins)
{
    const int64_t values[3] = {INT64_MAX, INT64_MIN, INT64_MAX - 1};
    const uint64_t highest[] = {UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX};
    uint64_t heads = 0;
    sc_tape *tape = NULL;
    REQUIRE(prepare("1e9"));
    REQUIRE_OK(sc_tape_words(highest, 4, &tape, NULL));
    REQUIRE_OK(sc_gap_weights_flip(sc_tape_bits_of(tape), &weights, INT64_MAX, values, 3,
                                   &heads, NULL));
    CHECK_INT(heads, 1); /* the largest real there is lies below exp(0) = 1 */
    sc_tape_free(tape);
    /* Zeros for ever agree with the digits of exp(-1e9): such a source is broken. */
    REQUIRE_OK(sc_tape_constant(0, &tape, NULL));
    heads = 77;
    CHECK_STATUS(sc_gap_weights_flip(sc_tape_bits_of(tape), &weights, INT64_MAX, values,
                                     3, &heads, NULL),
                 SCRIM_E_ENTROPY);
    CHECK_INT(heads, 77);
    sc_tape_free(tape);
    REQUIRE_OK(sc_tape_words(highest, 1, &tape, NULL));
    CHECK_STATUS(sc_gap_weights_flip(sc_tape_bits_of(tape), &weights, INT64_MAX, values,
                                     3, &heads, NULL),
                 SCRIM_E_ENTROPY);
    CHECK_INT(heads, 77);
    sc_tape_free(tape);
    sc_gap_weights_clear(&weights);
}

/* Sixty-four coins at once are as many coins: each as frequent as it should be, and each pair
 * of neighbours as often heads together. */
TEST(gap_weights_flip_coins_that_are_independent)
{
    CLAIM("gap-weights.exact");
    enum { COINS = 64 };
    static int64_t value[COINS];
    static uint64_t count[COINS], both[COINS];
    const uint64_t turns = check_count(100000, 1000000);
    double p[COINS + 1];
    sc_ball exact;
    sc_tape *tape = NULL;
    REQUIRE(prepare("1/20"));
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    sc_ball_init(&exact);
    for (unsigned i = 0; i < COINS; i++) {
        value[i] = -(int64_t)i;
        exact_weight(i, 0, &exact);
        p[i] = sc_ball_upper(&exact);
    }
    sc_ball_clear(&exact);
    for (uint64_t t = 0; t < turns; t++) {
        uint64_t heads = 0;
        REQUIRE_OK(sc_gap_weights_flip(sc_tape_bits_of(tape), &weights, 0, value, COINS,
                                       &heads, NULL));
        for (unsigned i = 0; i < COINS; i++) {
            count[i] += heads >> i & 1;
            both[i] += heads >> i & heads >> (i + 1) % COINS & 1;
        }
    }
    CHECK_INT(count[0], turns);
    for (unsigned i = 1; i + 1 < COINS; i++) {
        const double pair = p[i] * p[i + 1];
        const uint64_t one[] = {count[i], turns - count[i]};
        const uint64_t two[] = {both[i], turns - both[i]};
        CHECK(laws_chi_square(one, (double[]){p[i], 1 - p[i]}, 2) > LAWS_FALSE_ALARM);
        CHECK(laws_chi_square(two, (double[]){pair, 1 - pair}, 2) > LAWS_FALSE_ALARM);
    }
    sc_tape_free(tape);
    sc_gap_weights_clear(&weights);
}
