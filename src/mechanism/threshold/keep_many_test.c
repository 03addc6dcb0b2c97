#include "base/memory.h"
#include "check.h"
#include "exact.h"
#include "laws.h"
#include "mechanism/threshold/keep_table.h"
#include "random/bits_tape.h"
#include "trace.h"

#include <string.h>

#define STARTS ((size_t)1 << SC_KEEP_START_BITS)
#define REST_BITS (SC_KEEP_BITS - SC_KEEP_START_BITS)
#define TIE_WORDS ((size_t)2 * SC_KEEP_TIES)

static void table_of(const char *epsilon, const char *delta, sc_keep_table *out)
{
    sc_ratio e, d;
    exact_ratio(epsilon, &e);
    exact_ratio(delta, &d);
    CHECK_STATUS(sc_keep_table_init(out, &e, &d, 1, NULL), SCRIM_OK);
    sc_ratio_clear(&d);
    sc_ratio_clear(&e);
}

static void put_start(uint64_t *words, size_t group, uint64_t start)
{
    uint16_t narrow = (uint16_t)start;
    memcpy((unsigned char *)words + group * sizeof narrow, &narrow, sizeof narrow);
}

static uint64_t start_at(const uint64_t *words, size_t group)
{
    uint16_t narrow;
    memcpy(&narrow, (const unsigned char *)words + group * sizeof narrow, sizeof narrow);
    return narrow;
}

/* The two words whose first 110 bits are these; the others are ones. */
static void put_rest(uint64_t *words, sc_uint128 rest)
{
    const sc_uint128 whole =
        rest << (128 - REST_BITS) | (((sc_uint128)1 << (128 - REST_BITS)) - 1);
    words[0] = (uint64_t)(whole >> 64);
    words[1] = (uint64_t)whole;
}

static sc_uint128 rest_at(const uint64_t *words)
{
    return ((sc_uint128)words[0] << 64 | words[1]) >> (128 - REST_BITS);
}

/* Enumerated. */

/* How many groups of n units are kept, of 2^16 that begin with every possible start, when the rest
 * of the bits is this in each. */
static uint64_t kept_of_all(const sc_keep_table *t, int64_t n, sc_uint128 rest)
{
    static uint64_t words[STARTS / 4 + STARTS / SC_KEEP_BLOCK * TIE_WORDS];
    static int64_t units[STARTS];
    static uint64_t kept[STARTS / SC_KEEP_LANES];
    uint64_t *next = words, count = 0;
    sc_tape *tape = NULL;
    for (size_t i = 0; i < STARTS; i += SC_KEEP_BLOCK) {
        for (size_t k = 0; k < SC_KEEP_BLOCK; k++)
            put_start(next, k, i + k);
        next += SC_KEEP_BLOCK / 4;
        for (size_t k = 0; k < SC_KEEP_TIES; k++, next += 2)
            put_rest(next, rest);
    }
    for (size_t i = 0; i < STARTS; i++)
        units[i] = n;
    CHECK_STATUS(sc_tape_words(words, COUNT(words), &tape, NULL), SCRIM_OK);
    CHECK_STATUS(sc_keep_many(sc_tape_bits_of(tape), t, units, STARTS, kept, NULL),
                 SCRIM_OK);
    CHECK_INT(sc_tape_words_used(tape), COUNT(words));
    sc_tape_free(tape);
    for (size_t i = 0; i < COUNT(kept); i++)
        count += (uint64_t)__builtin_popcountll(kept[i]);
    return count;
}

/* 2^126 strings begin with any start and end with any rest; those below p(n) are kept:
 * for every rest the number of starts is that of a single draw. */
TEST(keep_many_has_the_law_of_single_draws)
{
    CLAIM("keep-many.exact");
    const sc_uint128 last = ((sc_uint128)1 << REST_BITS) - 1;
    sc_keep_table t;
    table_of("1", "1e-5", &t);
    const int64_t sizes[] = {0,
                             1,
                             2,
                             10,
                             11,
                             12,
                             13,
                             20,
                             22,
                             (int64_t)t.certain - 1,
                             (int64_t)t.certain,
                             (int64_t)t.certain + 1,
                             INT64_MAX};
    for (size_t i = 0; i < COUNT(sizes); i++) {
        const sc_uint128 p = sc_keep_table_at(&t, (uint64_t)sizes[i]);
        const uint64_t whole = (uint64_t)(p >> REST_BITS);
        const sc_uint128 part = p & last;
        CHECK_INT(kept_of_all(&t, sizes[i], part), whole);
        CHECK_INT(kept_of_all(&t, sizes[i], last), whole);
        if (part > 0)
            CHECK_INT(kept_of_all(&t, sizes[i], part - 1), whole + 1);
        CHECK_INT(kept_of_all(&t, sizes[i], 0), whole + (part > 0));
    }
    sc_keep_table_clear(&t);
}

/* Beside the plain way: 126 bits of each group, put together and compared. */

/* Returns how many words were needed. */
static size_t keep_plainly(const sc_keep_table *t, const uint64_t *words,
                           const int64_t *units, size_t count, uint64_t *kept)
{
    const uint64_t *next = words;
    memset(kept, 0, (count + 63) / 64 * sizeof *kept);
    for (size_t from = 0; from < count; from += SC_KEEP_BLOCK) {
        const size_t left = count - from;
        const size_t run = left < SC_KEEP_BLOCK ? left : SC_KEEP_BLOCK;
        const uint64_t *rest = next + (run + 63) / 64 * 16;
        size_t ties = 0;
        for (size_t i = 0; i < run; i++) {
            const sc_uint128 p = sc_keep_table_at(t, (uint64_t)units[from + i]);
            const uint64_t start = start_at(next, i);
            const sc_uint128 own =
                p < SC_KEEP_WHOLE ? p >> REST_BITS : ((sc_uint128)1 << 16) - 1;
            sc_uint128 drawn = (sc_uint128)start << REST_BITS;
            if (start == own)
                drawn |= rest_at(rest + 2 * ties++);
            kept[(from + i) / 64] |= (uint64_t)(drawn < p) << (from + i) % 64;
        }
        next = rest + 2 * (ties > SC_KEEP_TIES ? ties : SC_KEEP_TIES);
    }
    return (size_t)(next - words);
}

enum { GROUPS = 3 * 4096, WORDS = GROUPS / 4 + 2 * GROUPS };

typedef struct scene {
    int64_t units[GROUPS];
    uint64_t words[WORDS];
    uint64_t kept[GROUPS / 64 + 1], plain[GROUPS / 64 + 1];
} scene;

/* Sizes around the table's, and one tie in every `every` groups. */
static void set_scene(const sc_keep_table *t, uint64_t seed, size_t count, uint64_t every,
                      scene *s)
{
    sc_tape *tape = NULL;
    uint64_t *next = s->words;
    REQUIRE_OK(sc_tape_seeded(seed, &tape, NULL));
    REQUIRE_OK(sc_bits_fill(sc_tape_bits_of(tape), s->words, WORDS, NULL));
    for (size_t from = 0; from < count; from += SC_KEEP_BLOCK) {
        size_t ties = 0;
        const size_t left = count - from;
        const size_t run = left < SC_KEEP_BLOCK ? left : SC_KEEP_BLOCK;
        for (size_t i = 0; i < run; i++) {
            uint64_t word = 0;
            REQUIRE_OK(sc_bits_word(sc_tape_bits_of(tape), &word, NULL));
            const uint64_t n = word % (t->certain + 3);
            const uint64_t start = t->start[n < t->certain ? n : t->certain];
            s->units[from + i] = (int64_t)n;
            if ((word >> 32) % every == 0)
                put_start(next, i, start);
            ties += start_at(next, i) == start;
        }
        next += (run + 63) / 64 * 16 + 2 * (ties > SC_KEEP_TIES ? ties : SC_KEEP_TIES);
    }
    sc_tape_free(tape);
}

SLOW_TEST(keep_many_agrees_with_its_plain_twin)
{
    CLAIM("keep-many.exact");
    static const size_t counts[] = {0,    1,    3,    63,   64,   65,   127,   4095,
                                    4096, 4097, 5000, 8191, 8192, 9999, GROUPS};
    static const uint64_t every[] = {UINT64_MAX, 2000, 300, 64, 8};
    sc_keep_table t;
    scene *s = sc_allocate(1, sizeof *s);
    REQUIRE(s != NULL);
    table_of("1/2", "1e-4", &t);
    for (size_t i = 0; i < COUNT(counts); i++)
        for (size_t k = 0; k < COUNT(every); k++) {
            sc_tape *tape = NULL;
            set_scene(&t, check_seed() + 100 * i + k, counts[i], every[k], s);
            const size_t words =
                keep_plainly(&t, s->words, s->units, counts[i], s->plain);
            REQUIRE(words <= WORDS);
            REQUIRE_OK(sc_tape_words(s->words, words, &tape, NULL));
            s->kept[(counts[i] + 63) / 64] = 0x5c;
            CHECK_STATUS(sc_keep_many(sc_tape_bits_of(tape), &t, s->units, counts[i],
                                      s->kept, NULL),
                         SCRIM_OK);
            CHECK_INT(sc_tape_words_used(tape), words);
            CHECK(memcmp(s->kept, s->plain, (counts[i] + 63) / 64 * 8) == 0);
            CHECK_INT(s->kept[(counts[i] + 63) / 64], 0x5c); /* nothing beyond */
            sc_tape_free(tape);
        }
    sc_keep_table_clear(&t);
    sc_free(s);
}

/* All or nothing. */
TEST(keep_many_fails_closed_without_bits)
{
    CLAIM("keep-many.exact");
    static int64_t units[5000];
    static uint64_t kept[79];
    static const uint64_t words[2000];
    sc_keep_table t;
    table_of("1", "1e-5", &t);
    for (size_t i = 0; i < COUNT(units); i++)
        units[i] = 1000;
    const size_t need =
        1024 + TIE_WORDS + (size_t)(5000 - 4096 + 63) / 64 * 16 + TIE_WORDS;
    for (size_t given = 0; given <= need; given += given + 97 < need ? 97 : 1) {
        sc_tape *tape = NULL;
        scrim_error error = {.message = ""};
        memset(kept, 0xff, sizeof kept);
        REQUIRE_OK(sc_tape_words(words, given, &tape, NULL));
        CHECK_STATUS(
            sc_keep_many(sc_tape_bits_of(tape), &t, units, COUNT(units), kept, &error),
            given < need ? SCRIM_E_ENTROPY : SCRIM_OK);
        uint64_t all = 0, none = ~(uint64_t)0;
        for (size_t i = 0; i < COUNT(kept); i++) {
            all |= kept[i];
            none &= kept[i] == 0;
        }
        CHECK(given < need ? none != 0 : all == ~(uint64_t)0);
        sc_tape_free(tape);
    }
    sc_keep_table_clear(&t);
}

/* Steady. */

typedef struct drawing {
    const sc_keep_table *table;
    const int64_t *units;
    sc_tape *tape;
    uint64_t kept[4];
    bool is_done;
} drawing;

enum { TRACED = 20, TRACED_WORDS = 16 + TIE_WORDS };

static void draw_traced(void *context)
{
    drawing *d = context;
    d->is_done = sc_keep_many(sc_tape_bits_of(d->tape), d->table, d->units, TRACED,
                              d->kept, NULL) == SCRIM_OK;
}

/* Groups of n units each, of which `ties` are ties. */
static trace trace_groups(const sc_keep_table *t, int64_t n, size_t ties, bool is_other)
{
    int64_t units[TRACED];
    uint64_t words[TRACED_WORDS];
    const uint64_t start = t->start[(uint64_t)n < t->certain ? (uint64_t)n : t->certain];
    trace seen = {0, 0};
    memset(words, is_other ? 0xff : 0, sizeof words);
    for (size_t i = 0; i < TRACED; i++) {
        units[i] = n;
        put_start(words, i, i > 0 && i <= ties ? start : start ^ (1 + i % 2));
    }
    drawing warm = {.table = t, .units = units}, d = {.table = t, .units = units};
    CHECK_STATUS(sc_tape_constant(0, &warm.tape, NULL), SCRIM_OK);
    if (CHECK_STATUS(sc_tape_words(words, TRACED_WORDS, &d.tape, NULL), SCRIM_OK)) {
        seen = trace_of(draw_traced, &warm, &d);
        draw_traced(&d);
        CHECK(d.is_done);
        CHECK_INT(sc_tape_words_used(d.tape), TRACED_WORDS);
    }
    sc_tape_free(warm.tape);
    sc_tape_free(d.tape);
    return seen;
}

SLOW_TEST(keep_many_takes_the_same_steps_whatever_the_counts)
{
    CLAIM("keep-many.steady");
    const char *reason = trace_unavailable();
    sc_keep_table t;
    if (reason != NULL)
        SKIP(reason);
    table_of("1", "1e-5", &t);
    const struct {
        int64_t units;
        size_t ties;
        bool is_other;
    } cases[] = {{0, 1, true},    {1, 0, false},   {11, 2, true},
                 {12, 1, true},   {12, 16, false}, {(int64_t)t.certain, 3, true},
                 {1000, 16, true}};
    const trace want = trace_groups(&t, 0, 0, false);
    CHECK(want.steps > 1000);
    for (size_t i = 0; i < COUNT(cases); i++)
        CHECK(trace_is_equal(
            want, trace_groups(&t, cases[i].units, cases[i].ties, cases[i].is_other)));
    sc_keep_table_clear(&t);
}

/* 2^-116: of 4096 groups, more than 16 ties of 2^-16 each, by the first term of the tail and a
 * factor for the others. In logarithms to base 2. */
TEST(keep_many_has_room_for_ties)
{
    CLAIM("keep-many.steady");
    sc_ball tail, term;
    sc_ball_init(&tail);
    sc_ball_init(&term);
    /* binomial(4096, 17) 2^-272 < (4096 / 2^16)^17 / 17! */
    sc_ball_set_int64(&tail, 1);
    for (int64_t i = 1; i <= SC_KEEP_TIES + 1; i++) {
        sc_ball_set_int64(&term, i * (int64_t)(STARTS / SC_KEEP_BLOCK));
        sc_ball_div(&tail, &tail, &term, 128);
    }
    /* the terms fall by more than 1/272 each */
    sc_ball_mul_int64(&tail, &tail, 272, 128);
    sc_ball_set_int64(&term, 271);
    sc_ball_div(&tail, &tail, &term, 128);
    sc_ball_set_int64(&term, 1);
    sc_ball_mul_power2(&term, &term, -116);
    CHECK(sc_ball_is_less(&tail, &term));
    sc_ball_clear(&term);
    sc_ball_clear(&tail);
}

/* Counted. The number of groups of each size is fixed, which the statistic does not know: it is the
 * smaller for it. */
TEST(keep_many_frequencies_fit_the_law)
{
    CLAIM("keep-many.exact");
    enum { SIZES = 25, PORTION = 200 * SIZES };
    static int64_t units[PORTION];
    static uint64_t kept[PORTION / 64 + 1];
    uint64_t observed[2 * SIZES] = {0};
    double probability[2 * SIZES];
    const uint64_t portions = check_count_whole(100, 20000);
    sc_keep_table t;
    sc_tape *tape = NULL;
    table_of("1", "1e-3", &t);
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    for (size_t i = 0; i < PORTION; i++)
        units[i] = (int64_t)(i % SIZES);
    for (uint64_t i = 0; i < portions; i++) {
        REQUIRE_OK(sc_keep_many(sc_tape_bits_of(tape), &t, units, PORTION, kept, NULL));
        for (size_t k = 0; k < PORTION; k++)
            observed[2 * (k % SIZES) + (kept[k / 64] >> k % 64 & 1)]++;
    }
    for (size_t n = 0; n < SIZES; n++) {
        const double p = (double)sc_keep_table_at(&t, n) * 0x1p-126;
        probability[2 * n] = (1 - p) / SIZES;
        probability[2 * n + 1] = p / SIZES;
    }
    CHECK(laws_chi_square(observed, probability, COUNT(observed)) > LAWS_FALSE_ALARM);
    CHECK_INT(observed[1], 0);
    sc_tape_free(tape);
    sc_keep_table_clear(&t);
}
