/* The lowest level: uniform integers on every tape of bits. */
#include "check.h"
#include "random/bits_tape.h"
#include "sampling/bernoulli.h"

typedef struct tape_result {
    scrim_status status;
    uint64_t value, used;
} tape_result;

static tape_result on_tape(uint64_t n, uint64_t bits, unsigned count)
{
    unsigned char bytes[8];
    for (unsigned i = 0; i < 8; i++)
        bytes[i] = (unsigned char)(bits >> 8 * i);
    tape_result result = {SCRIM_E_INTERNAL, 0, 0};
    sc_tape *tape = NULL;
    if (sc_tape_bits(bytes, count, &tape, NULL) != SCRIM_OK)
        return result;
    result.status = sc_uniform_64(sc_tape_bits_of(tape), n, &result.value, NULL);
    result.used = sc_tape_used(tape);
    sc_tape_free(tape);
    return result;
}

/* One turn takes width bits: the 2^width tapes of that length give each value once, and the
 * others ask for more. With two turns on the tape, those go on exactly as if nothing had been
 * before: the state after a rejection is the state at the start, and so the mass of each value
 * is the same after any number of turns, with (1 - n/2^width)^turns left over: below 2^-40 for
 * 60 turns. */
static void enumerate(uint64_t n, unsigned turns)
{
    unsigned width = sc_bit_length64(n - 1);
    uint64_t decided = 0;
    for (uint64_t tape = 0; tape < (uint64_t)1 << (width * turns); tape++) {
        uint64_t mask = ((uint64_t)1 << width) - 1, value = tape & mask;
        unsigned turn = 1;
        for (; value >= n && turn < turns; turn++)
            value = tape >> (width * turn) & mask;
        tape_result got = on_tape(n, tape, width * turns);
        bool same = value < n ? got.status == SCRIM_OK && got.value == value &&
                                    got.used == (uint64_t)width * turn
                              : got.status == SCRIM_E_ENTROPY;
        if (!same) {
            CHECK_FAIL("uniform below %llu on tape %llx", (unsigned long long)n,
                       (unsigned long long)tape);
            return;
        }
        decided += value < n;
    }
    CHECK(decided >= n);
}

TEST(enumerate_uniform_on_bits)
{
    CLAIM("uniform.exact");
    uint64_t most = check_count(40, 260);
    for (uint64_t n = 1; n <= most; n++)
        enumerate(n, 1);
    for (uint64_t n = 1; n <= 17; n++)
        enumerate(n, 2);
    for (uint64_t n = 1; n <= 8; n++)
        enumerate(n, 4);
    enumerate(1000, 1);
    enumerate(4097, 1);
}

/* The other widths take the same bits to the same value. */
TEST(uniform_widths_agree)
{
    CLAIM("uniform.exact");
    const uint64_t ns[] = {
        1, 2, 3, 10, 255, 256, 257, 1000003, ((uint64_t)1 << 63) + 1, UINT64_MAX};
    for (size_t i = 0; i < sizeof ns / sizeof *ns; i++) {
        sc_tape *a, *b, *c;
        REQUIRE_OK(sc_tape_seeded(i, &a, NULL));
        REQUIRE_OK(sc_tape_seeded(i, &b, NULL));
        REQUIRE_OK(sc_tape_seeded(i, &c, NULL));
        sc_integer n, value;
        sc_integer_init(&n);
        sc_integer_init(&value);
        sc_integer_set_uint128(&n, ns[i]);
        for (int draw = 0; draw < 100; draw++) {
            uint64_t narrow = 0, big = 0;
            sc_uint128 wide = 0;
            REQUIRE_OK(sc_uniform_64(sc_tape_bits_of(a), ns[i], &narrow, NULL));
            REQUIRE_OK(sc_uniform_128(sc_tape_bits_of(b), ns[i], &wide, NULL));
            REQUIRE_OK(sc_uniform_integer(sc_tape_bits_of(c), &n, &value, NULL));
            CHECK(sc_integer_get_uint64(&value, &big));
            CHECK_INT((sc_int128)wide, narrow);
            CHECK_INT(big, narrow);
        }
        CHECK_INT(sc_tape_used(b), sc_tape_used(a));
        CHECK_INT(sc_tape_used(c), sc_tape_used(a));
        sc_integer_clear(&n);
        sc_integer_clear(&value);
        sc_tape_free(a);
        sc_tape_free(b);
        sc_tape_free(c);
    }
}

/* The word-at-a-time road: value v is the high half of word * n, and is refused when the low
 * half is below 2^64 mod n. For each v that leaves floor(2^64/n) words: checked at the borders
 * of each v. */
TEST(enumerate_uniform_fast_on_words)
{
    CLAIM("uniform.exact");
    const uint64_t ns[] = {1, 2, 3, 5, 6, 7, 10, 100, 255, 641};
    for (size_t i = 0; i < sizeof ns / sizeof *ns; i++) {
        const uint64_t n = ns[i], even = n == 1 ? 0 : UINT64_MAX / n;
        for (uint64_t v = 0; v < n; v++) {
            /* The words of v: from ceil(v 2^64/n), those refused first. */
            sc_uint128 start = (((sc_uint128)v << 64) + n - 1) / n;
            sc_uint128 end = (((sc_uint128)(v + 1) << 64) + n - 1) / n;
            uint64_t accepted = 0;
            for (sc_uint128 w = start; w < end && w < start + 3; w++) {
                uint64_t word = (uint64_t)w, value = n;
                sc_tape *tape;
                REQUIRE_OK(sc_tape_words(&word, 1, &tape, NULL));
                if (sc_uniform_fast(sc_tape_bits_of(tape), n, &value, NULL) == SCRIM_OK) {
                    CHECK_INT(value, v);
                    accepted =
                        (uint64_t)(end - w); /* all later words of v are kept too */
                    sc_tape_free(tape);
                    break;
                }
                sc_tape_free(tape);
            }
            if (n > 1)
                CHECK_INT(accepted, (UINT64_MAX % n == n - 1) ? even + 1 : even);
            uint64_t last = (uint64_t)(end - 1), value = n;
            sc_tape *tape;
            REQUIRE_OK(sc_tape_words(&last, 1, &tape, NULL));
            CHECK_STATUS(sc_uniform_fast(sc_tape_bits_of(tape), n, &value, NULL),
                         SCRIM_OK);
            CHECK_INT(value, v);
            sc_tape_free(tape);
        }
    }
}

/* The prepared coin: digits, the tie, and what follows it. */
TEST(enumerate_coin_on_words)
{
    CLAIM("bernoulli.exact");
    const char *ps[] = {"0",     "1/2",   "1/3",  "2/3",   "1/1000003", "999/1000",
                        "2^-64", "5e-19", "1",    "3/7",   "0.1",       "1e-9",
                        "2^-40", "1/7",   "5/8",  "0.999", "22/71",     "1e-3",
                        "2^-63", "1e-20", "2^-65"};
    for (size_t i = 0; i < sizeof ps / sizeof *ps; i++) {
        sc_ratio p;
        sc_ratio_init(&p);
        REQUIRE_OK(sc_ratio_parse(sc_text_of(ps[i]), &p, NULL));
        sc_coin coin;
        sc_coin_init(&coin, &p);
        /* p = (digits + rest)/2^64 with rest = remainder/d: words below digits are 1, the word
         * digits is 1 with probability rest, decided by a uniform below d. */
        sc_ratio sum, rest;
        sc_ratio_init(&sum);
        sc_ratio_init(&rest);
        if (!coin.is_sure) {
            sc_integer two64, digits;
            sc_integer_init(&two64);
            sc_integer_init(&digits);
            sc_integer_set_uint128(&two64, (sc_uint128)1 << 64);
            sc_integer_set_uint128(&digits, coin.digits);
            sc_ratio_set_fraction(&rest, &coin.remainder, &coin.d);
            sc_integer one;
            sc_integer_init(&one);
            sc_integer_set_int128(&one, 1);
            sc_ratio_set_fraction(&sum, &digits, &one);
            sc_ratio_add(&sum, &sum, &rest);
            sc_ratio_set_fraction(&rest, &two64, &one);
            sc_ratio_div(&sum, &sum, &rest);
            CHECK_INT(sc_ratio_compare(&sum, &p), 0);
            sc_integer_clear(&one);
            sc_integer_clear(&two64);
            sc_integer_clear(&digits);
        }
        const uint64_t words[] = {0, coin.digits - 1, coin.digits + 1, UINT64_MAX};
        for (size_t w = 0; w < 4; w++) {
            sc_tape *tape;
            bool side = false;
            REQUIRE_OK(sc_tape_words(&words[w], 1, &tape, NULL));
            scrim_status status = sc_coin_toss(sc_tape_bits_of(tape), &coin, &side, NULL);
            if (coin.is_sure || words[w] != coin.digits) {
                CHECK_STATUS(status, SCRIM_OK);
                CHECK_INT(side, coin.is_sure || words[w] < coin.digits);
            }
            sc_tape_free(tape);
        }
        sc_ratio_clear(&sum);
        sc_ratio_clear(&rest);
        sc_ratio_clear(&p);
        sc_coin_clear(&coin);
    }
}
