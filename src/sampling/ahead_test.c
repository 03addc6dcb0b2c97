#include "base/checked.h"
#include "check.h"
#include "random/bits_tape.h"
#include "sampling/ahead.h"
#include "sampling/discrete_gaussian.h"

/* The ends of the chunks below n, one after the other. */
static uint64_t ends_of(uint64_t n, uint64_t string)
{
    const unsigned width = sc_bit_length64(n - 1);
    uint64_t ends = 0;
    for (unsigned end = width; end <= SC_AHEAD_BITS; end += width) {
        uint64_t chunk = string >> (end - width) & (((uint64_t)1 << width) - 1);
        if (chunk < n)
            ends |= (uint64_t)1 << end;
    }
    return ends;
}

static void check_string(const sc_range *range, uint64_t string)
{
    const uint64_t ends = ends_of(range->n, string);
    if (!CHECK(sc_range_ends(range, string) == ends))
        CHECK_FAIL("n %llu", (unsigned long long)range->n);
    if (ends == 0)
        return;
    const unsigned end = (unsigned)__builtin_ctzll(ends);
    CHECK(sc_range_chunk(range, string, end) < range->n);
    CHECK(range->span >= end && range->span + range->width > SC_AHEAD_BITS);
}

TEST(ranges_find_the_chunks_below_n)
{
    CLAIM("range.same");
    static const uint64_t list[] = {
        2,  3,  4,   5,    7,    8,       9,       11,
        16, 17, 100, 4096, 4097, 1000001, 1 << 28, (uint64_t)1 << 55};
    sc_tape *tape = NULL;
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        for (unsigned k = 1; k <= 2; k++) {
            sc_range range;
            sc_range_init(&range, list[i] * k);
            check_string(&range, 0);
            check_string(&range, UINT64_MAX);
            for (int times = 0; times < 500; times++) {
                uint64_t string = 0;
                REQUIRE_OK(sc_bits_word(sc_tape_bits_of(tape), &string, NULL));
                check_string(&range, string);
            }
        }
    sc_tape_free(tape);
}

/* Every string of a few chunks, where n is small. */
TEST(ranges_find_the_chunks_of_every_short_string)
{
    CLAIM("range.same");
    for (uint64_t n = 2; n <= 17; n++) {
        sc_range range;
        sc_range_init(&range, n);
        for (uint64_t string = 0; string < 1 << 12; string++)
            check_string(&range, string | string << 44);
    }
}

TEST(ranges_are_sparse_where_many_chunks_are_refused)
{
    static const struct {
        uint64_t n;
        bool is_sparse;
    } list[] = {{1, false},      {2, false},      {3, true},       {4, false},
                {11, true},      {15, false},     {129, true},     {131073, true},
                {262143, false}, {262145, false}, {1000001, false}};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        sc_range range;
        sc_range_init(&range, list[i].n);
        CHECK_INT(range.is_sparse, list[i].is_sparse);
    }
}

#define WINDOW_MAX 300
#define FILL_MAX ((size_t)40)

/* The words of a tape, some at a time, as production hands them out; a tape by itself hands out
 * one at a time, and leaves nothing to read ahead but the rest of that one. */
typedef struct stretch {
    sc_bits bits;
    sc_bits_supply supply;
    sc_tape *tape;
    size_t size;
    uint64_t words[WINDOW_MAX];
} stretch;

static scrim_status stretch_refill(sc_bits *bits, scrim_error *error)
{
    stretch *self = (stretch *)bits;
    for (size_t i = 0; i < self->size; i++) {
        scrim_status status =
            sc_bits_word(sc_tape_bits_of(self->tape), &self->words[i], error);
        if (status != SCRIM_OK)
            return status;
    }
    self->supply.end = self->words + self->size;
    self->supply.left = self->size;
    return SCRIM_OK;
}

static void stretch_init(stretch *s, sc_tape *tape, size_t size)
{
    *s = (stretch){.bits = {&s->supply, stretch_refill}, .tape = tape, .size = size};
}

static uint64_t stretch_used(const stretch *s)
{
    return sc_tape_used(s->tape) - 64 * s->supply.left - s->supply.held;
}

typedef struct sampler {
    bool is_gaussian;
    sc_fraction scale;
    sc_gaussian gaussian;
} sampler;

static void sampler_init(sampler *s, bool is_gaussian, const char *parameter)
{
    sc_ratio value;
    sc_ratio_init(&value);
    REQUIRE_OK(sc_ratio_parse(sc_text_of(parameter), &value, NULL));
    s->is_gaussian = is_gaussian;
    sc_fraction_init(&s->scale, &value);
    sc_gaussian_init(&s->gaussian, &value);
    sc_ratio_clear(&value);
}

static void sampler_clear(sampler *s)
{
    sc_fraction_clear(&s->scale);
    sc_gaussian_clear(&s->gaussian);
}

static scrim_status sampler_draw(const sampler *s, sc_bits *bits, sc_int128 *out,
                                 scrim_error *error)
{
    return s->is_gaussian ? sc_discrete_gaussian_reference(bits, &s->gaussian, out, error)
                          : sc_discrete_laplace_reference(bits, &s->scale, out, error);
}

static scrim_status sampler_fill(const sampler *s, sc_bits *bits, size_t count,
                                 sc_int128 *out)
{
    return s->is_gaussian
               ? sc_discrete_gaussian_reference_fill(bits, &s->gaussian, count, out, NULL)
               : sc_discrete_laplace_reference_fill(bits, &s->scale, count, out, NULL);
}

/* The reference, of its primitives alone, which know nothing of reading ahead. */
static scrim_status plain_laplace(const sc_fraction *scale, sc_bits *bits, sc_int128 *out)
{
    if (!scale->is_small)
        return sc_discrete_laplace_reference(bits, scale, out, NULL);
    bool accepted = false;
    int64_t value = 0;
    scrim_status status = SCRIM_OK;
    while (status == SCRIM_OK && !accepted)
        status = sc_discrete_laplace_turn(bits, scale->n64, scale->d64, &accepted, &value,
                                          NULL);
    *out = value;
    return status;
}

static scrim_status plain_draw(const sampler *s, sc_bits *bits, sc_int128 *out)
{
    if (!s->is_gaussian)
        return plain_laplace(&s->scale, bits, out);
    bool accepted = false;
    scrim_status status = SCRIM_OK;
    while (status == SCRIM_OK && !accepted) {
        status = plain_laplace(&s->gaussian.proposal, bits, out);
        if (status == SCRIM_OK)
            status =
                sc_discrete_gaussian_accept(bits, &s->gaussian, *out, &accepted, NULL);
    }
    return status;
}

/* count draws, and as many of the twin: the same values, and the same bits taken. */
static bool is_same(const sampler *s, stretch *source, sc_tape *twin, size_t count)
{
    sc_int128 got[FILL_MAX] = {0}, want = 0;
    bool same = sampler_fill(s, &source->bits, count, got) == SCRIM_OK;
    for (size_t i = 0; i < count; i++)
        same = same && plain_draw(s, sc_tape_bits_of(twin), &want) == SCRIM_OK &&
               got[i] == want;
    return same && stretch_used(source) == sc_tape_used(twin);
}

static void compare(const sampler *s, size_t size, const char *name)
{
    static const size_t counts[] = {1, 3, FILL_MAX, 0};
    sc_tape *tape = NULL, *twin = NULL;
    stretch source;
    REQUIRE_OK(sc_tape_seeded(check_seed() + size, &tape, NULL));
    REQUIRE_OK(sc_tape_seeded(check_seed() + size, &twin, NULL));
    stretch_init(&source, tape, size);
    size_t calls = check_count(300, 10000);
    for (size_t i = 0; i < calls; i++)
        if (!is_same(s, &source, twin, counts[i % 4])) {
            CHECK_FAIL("%s %s, supplies of %zu words: call %zu differs",
                       s->is_gaussian ? "gaussian" : "laplace", name, size, i);
            break;
        }
    sc_tape_free(tape);
    sc_tape_free(twin);
}

/* Narrow and wide integers, even and uneven ranges, fractions, many whole coins (variance
 * 1/50), a square that would wrap to 0
 * (4/(2^30 + 1), |y| = 4: m = 2^32), borders between the widths (2^24,
 * 2^27), and numbers too wide to be read ahead. */
static const char *const parameters[] = {
    "1",    "2",    "1/3",  "7/3",  "10",           "25/4", "1/50", "65537",
    "100",  "1e4",  "2^24", "1e6",  "1e8",          "1e9",  "1e10", "1e12",
    "1e14", "1e16", "2^40", "1e22", "4/1073741825", "2^27"};

TEST(draws_read_ahead_are_those_of_the_reference)
{
    CLAIM("ahead.same");
    CLAIM("gaussian-ahead.same");
    static const size_t sizes[] = {1, 2, 5, WINDOW_MAX};
    for (size_t i = 0; i < sizeof parameters / sizeof *parameters; i++)
        for (int is_gaussian = 0; is_gaussian < 2; is_gaussian++) {
            sampler s = {0};
            sampler_init(&s, is_gaussian, parameters[i]);
            for (size_t j = 0; j < sizeof sizes / sizeof *sizes; j++)
                compare(&s, sizes[j], parameters[i]);
            sampler_clear(&s);
        }
}

/* Ten words that begin with a string, as a supply and as a tape. */
#define SHORT_WORDS 10

typedef struct short_tape {
    uint64_t words[SHORT_WORDS], given[SHORT_WORDS];
    sc_bits_supply supply;
    sc_bits bits;
} short_tape;

static scrim_status no_more(sc_bits *bits, scrim_error *error)
{
    (void)bits;
    return sc_fail(error, SCRIM_E_ENTROPY, "no more words");
}

static void short_tape_init(short_tape *t, const uint64_t words[SHORT_WORDS])
{
    for (size_t i = 0; i < SHORT_WORDS; i++)
        t->words[i] = t->given[i] = words[i];
    t->supply = (sc_bits_supply){.left = SHORT_WORDS, .end = t->given + SHORT_WORDS};
    t->bits = (sc_bits){&t->supply, no_more};
}

/* One draw read ahead, if the bits suffice, and one by the reference. */
static bool is_drawn_alike(const sampler *s, short_tape *t, bool *is_drawn)
{
    sc_int128 got = 77, want = 0;
    sc_tape *twin = NULL;
    size_t drawn = sc_gaussian_ahead_fill(&t->bits, &s->gaussian.ahead, 1, &got);
    uint64_t used = 64 * (SHORT_WORDS - t->supply.left) - t->supply.held;
    if (!CHECK_STATUS(sc_tape_words(t->words, SHORT_WORDS, &twin, NULL), SCRIM_OK))
        return false;
    bool same = drawn == 0 ? used == 0
                           : plain_draw(s, sc_tape_bits_of(twin), &want) == SCRIM_OK &&
                                 got == want && used == sc_tape_used(twin);
    sc_tape_free(twin);
    *is_drawn = drawn == 1;
    return same;
}

/* Every string of the first bits, and random ones after them. */
static void play_strings(const char *variance, unsigned bits, uint64_t seed)
{
    sampler s = {0};
    sc_tape *tape = NULL;
    size_t drawn = 0;
    sampler_init(&s, true, variance);
    REQUIRE_OK(sc_tape_seeded(seed, &tape, NULL));
    for (uint64_t string = 0; string >> bits == 0; string++) {
        uint64_t words[SHORT_WORDS] = {0};
        short_tape t;
        bool is_drawn = false;
        for (size_t i = 0; i < SHORT_WORDS; i++)
            REQUIRE_OK(sc_bits_word(sc_tape_bits_of(tape), &words[i], NULL));
        words[0] = words[0] << bits | string;
        short_tape_init(&t, words);
        if (!is_drawn_alike(&s, &t, &is_drawn)) {
            CHECK_FAIL("variance %s: string %llu differs", variance,
                       (unsigned long long)string);
            break;
        }
        drawn += is_drawn;
    }
    /* Ten words are enough for nearly all. */
    CHECK(10 * drawn > ((size_t)9 << bits));
    sc_tape_free(tape);
    sampler_clear(&s);
}

TEST(gaussian_draws_read_ahead_are_those_of_the_reference_on_every_string)
{
    CLAIM("gaussian-ahead.same");
    static const char *const list[] = {"1", "2", "25/4", "100", "1/3", "2^24"};
    unsigned bits = (unsigned)check_count(10, 17);
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        play_strings(list[i], bits, check_seed() + i);
}

/* Sets count bits from bit `at` on to a value. */
static void put(uint64_t *words, unsigned at, unsigned count, sc_uint128 value)
{
    for (unsigned i = 0; i < count; i++, at++)
        words[at / 64] |= (uint64_t)(value >> i & 1) << at % 64;
}

/* For a variance of 10^12, t is 10^6 + 1, in 20 bits, and d = 2 10^12 t^2, in 81. The bits
 * propose y = 0 (u = 0, one number below t, a coin that does not come up, a sign), so that n
 * is 10^24; then comes a number of 81 bits, of which 25 are not looked at. */
TEST(gaussian_draws_read_ahead_leave_ties_to_the_reference)
{
    CLAIM("gaussian-ahead.same");
    const sc_uint128 million = 1000000, n = million * million * million * million;
    const sc_uint128 d = 2 * million * million * (million + 1) * (million + 1);
    const struct {
        sc_uint128 value;
        bool is_drawn;
    } list[] = {{n, false},
                {n - 1, false},
                {n + ((sc_uint128)1 << 25), true},
                {n - ((sc_uint128)1 << 25), true},
                {d, false},
                {d - 1, false},
                {d + ((sc_uint128)1 << 25), true},
                {d - ((sc_uint128)1 << 25), true}};
    sampler s = {0};
    sampler_init(&s, true, "1e12");
    CHECK(s.gaussian.ahead.is_wide);
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        uint64_t words[SHORT_WORDS] = {0};
        short_tape t;
        bool is_drawn = false;
        put(words, 40, 1, 1);
        put(words, 42, 81, list[i].value);
        words[3] = words[5] = words[7] = UINT64_MAX / 3;
        short_tape_init(&t, words);
        CHECK(is_drawn_alike(&s, &t, &is_drawn));
        CHECK_INT(is_drawn, list[i].is_drawn);
    }
    sampler_clear(&s);
}

/* Bits that run short in the middle of a supply, and bits that are stuck, fail as they do
 * one by one; the output stays. */
TEST(draws_read_ahead_fail_closed)
{
    static const uint64_t stuck[] = {0, UINT64_MAX};
    for (int is_gaussian = 0; is_gaussian < 2; is_gaussian++) {
        sampler s = {0};
        sampler_init(&s, is_gaussian, "100");
        for (int i = 0; i < 2; i++) {
            sc_tape *tape = NULL;
            stretch source;
            sc_int128 got = 77;
            scrim_error error = {.status = SCRIM_OK};
            REQUIRE_OK(sc_tape_constant(stuck[i], &tape, NULL));
            stretch_init(&source, tape, WINDOW_MAX);
            CHECK_STATUS(sampler_draw(&s, &source.bits, &got, &error), SCRIM_E_ENTROPY);
            CHECK_STATUS(error.status, SCRIM_E_ENTROPY);
            CHECK(got == 77);
            sc_tape_free(tape);
        }
        static const uint64_t one[] = {0};
        sc_tape *tape = NULL;
        stretch source;
        sc_int128 got = 77;
        REQUIRE_OK(sc_tape_words(one, 1, &tape, NULL));
        stretch_init(&source, tape, 1);
        CHECK_STATUS(sampler_draw(&s, &source.bits, &got, NULL), SCRIM_E_ENTROPY);
        CHECK(got == 77);
        sc_tape_free(tape);
        sampler_clear(&s);
    }
}
