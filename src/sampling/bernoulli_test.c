#include "exact.h"
#include "sampling/bernoulli.h"
#include "transcript.h"

typedef struct fraction {
    uint64_t n, d;
} fraction;

static scrim_status toss_64(const void *p, sc_bits *bits, sc_int128 *out,
                            scrim_error *error)
{
    const fraction *f = p;
    bool side = false;
    scrim_status status = sc_bernoulli_64(bits, f->n, f->d, &side, error);
    *out = side;
    return status;
}

static scrim_status toss_128(const void *p, sc_bits *bits, sc_int128 *out,
                             scrim_error *error)
{
    const fraction *f = p;
    bool side = false;
    scrim_status status = sc_bernoulli_128(bits, f->n, f->d, &side, error);
    *out = side;
    return status;
}

static scrim_status toss_integer(const void *p, sc_bits *bits, sc_int128 *out,
                                 scrim_error *error)
{
    const fraction *f = p;
    bool side = false;
    sc_integer n, d;
    sc_integer_init(&n);
    sc_integer_init(&d);
    sc_integer_set_uint128(&n, f->n);
    sc_integer_set_uint128(&d, f->d);
    scrim_status status = sc_bernoulli_integer(bits, &n, &d, &side, error);
    *out = side;
    sc_integer_clear(&n);
    sc_integer_clear(&d);
    return status;
}

TEST(bernoulli_reproduces_the_transcript_in_every_width)
{
    CLAIM("bernoulli.exact");
    const fraction p = {3, 7};
    transcript_check("bernoulli_3_7", toss_64, &p);
    transcript_check("bernoulli_3_7", toss_128, &p);
    transcript_check("bernoulli_3_7", toss_integer, &p);
}

TEST(bernoulli_uses_the_fraction_as_given)
{
    const fraction reduced = {1, 2}, given = {3, 6};
    sc_tape *tape = NULL;
    sc_int128 side = 0;
    REQUIRE_OK(sc_tape_constant(0, &tape, NULL));
    REQUIRE_OK(toss_64(&reduced, sc_tape_bits_of(tape), &side, NULL));
    CHECK_INT(sc_tape_used(tape), 1);
    REQUIRE_OK(toss_64(&given, sc_tape_bits_of(tape), &side, NULL));
    CHECK_INT(sc_tape_used(tape), 4);
    sc_tape_free(tape);
}

TEST(bernoulli_takes_the_same_bits_in_every_width)
{
    static const fraction list[] = {
        {0, 1}, {1, 1}, {1, 2}, {5, 9}, {1, UINT64_MAX}, {UINT64_MAX - 1, UINT64_MAX}};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        transcript_check_twins(check_seed() + i, 500, toss_64, &list[i], toss_128,
                               &list[i]);
        transcript_check_twins(check_seed() + i, 500, toss_128, &list[i], toss_integer,
                               &list[i]);
    }
}

/* The prepared coin, digit by digit. */

/* The side that a coin shows for these words, and how many of them it takes. */
static bool side_of(const sc_coin *coin, const uint64_t *words, size_t count,
                    uint64_t *used)
{
    sc_tape *tape = NULL;
    bool side = false;
    if (CHECK_STATUS(sc_tape_words(words, count, &tape, NULL), SCRIM_OK)) {
        CHECK_STATUS(sc_coin_toss(sc_tape_bits_of(tape), coin, &side, NULL), SCRIM_OK);
        *used = sc_tape_words_used(tape);
    }
    sc_tape_free(tape);
    return side;
}

/* digits 2^-64 + remainder/d 2^-64 is n/d: with the uniform number below d that decides
 * a tie, the probability is n/d and nothing else. */
static void check_digits(const sc_coin *coin, const sc_ratio *p)
{
    sc_integer left, right;
    sc_integer_init(&left);
    sc_integer_init(&right);
    sc_integer_mul_uint64(&left, &coin->d, coin->digits);
    sc_integer_add(&left, &left, &coin->remainder);
    sc_ratio_numerator(p, &right);
    sc_integer_shift_left(&right, &right, 64);
    CHECK_INT(sc_integer_compare(&left, &right), 0);
    CHECK(sc_integer_compare(&coin->remainder, &coin->d) < 0);
    sc_integer_clear(&left);
    sc_integer_clear(&right);
}

TEST(coin_compares_the_digits_of_a_probability)
{
    CLAIM("bernoulli.exact");
    static const char *const list[] = {
        "1/3",
        "1/2",
        "3/7",
        "0.1",
        "1e-9",
        "2^-64",
        "2^-65",
        "2^-200",
        "999999999/1000000000",
        "123456789123456789123456789/987654321987654321987654321"};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        sc_ratio p;
        sc_coin coin;
        uint64_t used = 0;
        exact_ratio(list[i], &p);
        sc_coin_init(&coin, &p);
        check_digits(&coin, &p);
        const uint64_t below[] = {coin.digits - 1}, above[] = {coin.digits + 1};
        /* A tie, and then a uniform number of zeros: below the remainder if that is not
         * 0. */
        const uint64_t tie[9] = {coin.digits};
        if (coin.digits > 0)
            CHECK(side_of(&coin, below, 1, &used));
        CHECK(!side_of(&coin, above, 1, &used));
        CHECK_INT(used, 1);
        CHECK(side_of(&coin, tie, 9, &used) == (sc_integer_sign(&coin.remainder) > 0));
        sc_coin_clear(&coin);
        sc_ratio_clear(&p);
    }
}

TEST(coin_that_is_sure_or_never)
{
    static const uint64_t words[][1] = {{0}, {1}, {UINT64_MAX}};
    sc_ratio p;
    sc_coin sure, never;
    uint64_t used = 0;
    exact_ratio("1", &p);
    sc_coin_init(&sure, &p);
    sc_ratio_set_int64(&p, 0);
    sc_coin_init(&never, &p);
    for (size_t i = 0; i < 3; i++)
        CHECK(side_of(&sure, words[i], 1, &used));
    for (size_t i = 1; i < 3; i++)
        CHECK(!side_of(&never, words[i], 1, &used));
    CHECK(!side_of(&never, words[0], 1, &used)); /* a tie with 0.000.. */
    sc_coin_clear(&sure);
    sc_coin_clear(&never);
    sc_ratio_clear(&p);
}

TEST(settle_agrees_with_the_prepared_coin)
{
    static const char *const list[] = {"1/3", "3/7", "2^-70", "99999/100000"};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        sc_ratio p;
        sc_coin coin;
        sc_integer n;
        exact_ratio(list[i], &p);
        sc_coin_init(&coin, &p);
        sc_integer_init(&n);
        sc_ratio_numerator(&p, &n);
        for (int more = -1; more <= 1; more++)
            for (uint64_t seed = 0; seed < 40; seed++) {
                const uint64_t word = coin.digits + (uint64_t)(int64_t)more;
                sc_tape *source = NULL;
                uint64_t words[40] = {word}, used = 0;
                bool side = false;
                REQUIRE_OK(sc_tape_seeded(check_seed() + seed, &source, NULL));
                for (size_t j = 1; j < 40; j++)
                    REQUIRE_OK(sc_bits_word(sc_tape_bits_of(source), &words[j], NULL));
                sc_tape_free(source);
                REQUIRE_OK(sc_tape_words(words + 1, 39, &source, NULL));
                REQUIRE_OK(sc_bernoulli_settle(sc_tape_bits_of(source), word, &n, &coin.d,
                                               &side, NULL));
                sc_tape_free(source);
                CHECK_INT(side, side_of(&coin, words, 40, &used));
            }
        sc_integer_clear(&n);
        sc_coin_clear(&coin);
        sc_ratio_clear(&p);
    }
}

/* The secret bit. */

static unsigned randomised(uint64_t keep, unsigned secret, uint64_t word)
{
    sc_tape *tape = NULL;
    unsigned out = 7;
    if (CHECK_STATUS(sc_tape_words(&word, 1, &tape, NULL), SCRIM_OK))
        CHECK_STATUS(sc_randomise_bit(sc_tape_bits_of(tape), keep, secret, &out, NULL),
                     SCRIM_OK);
    CHECK_INT(sc_tape_used(tape), 64);
    sc_tape_free(tape);
    return out;
}

TEST(randomised_bit_is_kept_by_exactly_its_share_of_the_words)
{
    const uint64_t whole = (uint64_t)1 << 62;
    const uint64_t shares[] = {0, 1, 12345, whole / 2, whole - 1, whole};
    for (size_t i = 0; i < sizeof shares / sizeof *shares; i++)
        for (unsigned secret = 0; secret < 2; secret++) {
            const uint64_t keep = shares[i];
            if (keep > 0) {
                CHECK_INT(randomised(keep, secret, 0), secret);
                CHECK_INT(randomised(keep, secret, 4 * (keep - 1) + 3), secret);
            }
            if (keep < whole) {
                CHECK_INT(randomised(keep, secret, 4 * keep), secret ^ 1);
                CHECK_INT(randomised(keep, secret, UINT64_MAX), secret ^ 1);
            }
        }
}

TEST(coins_leave_their_output_when_there_are_no_bits)
{
    const fraction p = {1, 3};
    sc_ratio third;
    sc_coin coin;
    sc_tape *tape = NULL;
    bool side = true;
    unsigned bit = 7;
    exact_ratio("1/3", &third);
    sc_coin_init(&coin, &third);
    REQUIRE_OK(sc_tape_words(NULL, 0, &tape, NULL));
    CHECK_STATUS(sc_coin_toss(sc_tape_bits_of(tape), &coin, &side, NULL),
                 SCRIM_E_ENTROPY);
    CHECK_STATUS(sc_bernoulli_64(sc_tape_bits_of(tape), p.n, p.d, &side, NULL),
                 SCRIM_E_ENTROPY);
    CHECK_STATUS(sc_randomise_bit(sc_tape_bits_of(tape), 1, 1, &bit, NULL),
                 SCRIM_E_ENTROPY);
    CHECK(side);
    CHECK_INT(bit, 7);
    sc_tape_free(tape);
    sc_coin_clear(&coin);
    sc_ratio_clear(&third);
}
