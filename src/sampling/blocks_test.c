#include "exact.h"
#include "goodness.h"
#include "laws.h"
#include "random/bits_tape.h"
#include "sampling/blocks.h"

#include <stdio.h>
#include <string.h>

/* A source whose next word can be chosen. */

typedef struct forced {
    sc_bits bits; /* first */
    sc_bits_supply supply;
    uint64_t word, next;
    bool is_forced;
    sc_tape *rest;
} forced;

static scrim_status refill(sc_bits *bits, scrim_error *error)
{
    forced *f = (forced *)bits;
    scrim_status status = SCRIM_OK;
    if (f->is_forced)
        f->word = f->next;
    else
        status = sc_bits_word(sc_tape_bits_of(f->rest), &f->word, error);
    if (status == SCRIM_OK) {
        f->is_forced = false;
        f->supply.end = &f->word + 1;
        f->supply.left = 1;
    }
    return status;
}

static bool forced_open(forced *f, uint64_t seed)
{
    *f = (forced){.bits = {.refill = refill}};
    f->bits.supply = &f->supply;
    return CHECK_STATUS(sc_tape_seeded(seed, &f->rest, NULL), SCRIM_OK);
}

static void force(forced *f, uint64_t word)
{
    f->next = word;
    f->is_forced = true;
}

/* The laws that are tested. */

typedef struct subject {
    const char *rate;
    sc_blocks_law law;
} subject;

static const subject subjects[] = {
    {"3", {.sides = SC_SIDES_BOTH}},
    {"1", {.sides = SC_SIDES_ONE}},
    {"1/10", {.sides = SC_SIDES_BOTH}},
    {"3/95", {.sides = SC_SIDES_BOTH}}, /* scale 31.7: the widest direct table */
    {"1/32", {.sides = SC_SIDES_BOTH}}, /* the narrowest of blocks */
    {"7/1000", {.sides = SC_SIDES_ONE}},
    {"1e-6", {.sides = SC_SIDES_BOTH}},
    {"2^-60", {.sides = SC_SIDES_BOTH}},
    {"9/2", {.sides = SC_SIDES_BOTH, .is_square = true}},
    {"1/200", {.sides = SC_SIDES_BOTH, .is_square = true}},
    {"1/8192", {.sides = SC_SIDES_BOTH, .is_square = true}}, /* sigma 64 */
    {"1/2000000", {.sides = SC_SIDES_BOTH, .is_square = true}},
    {"2^-121", {.sides = SC_SIDES_BOTH, .is_square = true}},
    {"1/10", {.sides = SC_SIDES_BOTH, .is_bounded = true, .bound = 1000}},
    {"1/1000", {.sides = SC_SIDES_TWICE, .is_bounded = true, .bound = 20000}},
};
enum { SUBJECTS = sizeof subjects / sizeof *subjects };

static bool blocks_of(const subject *s, sc_blocks *out)
{
    sc_ratio rate;
    exact_ratio(s->rate, &rate);
    bool ok = CHECK_STATUS(sc_blocks_init(out, &s->law, &rate, NULL), SCRIM_OK);
    sc_ratio_clear(&rate);
    return ok;
}

/* The law of magnitudes: geometric, or the upper half of a Gaussian. */
static void magnitudes_of(const sc_blocks *b, sc_law *out)
{
    sc_ratio shape, two;
    exact_ratio("1", &shape);
    exact_ratio("2", &two);
    sc_ratio_div(&shape, &shape, &b->rate);
    if (b->law.is_square)
        sc_ratio_div(&shape, &shape, &two);
    sc_law_init(out, b->law.is_square ? &sc_discrete_gaussian_law : &sc_geometric_law,
                &shape, 0);
    sc_ratio_clear(&shape);
    sc_ratio_clear(&two);
}

static sc_int128 magnitude(const sc_blocks *b, sc_int128 value)
{
    return value >= 0 ? value : b->law.sides == SC_SIDES_TWICE ? -1 - value : -value;
}

/* The tail beyond the table. */

/* Every draw begins with a word of ones, which is beyond the last border. What comes of
 * it, unless it is rejected, has the law given that it is beyond the table. */
static void check_tail(const subject *s, uint64_t seed)
{
    enum { BINS = 30 };
    const uint64_t count = check_count(100000, 1000000);
    sc_int128 low[BINS], width = 1;
    uint64_t inside = 0;
    sc_blocks b;
    sc_law law;
    forced source;
    goodness fit;
    REQUIRE(blocks_of(s, &b));
    REQUIRE(b.table.weights.has_rest);
    REQUIRE(forced_open(&source, seed));
    magnitudes_of(&b, &law);
    const sc_int128 edge = (sc_int128)b.count << b.shift;
    if (b.shift > 0) /* an eighth of a scale; of the square, of the sharper fall there */
        width =
            (sc_int128)1 << (b.shift + 1 > 3 ? b.shift - (b.law.is_square ? 1 : 0) : 1);
    for (int i = 0; i < BINS; i++)
        low[i] = edge + i * width;
    REQUIRE(goodness_init_part(&fit, &law, low, BINS,
                               b.law.is_bounded ? (sc_int128)b.law.bound
                                                : (sc_int128)1 << 120));
    for (uint64_t i = 0; i < count; i++) {
        sc_int128 value = 0;
        force(&source, UINT64_MAX - (i & 1)); /* the lowest bit is the sign */
        REQUIRE_OK(sc_blocks_fill_wide(&source.bits, &b, 1, &value, NULL));
        const sc_int128 m = magnitude(&b, value);
        if (m < edge) {
            inside++; /* rejected, and drawn again from honest bits */
            continue;
        }
        CHECK(b.law.sides == SC_SIDES_ONE || (value < 0) == ((i & 1) == 0));
        goodness_count(&fit, &m, 1);
    }
    CHECK(inside < count * 9 / 10);
    if (!CHECK(goodness_holds(&fit)))
        CHECK_FAIL("rate %s: p = %g", s->rate, goodness_p(&fit));
    goodness_clear(&fit);
    sc_law_clear(&law);
    sc_tape_free(source.rest);
    sc_blocks_clear(&b);
}

SLOW_TEST(blocks_tail_has_its_conditional_law)
{
    CLAIM("blocks.exact");
    for (size_t i = 0; i < SUBJECTS; i++)
        check_tail(&subjects[i], check_seed() + i);
}

/* Where the tail begins and what weighs how much: the rest of the table against the law of
 * its blocks, sum over h >= count of the weight of block h over all blocks. */
SLOW_TEST(blocks_table_leaves_the_tail_its_share)
{
    CLAIM("blocks.exact");
    sc_ball share, part, total;
    sc_ball_init(&share);
    sc_ball_init(&part);
    sc_ball_init(&total);
    for (size_t i = 0; i < SUBJECTS; i++) {
        sc_blocks b;
        REQUIRE(blocks_of(&subjects[i], &b));
        const sc_weights *w = &b.table.weights;
        sc_ball_set_int64(&share, 0);
        for (uint32_t h = 0; h < b.count; h++) {
            w->weight(w->context, h, EXACT_BITS, &part);
            sc_ball_add(&share, &share, &part, EXACT_BITS);
        }
        w->total(w->context, EXACT_BITS, &total);
        for (uint32_t h = b.count; h < 60 * b.count + 4000; h++) {
            w->weight(w->context, h, EXACT_BITS, &part);
            sc_ball_add(&share, &share, &part, EXACT_BITS);
        }
        CHECK_SAME(&share, &total, 200);
        sc_blocks_clear(&b);
    }
    sc_ball_clear(&share);
    sc_ball_clear(&part);
    sc_ball_clear(&total);
}

/* Direct tables: the borders are those of the law of |X|. */

/* P(|X| <= i), from the law of X. */
static void inside_of(const sc_law *law, int64_t i, long bits, sc_ball *out)
{
    sc_ball one;
    sc_ball_init(&one);
    sc_ball_set_int64(&one, 1);
    sc_law_at_least(law, i + 1, bits, out);
    sc_ball_mul_power2(out, out, 1);
    sc_ball_sub(out, &one, out, bits);
    sc_ball_clear(&one);
}

/* Draws with the digits of P(|X| <= i) and a third word, one below and one above. */
static void check_ties(const sc_blocks *b, const sc_law *law, uint32_t i)
{
    uint64_t words[3] = {0};
    sc_ball border;
    sc_integer digits, rest, two64;
    sc_ball_init(&border);
    sc_integer_init(&digits);
    sc_integer_init(&rest);
    sc_integer_init(&two64);
    sc_integer_set_uint128(&two64, (sc_uint128)1 << 64);
    inside_of(law, i, 600, &border);
    sc_ball_mul_power2(&border, &border, 63 + 128);
    CHECK(sc_ball_floor(&border, &digits));
    for (size_t j = 3; j-- > 0;) {
        sc_integer_divide(&digits, &rest, &digits, &two64);
        CHECK(sc_integer_get_uint64(&rest, &words[j]));
    }
    for (unsigned negative = 0; negative < 2; negative++)
        for (int more = -1; more <= 1; more += 2) {
            const uint64_t played[] = {words[0] << 1 | negative, words[1],
                                       words[2] + (uint64_t)(int64_t)more};
            const int64_t size = (int64_t)i + (more > 0);
            sc_tape *tape = NULL;
            int64_t value = 0;
            REQUIRE_OK(sc_tape_words(played, 3, &tape, NULL));
            CHECK_STATUS(sc_blocks_fill(sc_tape_bits_of(tape), b, 1, &value, NULL),
                         SCRIM_OK);
            CHECK_INT(value, negative ? -size : size);
            CHECK_INT(sc_tape_words_used(tape), 3);
            sc_tape_free(tape);
        }
    sc_ball_clear(&border);
    sc_integer_clear(&digits);
    sc_integer_clear(&rest);
    sc_integer_clear(&two64);
}

SLOW_TEST(blocks_direct_borders_are_those_of_the_law)
{
    CLAIM("blocks.exact");
    CLAIM("threshold-table.exact");
    static const struct {
        subject subject;
        const sc_law_functions *functions;
        const char *shape;
    } list[] = {
        {{"1/10", {.sides = SC_SIDES_BOTH}}, &sc_discrete_laplace_law, "10"},
        {{"3", {.sides = SC_SIDES_BOTH}}, &sc_discrete_laplace_law, "1/3"},
        {{"9/2", {.sides = SC_SIDES_BOTH, .is_square = true}},
         &sc_discrete_gaussian_law,
         "1/9"},
        {{"1/200", {.sides = SC_SIDES_BOTH, .is_square = true}},
         &sc_discrete_gaussian_law,
         "100"},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        sc_blocks b;
        sc_law law;
        REQUIRE(blocks_of(&list[i].subject, &b));
        CHECK_INT(b.shift, 0);
        exact_law(list[i].functions, list[i].shape, 0, &law);
        for (uint32_t cell = 0; cell + 1 < b.count; cell++)
            check_ties(&b, &law, cell);
        sc_law_clear(&law);
        sc_blocks_clear(&b);
    }
}

/* The coin of a block. */

/* floor(rate exponent / k 2^64) and whether anything is left over, exactly. */
static uint64_t digits_of(const sc_blocks *b, sc_uint128 exponent, uint64_t k, bool *rest)
{
    sc_integer n, d, remainder;
    uint64_t digits = 0;
    sc_integer_init(&n);
    sc_integer_init(&d);
    sc_integer_init(&remainder);
    sc_integer_set_uint128(&n, exponent);
    sc_integer_mul(&n, &n, &b->rate_parts.n);
    sc_integer_shift_left(&n, &n, 64);
    sc_integer_mul_uint64(&d, &b->rate_parts.d, k);
    sc_integer_divide(&n, &remainder, &n, &d);
    CHECK(sc_integer_get_uint64(&n, &digits));
    *rest = sc_integer_sign(&remainder) > 0;
    sc_integer_clear(&n);
    sc_integer_clear(&d);
    sc_integer_clear(&remainder);
    return digits;
}

static bool below(const sc_blocks *b, sc_uint128 exponent, uint64_t k, uint64_t word)
{
    sc_tape *tape = NULL;
    bool out = false;
    if (CHECK_STATUS(sc_tape_constant(0, &tape, NULL), SCRIM_OK))
        CHECK_STATUS(
            sc_blocks_below(sc_tape_bits_of(tape), b, exponent, k, word, &out, NULL),
            SCRIM_OK);
    sc_tape_free(tape);
    return out;
}

SLOW_TEST(blocks_coin_compares_exactly)
{
    CLAIM("blocks.exact");
    for (size_t i = 0; i < SUBJECTS; i++) {
        sc_blocks b;
        REQUIRE(blocks_of(&subjects[i], &b));
        const uint64_t length = (uint64_t)1 << b.shift;
        for (uint64_t part = 1; b.shift > 0 && part <= 64; part++) {
            const uint64_t offset = length - 1 - (length - 1) / part;
            sc_uint128 exponent = offset;
            if (b.law.is_square)
                exponent *= 2 * ((sc_uint128)(b.count - 1) << b.shift) + offset;
            for (uint64_t k = 1; k < 6; k++) {
                bool rest = false;
                const uint64_t digits = digits_of(&b, exponent, k, &rest);
                for (uint64_t gap = 1; gap < 20; gap++) {
                    CHECK(digits < gap || below(&b, exponent, k, digits - gap));
                    CHECK(!below(&b, exponent, k, digits + gap));
                }
                /* A tie is settled by a uniform number of zeros: below, if anything is
                 * left. */
                CHECK_INT(below(&b, exponent, k, digits), rest);
            }
        }
        sc_blocks_clear(&b);
    }
}

/* The run of many draws leaves to the single draw whatever is not plain. The words: the last
 * block of the table, an offset, a coin around the border, and more where the coin goes on. */

#define PLAYED_WORDS 600

static scrim_status no_more(sc_bits *bits, scrim_error *error)
{
    (void)bits;
    return sc_fail(error, SCRIM_E_ENTROPY, "no more words");
}

/* Both from the same words: the same draw, and as many words left. */
static bool is_same_in_a_run(const sc_blocks *b, const uint64_t played[PLAYED_WORDS])
{
    uint64_t words[PLAYED_WORDS], twins[PLAYED_WORDS];
    memcpy(words, played, sizeof words);
    memcpy(twins, played, sizeof twins);
    sc_bits_supply supply = {.left = PLAYED_WORDS, .end = words + PLAYED_WORDS};
    sc_bits_supply twin_supply = {.left = PLAYED_WORDS, .end = twins + PLAYED_WORDS};
    sc_bits bits = {&supply, no_more}, twin = {&twin_supply, no_more};
    int64_t got = 0;
    sc_int128 want = 0;
    return sc_blocks_fill(&bits, b, 1, &got, NULL) == SCRIM_OK &&
           sc_blocks_fill_wide(&twin, b, 1, &want, NULL) == SCRIM_OK && got == want &&
           supply.left == twin_supply.left;
}

/* At the end of the last block of the table, where rate times exponent is largest. */
static void check_run(const sc_blocks *b, uint64_t played[PLAYED_WORDS])
{
    const uint64_t last = b->count - 1, length = (uint64_t)1 << b->shift;
    const uint64_t u = b->table.first[last] - 1;
    REQUIRE(sc_threshold_table_scan(&b->table, u) == last);
    for (size_t i = 3; i < PLAYED_WORDS; i++) {
        const uint64_t offset = length - 1 - played[i] % (length / 64 + 1);
        sc_uint128 exponent = offset;
        bool rest = false;
        if (b->law.is_square)
            exponent *= 2 * ((sc_uint128)last << b->shift) + offset;
        const uint64_t digits = digits_of(b, exponent, 1, &rest);
        CHECK_INT(below(b, exponent, 1, digits), rest);
        CHECK(below(b, exponent, 1, digits - 1));
        played[0] = u << 1;
        played[1] = offset;
        for (played[2] = digits - 12; played[2] != digits + 12; played[2]++)
            if (!CHECK(is_same_in_a_run(b, played)))
                CHECK_FAIL("offset %llu, coin %d", (unsigned long long)offset,
                           (int)(played[2] - digits));
    }
}

SLOW_TEST(blocks_in_a_run_are_those_drawn_one_by_one)
{
    CLAIM("blocks.exact");
    /* Above sigma = 2^32 the exponent is rounded like the rate. The last rate is chosen: its
     * first 64 digits, little more than 2^63, are too low by 0.98, and the product by more
     * than 1. */
    static const subject list[] = {
        {"1/12345678901", {.sides = SC_SIDES_BOTH}},
        {"1/8195", {.sides = SC_SIDES_BOTH, .is_square = true}},
        {"1/2000000000003", {.sides = SC_SIDES_BOTH, .is_square = true}},
        {"1/4835489278458516698824697", {.sides = SC_SIDES_BOTH, .is_square = true}},
    };
    uint64_t played[PLAYED_WORDS];
    sc_tape *tape = NULL;
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    for (size_t i = 0; i < PLAYED_WORDS; i++)
        REQUIRE_OK(sc_bits_word(sc_tape_bits_of(tape), &played[i], NULL));
    sc_tape_free(tape);
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        sc_blocks b;
        REQUIRE(blocks_of(&list[i], &b));
        REQUIRE(b.shift > 0 && b.is_narrow);
        check_run(&b, played);
        sc_blocks_clear(&b);
    }
}

TEST(blocks_coin_has_its_probability)
{
    const uint64_t count = check_count(300000, 3000000);
    static const uint64_t offsets[] = {0, 1, 4000, 20000, 32767};
    sc_blocks b;
    sc_tape *tape = NULL;
    sc_ball p;
    sc_ball_init(&p);
    REQUIRE(blocks_of(&subjects[6], &b)); /* scale 10^6, blocks of 2^15 */
    CHECK_INT(b.shift, 15);
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    for (size_t i = 0; i < sizeof offsets / sizeof *offsets; i++) {
        uint64_t seen[2] = {0};
        for (uint64_t j = 0; j < count; j++) {
            bool side = false;
            REQUIRE_OK(
                sc_blocks_coin(sc_tape_bits_of(tape), &b, offsets[i], &side, NULL));
            seen[side]++;
        }
        sc_ball_set_ratio(&p, &b.rate, 128);
        sc_ball_mul_int64(&p, &p, -(int64_t)offsets[i], 128);
        sc_ball_exp(&p, &p, 128);
        const double kept = goodness_middle(&p), odds[2] = {1 - kept, kept};
        CHECK(laws_chi_square(seen, odds, 2) > LAWS_FALSE_ALARM);
    }
    sc_tape_free(tape);
    sc_blocks_clear(&b);
    sc_ball_clear(&p);
}

/* Sizes. */

/* By its shape a law has the rate 1 / scale, or 1 / (2 variance). */
TEST(blocks_of_a_shape_have_its_rate)
{
    static const struct {
        bool is_square;
        const char *shape, *rate;
    } list[] = {{false, "7/3", "3/7"}, {true, "7/3", "3/14"}, {false, "1/5", "5"}};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        const sc_blocks_law law = {.sides = SC_SIDES_BOTH,
                                   .is_square = list[i].is_square};
        sc_blocks blocks;
        sc_ratio shape, rate;
        exact_ratio(list[i].shape, &shape);
        exact_ratio(list[i].rate, &rate);
        REQUIRE_OK(sc_blocks_init_shape(&blocks, &law, &shape, NULL));
        CHECK_INT(sc_ratio_compare(&blocks.rate, &rate), 0);
        sc_blocks_clear(&blocks);
        sc_ratio_clear(&rate);
        sc_ratio_clear(&shape);
    }
}

TEST(blocks_know_what_is_narrow_and_what_is_too_wide)
{
    static const struct {
        const char *rate;
        bool is_square, is_narrow;
        scrim_status status;
    } list[] = {
        {"2^-47", false, true, SCRIM_OK},
        {"2^-48", false, false, SCRIM_OK},
        {"2^-60", false, false, SCRIM_OK},
        {"1/1152921504606846977", false, false, SCRIM_E_LIMIT},
        {"2^-61", false, false, SCRIM_E_LIMIT},
        {"2^-70", false, false, SCRIM_E_LIMIT},
        {"2^-95", true, true, SCRIM_OK},
        {"2^-97", true, false, SCRIM_OK},
        {"2^-121", true, false, SCRIM_OK},
        {"2^-123", true, false, SCRIM_E_LIMIT},
        {"2^60", false, true, SCRIM_OK},
        {"2^120", true, true, SCRIM_OK},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        const sc_blocks_law law = {.sides = SC_SIDES_BOTH,
                                   .is_square = list[i].is_square};
        sc_blocks b;
        sc_ratio rate;
        exact_ratio(list[i].rate, &rate);
        scrim_status status = sc_blocks_init(&b, &law, &rate, NULL);
        if (!CHECK_STATUS(status, list[i].status))
            CHECK_FAIL("rate %s", list[i].rate);
        if (status == SCRIM_OK) {
            CHECK_INT(b.is_narrow, list[i].is_narrow);
            sc_blocks_clear(&b);
        }
        sc_ratio_clear(&rate);
    }
}

TEST(blocks_refuse_to_draw_wide_noise_as_narrow)
{
    sc_blocks b;
    sc_tape *tape = NULL;
    int64_t value = 42;
    REQUIRE(blocks_of(&subjects[7], &b));
    REQUIRE_OK(sc_tape_seeded(1, &tape, NULL));
    CHECK_STATUS(sc_blocks_fill(sc_tape_bits_of(tape), &b, 1, &value, NULL),
                 SCRIM_E_INTERNAL);
    CHECK_INT(value, 42);
    CHECK_INT(sc_tape_used(tape), 0);
    sc_tape_free(tape);
    sc_blocks_clear(&b);
}
