/* Wide noise, and streams of bits that nobody should trust (THREATS A05). */
#include "check.h"
#include "goodness.h"
#include "laws.h"
#include "random/bits_tape.h"
#include "sampling/distribution_tape.h"

#include <stdio.h>
#include <string.h>

/* Noise beyond 64 bits. */

typedef scrim_status road(const scrim_distribution *d, sc_bits *bits, size_t count,
                          sc_int128 *out, scrim_error *error);

/* How often |X| is above 2^63, against the law. */
static void check_far(const char *text, road *by, uint64_t count)
{
    enum { CHUNK = 1000 };
    static sc_int128 values[CHUNK];
    const sc_int128 edge = (sc_int128)1 << 63;
    scrim_distribution *d = NULL;
    sc_tape *tape = NULL;
    uint64_t seen[2] = {0};
    sc_ball below, above;
    REQUIRE_OK(scrim_distribution_parse(text, &d, NULL));
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    CHECK(!scrim_distribution_is_narrow(d));
    for (uint64_t done = 0; done < count; done += CHUNK) {
        REQUIRE_OK(by(d, sc_tape_bits_of(tape), CHUNK, values, NULL));
        for (size_t i = 0; i < CHUNK; i++)
            seen[values[i] > edge || values[i] < -edge]++;
    }
    sc_ball_init(&below);
    sc_ball_init(&above);
    sc_law_at_most(&d->law, -edge - 1, 128, &below);
    sc_law_at_least(&d->law, edge + 1, 128, &above);
    sc_ball_add(&above, &above, &below, 128);
    const double p = goodness_middle(&above), odds[2] = {1 - p, p};
    CHECK(seen[1] > 10);
    if (!CHECK(laws_chi_square(seen, odds, 2) > LAWS_FALSE_ALARM))
        CHECK_FAIL("%s: %g of them seen, %g expected", text,
                   (double)seen[1] / (double)(seen[0] + seen[1]), p);
    sc_ball_clear(&below);
    sc_ball_clear(&above);
    sc_tape_free(tape);
    scrim_distribution_free(d);
}

SLOW_TEST(wide_noise_goes_beyond_64_bits_as_often_as_it_should)
{
    CLAIM("blocks.exact");
    CLAIM("discrete-laplace.exact");
    const uint64_t many = check_count_whole(500000, 10000000),
                   few = check_count_whole(50000, 1000000);
    check_far("discrete-laplace scale=2^60", sc_distribution_fill_wide, many); /* e^-8 */
    check_far("discrete-laplace scale=2^60", sc_distribution_reference, few * 2);
    check_far("geometric scale=2^60", sc_distribution_fill_wide, many);
    check_far("geometric scale=2^60", sc_distribution_reference, few * 2);
    /* 2^63 is 2^3.5 sigma of 2^59.5: too far; a uniform number is there at once. */
    check_far("uniform n=2^65", sc_distribution_fill_wide, few);
    check_far("uniform n=2^65", sc_distribution_reference, few);
}

TEST(noise_too_wide_is_refused_before_anything_is_drawn)
{
    static const char *const list[] = {"discrete-laplace scale=2^61",
                                       "discrete-laplace scale=2^62",
                                       "discrete-laplace scale=2^70",
                                       "discrete-laplace scale=1152921504606846977",
                                       "geometric scale=2^62",
                                       "geometric scale=2^70",
                                       "discrete-gaussian variance=2^121",
                                       "discrete-gaussian variance=2^124",
                                       "discrete-gaussian variance=2^140",
                                       "truncated-laplace scale=2^62 bound=5",
                                       "truncated-laplace scale=5 bound=2^61",
                                       "clamped-laplace scale=2^70 bound=5",
                                       "clamped-laplace scale=5 bound=2^70",
                                       "shifted-laplace epsilon=2^-62 q=5",
                                       "shifted-laplace epsilon=1 q=2^61",
                                       "uniform n=2^121"};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        scrim_distribution *d = NULL;
        scrim_error error = {.status = SCRIM_OK};
        CHECK_STATUS(scrim_distribution_parse(list[i], &d, &error), SCRIM_E_LIMIT);
        CHECK_INT(error.status, SCRIM_E_LIMIT);
        CHECK(strstr(error.message, "the limit 1.") != NULL ||
              strstr(error.message, "the limit 8.7e-19") != NULL);
        CHECK(d == NULL);
    }
}

TEST(narrow_draws_of_wide_noise_are_refused_before_anything_is_drawn)
{
    static const char *const list[] = {
        "discrete-laplace scale=2^48", "discrete-laplace scale=2^60",
        "geometric scale=2^60", "discrete-gaussian variance=2^96",
        "uniform n=9223372036854775809"};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        scrim_distribution *d = NULL;
        scrim_error error = {.status = SCRIM_OK};
        sc_tape *tape = NULL;
        int64_t out[3] = {1, 2, 3};
        scrim_wide wide[3];
        REQUIRE_OK(scrim_distribution_parse(list[i], &d, &error));
        REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
        sc_distribution_use_bits(d, sc_tape_bits_of(tape));
        CHECK_INT(scrim_distribution_is_narrow(d), 0);
        CHECK_STATUS(scrim_distribution_draw(d, 3, out, &error), SCRIM_E_LIMIT);
        CHECK_INT(sc_tape_used(tape), 0);
        CHECK(strstr(error.message, "wide") != NULL);
        CHECK_STATUS(scrim_distribution_draw_wide(d, 3, wide, &error), SCRIM_OK);
        CHECK(sc_tape_used(tape) > 0);
        scrim_distribution_free(d);
        sc_tape_free(tape);
    }
}

/* Streams. */

/* A pattern of words for ever, with or without a seeded tape mixed in; counts them. */
typedef struct stream {
    sc_bits bits; /* first */
    sc_bits_supply supply;
    uint64_t word;
    const uint64_t *pattern;
    size_t period;
    uint64_t given;
    sc_tape *tape; /* NULL: the pattern alone */
    int mixing;    /* words of the tape joined by "and" (> 0) or by "or" (< 0) */
} stream;

static scrim_status refill(sc_bits *bits, scrim_error *error)
{
    stream *s = (stream *)bits;
    s->word = s->pattern[s->given++ % s->period];
    for (int i = 0; i < (s->mixing < 0 ? -s->mixing : s->mixing); i++) {
        uint64_t more = 0;
        scrim_status status = sc_bits_word(sc_tape_bits_of(s->tape), &more, error);
        if (status != SCRIM_OK)
            return status;
        s->word = s->mixing > 0 ? s->word & more : s->word | more;
    }
    s->supply.end = &s->word + 1;
    s->supply.left = 1;
    return SCRIM_OK;
}

static void stream_init(stream *s, const uint64_t *pattern, size_t period)
{
    *s = (stream){.bits = {.refill = refill}, .pattern = pattern, .period = period};
    s->bits.supply = &s->supply;
}

static const char *const lines[] = {
    "uniform n=1",
    "uniform n=3",
    "uniform n=9223372036854775809",
    "uniform n=18446744073709551615",
    "uniform n=2^64",
    "uniform n=1152921504606846976000000000000001",
    "uniform n=2^120",
    "bernoulli p=0",
    "bernoulli p=1",
    "bernoulli p=1/3",
    "bernoulli p=2^-200",
    "bernoulli-exp x=0",
    "bernoulli-exp x=1/3",
    "bernoulli-exp x=2^60",
    "bernoulli-exp x=2^-60",
    "geometric scale=2^-60",
    "geometric scale=1/3",
    "geometric scale=10",
    "geometric scale=1e6",
    "geometric scale=2^40",
    "geometric scale=2^60",
    "discrete-laplace scale=2^-60",
    "discrete-laplace scale=1/3",
    "discrete-laplace scale=10",
    "discrete-laplace scale=1e6",
    "discrete-laplace scale=2^40",
    "discrete-laplace scale=1152921504606846975/7",
    "discrete-laplace scale=2^60",
    "discrete-gaussian variance=2^-120",
    "discrete-gaussian variance=1/9",
    "discrete-gaussian variance=100",
    "discrete-gaussian variance=1e12",
    "discrete-gaussian variance=2^80",
    "discrete-gaussian variance=2^120",
    "truncated-laplace scale=1/3 bound=1",
    "truncated-laplace scale=10 bound=30",
    "truncated-laplace scale=1e6 bound=2^60",
    "truncated-laplace scale=2^60 bound=1",
    "truncated-laplace scale=2^60 bound=2^60",
    "clamped-laplace scale=1/3 bound=1",
    "clamped-laplace scale=10 bound=30",
    "clamped-laplace scale=2^60 bound=2^60",
    "shifted-laplace epsilon=3 q=1",
    "shifted-laplace epsilon=0.1 q=50",
    "shifted-laplace epsilon=2^-60 q=1",
    "shifted-laplace epsilon=2^60 q=2^60",
    "shifted-laplace epsilon=2^-60 q=2^60",
};
enum { LINES = sizeof lines / sizeof *lines, WORDS_MAX = 1 << 22 };

/* One draw from a stream: in time, and inside the support or not at all. */
static void check_draw(const scrim_distribution *d, road *by, stream *s)
{
    const sc_int128 untouched = (sc_int128)77 << 100;
    sc_int128 low, high, value = untouched, sum = 0;
    scrim_error error = {.status = SCRIM_OK};
    const uint64_t before = s->given;
    scrim_status status = by(d, &s->bits, 1, &value, &error);
    d->law.functions->support(&d->law, &low, &high);
    bool ok = CHECK(status == SCRIM_OK || status == SCRIM_E_ENTROPY) &&
              CHECK(s->given - before < WORDS_MAX);
    if (status == SCRIM_OK) {
        /* A sum with any 64-bit count does not wrap; narrow draws are narrow. */
        ok = CHECK(value >= low && value <= high) && ok;
        ok = CHECK(value < (sc_int128)1 << 120 && value > -((sc_int128)1 << 120)) && ok;
        ok = CHECK(sc_int128_add(value, INT64_MAX - 1, &sum) && sum > value) && ok;
        ok = CHECK(sc_int128_add(value, INT64_MIN + 1, &sum) && sum < value) && ok;
        ok = CHECK(!d->is_narrow || (value <= INT64_MAX && value >= INT64_MIN)) && ok;
    } else {
        ok = CHECK(value == untouched) && CHECK(error.status == SCRIM_E_ENTROPY) && ok;
    }
    if (!ok)
        CHECK_FAIL("%s, %s road, first word %llx, period %zu, status %d, %llu words",
                   d->text, by == sc_distribution_reference ? "reference" : "fast",
                   (unsigned long long)s->pattern[0], s->period, (int)status,
                   (unsigned long long)(s->given - before));
}

static void check_stream(const uint64_t *pattern, size_t period, int mixing)
{
    for (size_t i = 0; i < LINES; i++) {
        scrim_distribution *d = NULL;
        stream s;
        stream_init(&s, pattern, period);
        s.mixing = mixing;
        if (mixing != 0)
            REQUIRE_OK(sc_tape_seeded(check_seed() + i, &s.tape, NULL));
        REQUIRE_OK(scrim_distribution_parse(lines[i], &d, NULL));
        for (uint64_t times = mixing == 0 ? 3 : check_count(20, 1000); times > 0;
             times--) {
            check_draw(d, sc_distribution_fill_wide, &s);
            check_draw(d, sc_distribution_reference, &s);
        }
        scrim_distribution_free(d);
        sc_tape_free(s.tape);
    }
}

SLOW_TEST(streams_of_a_pattern_end_in_a_draw_or_in_an_error)
{
    static const struct {
        uint64_t words[3];
        size_t period;
    } list[] = {
        {{0}, 1},
        {{UINT64_MAX}, 1},
        {{0x5555555555555555}, 1},
        {{0xaaaaaaaaaaaaaaaa}, 1},
        {{1}, 1},
        {{UINT64_MAX - 1}, 1},
        {{(uint64_t)1 << 63}, 1},
        {{INT64_MAX}, 1},
        {{0x00000000ffffffff}, 1},
        {{0xffffffff00000000}, 1},
        {{0x0101010101010101}, 1},
        {{0, UINT64_MAX}, 2},
        {{UINT64_MAX, 0}, 2},
        {{0, 0, UINT64_MAX}, 3},
        {{UINT64_MAX, UINT64_MAX, 0}, 3},
        {{UINT64_MAX, 0, 0}, 3},
        {{UINT64_MAX, 0x5555555555555555, 0}, 3},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i += check_every(8))
        check_stream(list[i].words, list[i].period, 0);
}

/* Random words with few ones, and with few zeros. */
SLOW_TEST(streams_with_a_bias_end_in_a_draw_or_in_an_error)
{
    static const uint64_t ones = UINT64_MAX, zeros = 0;
    for (int words = 2; words <= 8; words += 2) {
        check_stream(&ones, 1, words);
        check_stream(&zeros, 1, -words);
    }
}

/* A source that ends after every number of words in turn: nothing is released then. */
SLOW_TEST(streams_that_end_early_release_nothing)
{
    static uint64_t words[40];
    sc_tape *source = NULL;
    REQUIRE_OK(sc_tape_seeded(check_seed(), &source, NULL));
    for (size_t i = 0; i < 40; i++)
        REQUIRE_OK(sc_bits_word(sc_tape_bits_of(source), &words[i], NULL));
    sc_tape_free(source);
    for (size_t i = 0; i < LINES; i++)
        for (size_t length = 0; length < 40; length++) {
            enum { COUNT = 64 };
            scrim_distribution *d = NULL;
            scrim_wide out[COUNT], zeros[COUNT];
            sc_tape *tape = NULL;
            REQUIRE_OK(scrim_distribution_parse(lines[i], &d, NULL));
            REQUIRE_OK(sc_tape_words(words, length, &tape, NULL));
            sc_distribution_use_bits(d, sc_tape_bits_of(tape));
            memset(out, 0x5a, sizeof out);
            memset(zeros, 0, sizeof zeros);
            scrim_status status = scrim_distribution_draw_wide(d, COUNT, out, NULL);
            CHECK(status == SCRIM_OK || status == SCRIM_E_ENTROPY);
            if (status != SCRIM_OK)
                CHECK_BYTES(out, zeros, sizeof out);
            if (scrim_distribution_is_narrow(d)) {
                int64_t narrow[COUNT];
                memset(narrow, 0x5a, sizeof narrow);
                status = scrim_distribution_draw(d, COUNT, narrow, NULL);
                CHECK(status == SCRIM_OK || status == SCRIM_E_ENTROPY);
                if (status != SCRIM_OK)
                    CHECK_BYTES(narrow, zeros, sizeof narrow);
            }
            scrim_distribution_free(d);
            sc_tape_free(tape);
        }
}

/* The sum with a count at the end of 64 bits. */

TEST(counts_at_the_end_of_64_bits_take_noise_without_a_wrap)
{
    const sc_int128 counts[] = {INT64_MAX - 1, INT64_MIN + 1};
    scrim_distribution *d = NULL;
    sc_tape *tape = NULL;
    uint64_t beyond = 0;
    REQUIRE_OK(scrim_distribution_parse("discrete-laplace scale=2^60", &d, NULL));
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    for (int i = 0; i < 100000; i++) {
        sc_int128 noise = 0, sum = 0;
        const sc_int128 count = counts[i & 1];
        int64_t narrow;
        REQUIRE_OK(sc_distribution_fill_wide(d, sc_tape_bits_of(tape), 1, &noise, NULL));
        CHECK(sc_int128_add(count, noise, &sum));
        CHECK(sum - count == noise);
        beyond += !sc_int128_to_int64(sum, &narrow);
    }
    CHECK(beyond > 45000 && beyond < 55000); /* half of the noise leads outwards */
    sc_tape_free(tape);
    scrim_distribution_free(d);
}
