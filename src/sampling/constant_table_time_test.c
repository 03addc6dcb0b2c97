/* Whether the time of a draw tells the number drawn (THREATS A51): by the instructions it
 * executes, by what depends on its random bits, and, in the long run, by the clock. In each
 * case the reference sampler, whose time does depend on it, must be caught. */
#include "check.h"
#include "constant_tables.h"
#include "laws.h"
#include "random/bits_system.h"
#include "random/bits_tape.h"
#include "sampling/constant_table.h"
#include "sampling/discrete_laplace.h"
#include "secret.h"
#include "trace.h"

#include <math.h>
#include <string.h>
#include <time.h>

/* Totals on either side of 2^64 and 2^128; those of shifted tables are no power of two, so
 * that integers are refused. */
static const struct {
    constant_sample sample;
    unsigned words; /* of an integer */
} tables[] = {
    {{"laplace", "10", 200, 64}, 1},  {{"laplace", "10", 200, 128}, 2},
    {{"laplace", "10", 200, 256}, 4}, {{"shifted", "1", 20, 64}, 1},
    {{"shifted", "1", 90, 64}, 2},    {{"shifted", "1", 91, 64}, 2},
    {{"shifted", "1", 140, 64}, 3},   {{"shifted", "1", 141, 64}, 3},
    {{"shifted", "1", 250, 64}, 4},
};
#define TABLES (sizeof tables / sizeof *tables)

static bool build(sc_constant_table *table, size_t i)
{
    const constant_sample *sample = &tables[i].sample;
    return CHECK_STATUS(constant_sample_build(table, sample, NULL), SCRIM_OK) &&
           CHECK_INT(table->words, tables[i].words) &&
           CHECK_INT(table->refuses, constant_sample_is_shifted(sample));
}

/* Twice the distance of k from the middle. */
static int64_t distance2(const sc_constant_table *table, int64_t k)
{
    return llabs(2 * (k - table->low) - (int64_t)table->cells + 1);
}

/* The first and the last of the integers that are drawn as k, on one side or the other. */
static void integers_for(const sc_constant_table *table, int64_t k, sc_integer *first,
                         sc_integer *last)
{
    sc_integer weight;
    sc_integer_init(&weight);
    sc_integer_set_int128(first, 0);
    sc_integer_set_int128(last, -1);
    for (int64_t j = table->low; j < table->low + (int64_t)table->cells; j++) {
        sc_constant_table_weight(table, j, &weight);
        if (distance2(table, j) < distance2(table, k))
            sc_integer_add(first, first, &weight);
        if (distance2(table, j) <= distance2(table, k))
            sc_integer_add(last, last, &weight);
    }
    sc_integer_clear(&weight);
}

/* Writes the words of an integer; how many they are. */
static size_t put_integer(const sc_constant_table *table, const sc_integer *r,
                          uint64_t *words)
{
    sc_integer rest, word, unit;
    sc_integer_init(&rest);
    sc_integer_init(&word);
    sc_integer_init(&unit);
    sc_integer_set(&rest, r);
    sc_integer_set_uint128(&unit, (sc_uint128)1 << 64);
    for (unsigned i = 0; i < table->words; i++) {
        sc_integer_divide(&rest, &word, &rest, &unit);
        CHECK(sc_integer_get_uint64(&word, &words[i]));
    }
    CHECK_INT(sc_integer_sign(&rest), 0);
    sc_integer_clear(&rest);
    sc_integer_clear(&word);
    sc_integer_clear(&unit);
    return table->words;
}

/* By instructions. */

typedef struct drawing {
    const sc_constant_table *table;
    sc_fraction scale; /* of the reference */
    sc_tape *tape;
    int64_t value;
} drawing;

static void draw_table(void *context)
{
    drawing *d = context;
    if (sc_constant_table_fill(sc_tape_bits_of(d->tape), d->table, 1, &d->value, NULL) !=
        SCRIM_OK)
        d->value = INT64_MIN;
}

static void draw_reference(void *context)
{
    drawing *d = context;
    sc_int128 value = 0;
    if (sc_discrete_laplace_reference(sc_tape_bits_of(d->tape), &d->scale, &value,
                                      NULL) == SCRIM_OK)
        d->value = (int64_t)value;
}

/* The trace of the draw that makes r into k, behind an integer that is refused or not. */
static trace trace_table(const sc_constant_table *table, const sc_integer *r, int64_t k,
                         bool is_behind)
{
    uint64_t words[9] = {0};
    size_t count = 0;
    drawing warm = {.table = table}, d = {.table = table};
    trace seen = {0, 0};
    sc_integer total;
    sc_integer_init(&total);
    CHECK_STATUS(sc_tape_constant(0, &warm.tape, NULL), SCRIM_OK);
    sc_constant_table_total(table, &total);
    if (is_behind)
        count += put_integer(table, &total, words);
    count += put_integer(table, r, words + count);
    words[count++] = 2 * k < 2 * table->low + (int64_t)table->cells - 1;
    if (CHECK_STATUS(sc_tape_words(words, count, &d.tape, NULL), SCRIM_OK)) {
        seen = trace_of(draw_table, &warm, &d);
        /* The trace was another process's: here it is drawn for its value. */
        draw_table(&d);
        CHECK_INT(d.value, k);
        CHECK_INT(sc_tape_words_used(d.tape), count);
    }
    sc_tape_free(warm.tape);
    sc_tape_free(d.tape);
    sc_integer_clear(&total);
    return seen;
}

/* Values at the centre, at both ends and between, each by its first and its last integer: every other
 * one, and all of them with --long. */
static void check_traces(const sc_constant_table *table, bool is_behind)
{
    const int64_t low = table->low, high = low + (int64_t)table->cells - 1;
    const int64_t centre = low + (int64_t)(table->cells / 2);
    const int64_t values[] = {centre,   centre + 1, centre - 1, (centre + high) / 2,
                              high - 1, high,       low + 1,    low};
    sc_integer ends[2];
    sc_integer_init(&ends[0]);
    sc_integer_init(&ends[1]);
    const trace want = trace_table(table, &ends[0], centre, is_behind);
    CHECK(want.steps > table->ends);
    const size_t step = check_is_long() ? 1 : 4;
    for (size_t i = step - 1; i < sizeof values / sizeof *values; i += step) {
        integers_for(table, values[i], &ends[0], &ends[1]);
        for (size_t end = 0; end < 2; end++) {
            const trace got = trace_table(table, &ends[end], values[i], is_behind);
            if (!CHECK(trace_is_equal(want, got)))
                CHECK_FAIL("%u words%s: %lld takes %llu instructions, %lld takes %llu",
                           table->words, is_behind ? ", behind one refused" : "",
                           (long long)centre, (unsigned long long)want.steps,
                           (long long)values[i], (unsigned long long)got.steps);
        }
    }
    sc_integer_clear(&ends[0]);
    sc_integer_clear(&ends[1]);
}

SLOW_TEST(constant_table_traces_are_equal)
{
    CLAIM("constant-table.time");
    const char *reason = trace_unavailable();
    if (reason != NULL)
        SKIP(reason);
    for (size_t i = 0; i < TABLES; i++) {
        sc_constant_table table;
        REQUIRE(build(&table, i));
        check_traces(&table, false);
        if (table.refuses)
            check_traces(&table, true);
        sc_constant_table_clear(&table);
    }
}

/* Records draws of the reference until one has this size, and replays that. */
static trace trace_reference(const sc_fraction *scale, int64_t size)
{
    uint64_t words[256];
    trace seen = {0, 0};
    sc_tape *source = NULL;
    drawing warm = {.scale = *scale}, d = {.scale = *scale};
    if (!CHECK_STATUS(sc_tape_reference(&source, NULL), SCRIM_OK))
        return seen;
    size_t count = 0;
    for (unsigned turn = 0; turn < 100000 && count == 0; turn++) {
        if (!CHECK_STATUS(
                sc_tape_record(sc_tape_bits_of(source), words, 256, &d.tape, NULL),
                SCRIM_OK))
            break;
        draw_reference(&d);
        const uint64_t used = sc_tape_words_used(d.tape);
        if (llabs(d.value) == size && used <= 256)
            count = (size_t)used;
        sc_tape_free(d.tape);
        d.tape = NULL;
    }
    if (CHECK(count > 0) &&
        CHECK_STATUS(sc_tape_words(words, count, &warm.tape, NULL), SCRIM_OK) &&
        CHECK_STATUS(sc_tape_words(words, count, &d.tape, NULL), SCRIM_OK))
        seen = trace_of(draw_reference, &warm, &d);
    sc_tape_free(warm.tape);
    sc_tape_free(d.tape);
    sc_tape_free(source);
    return seen;
}

static void set_scale(sc_fraction *scale)
{
    sc_ratio ten;
    sc_ratio_init(&ten);
    sc_ratio_set_int64(&ten, 10);
    sc_fraction_init(scale, &ten);
    sc_ratio_clear(&ten);
}

TEST(constant_table_traces_tell_the_reference_apart)
{
    const char *reason = trace_unavailable();
    if (reason != NULL)
        SKIP(reason);
    sc_fraction scale;
    set_scale(&scale);
    const trace zero = trace_reference(&scale, 0), ten = trace_reference(&scale, 10),
                far = trace_reference(&scale, 40);
    CHECK(zero.steps > 0 && ten.steps > 0 && far.steps > 0);
    CHECK(!trace_is_equal(zero, ten) && !trace_is_equal(zero, far) &&
          !trace_is_equal(ten, far));
    sc_fraction_clear(&scale);
}

/* By what depends on the bits. */

enum { DRAWS = 20, SECRET_WORDS = 12 * DRAWS };

/* The last integer, which is kept, the next one, which is not, and any others. */
static void put_secrets(const sc_constant_table *table, uint64_t words[SECRET_WORDS])
{
    sc_integer first, last;
    sc_integer_init(&first);
    sc_integer_init(&last);
    for (uint64_t i = 0; i < SECRET_WORDS; i++)
        words[i] = (i + 1) * UINT64_C(0x9e3779b97f4a7c15);
    integers_for(table, table->low, &first, &last);
    size_t used = put_integer(table, &last, words) + 1; /* the sides */
    used += put_integer(table, &first, words + used);
    if (table->refuses) {
        sc_constant_table_total(table, &first);
        used += put_integer(table, &first, words + used);
    }
    put_integer(table, &last, words + used);
    sc_integer_clear(&first);
    sc_integer_clear(&last);
}

/* Draws with every random bit a secret; what was drawn is the same as without. Where integers
 * are refused, there is one report for each that is taken, that it is kept or refused, and
 * none besides. */
static void check_secret(const sc_constant_table *table)
{
    uint64_t words[SECRET_WORDS];
    int64_t plain[DRAWS] = {0}, hidden[DRAWS] = {0};
    sc_tape *tape = NULL;
    put_secrets(table, words);
    CHECK_STATUS(sc_tape_words(words, SECRET_WORDS, &tape, NULL), SCRIM_OK);
    CHECK_STATUS(sc_constant_table_fill(sc_tape_bits_of(tape), table, DRAWS, plain, NULL),
                 SCRIM_OK);
    CHECK_INT(distance2(table, plain[0]), table->cells - 1);
    /* One word was for the sides. */
    const uint64_t turns = (sc_tape_words_used(tape) - 1) / table->words;
    CHECK(table->refuses ? turns > DRAWS : turns == DRAWS);
    sc_tape_free(tape);
    CHECK_STATUS(sc_tape_words(words, SECRET_WORDS, &tape, NULL), SCRIM_OK);
    secret_hide(words, sizeof words);
    const unsigned long before = secret_reports();
    const scrim_status status =
        sc_constant_table_fill(sc_tape_bits_of(tape), table, DRAWS, hidden, NULL);
    CHECK_INT(secret_reports() - before, table->refuses ? turns : 0);
    CHECK_STATUS(status, SCRIM_OK);
    secret_show(hidden, sizeof hidden);
    CHECK_BYTES(hidden, plain, sizeof plain);
    sc_tape_free(tape);
}

TEST(selftest_secret_constant_table)
{
    CLAIM("constant-table.time");
    for (size_t i = 0; i < TABLES; i++) {
        sc_constant_table table;
        REQUIRE(build(&table, i));
        check_secret(&table);
        sc_constant_table_clear(&table);
    }
    /* The reference, on bits that are secret, is reported. */
    uint64_t words[64];
    sc_fraction scale;
    sc_int128 value = 0;
    sc_tape *tape = NULL;
    set_scale(&scale);
    memset(words, 0x5a, sizeof words);
    CHECK_STATUS(sc_tape_words(words, 64, &tape, NULL), SCRIM_OK);
    secret_hide(words, sizeof words);
    const unsigned long before = secret_reports();
    CHECK_STATUS(
        sc_discrete_laplace_reference(sc_tape_bits_of(tape), &scale, &value, NULL),
        SCRIM_OK);
    CHECK(secret_reports() > before);
    sc_tape_free(tape);
    sc_fraction_clear(&scale);
}

/* By the clock. */

static double now_ns(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static int compare_doubles(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Sorts what it is given. */
static double median(double *values, size_t count)
{
    qsort(values, count, sizeof *values, compare_doubles);
    return values[count / 2];
}

typedef struct timing {
    double t; /* Welch, between numbers up to 1 and numbers from 10 on */
    double r; /* correlation of the time with the size of the number */
} timing;

/* One draw after the other, so that both classes meet the same weather. The rule for what is
 * left out (interrupts, refills): a time above twice the median of the first thousand, which
 * are left out too. */
static bool measure(bool by_table, size_t draws, timing *out)
{
    enum { FIRST = 1000 };
    sc_constant_table table;
    sc_fraction scale;
    sc_bits *bits = NULL;
    scrim_status status = sc_bits_system_open(&bits, NULL);
    double *time = malloc(draws * sizeof *time), *size = malloc(draws * sizeof *size);
    double *near = malloc(draws * sizeof *near), *far = malloc(draws * sizeof *far);
    bool ok = build(&table, 1) &&
              CHECK(time != NULL && size != NULL && near != NULL && far != NULL);
    set_scale(&scale);
    double limit = HUGE_VAL;
    size_t kept = 0, nears = 0, fars = 0;
    for (size_t i = 0; ok && status == SCRIM_OK && i < draws + FIRST; i++) {
        int64_t value = 0;
        sc_int128 wide = 0;
        const double start = now_ns();
        if (by_table)
            status = sc_constant_table_fill(bits, &table, 1, &value, NULL);
        else
            status = sc_discrete_laplace_reference(bits, &scale, &wide, NULL);
        const double taken = now_ns() - start;
        if (taken > limit)
            continue;
        time[kept] = taken;
        size[kept++] = (double)llabs(by_table ? value : (int64_t)wide);
        if (i == FIRST - 1) {
            limit = 2 * median(time, kept);
            kept = 0;
        }
    }
    ok = ok && CHECK_STATUS(status, SCRIM_OK) && CHECK(kept > draws / 2);
    for (size_t i = 0; ok && i < kept; i++) {
        if (size[i] <= 1)
            near[nears++] = time[i];
        else if (size[i] >= 10)
            far[fars++] = time[i];
    }
    if (ok)
        *out = (timing){laws_welch_t(near, nears, far, fars),
                        laws_correlation(time, size, kept)};
    sc_bits_system_close(bits);
    sc_constant_table_clear(&table);
    sc_fraction_clear(&scale);
    free(time);
    free(size);
    free(near);
    free(far);
    return ok;
}

TEST(constant_table_time_by_the_clock)
{
    CLAIM("constant-table.time");
    if (!check_is_long())
        SKIP("timing statistics are for --long");
    if (secret_is_instrumented())
        SKIP("an instrumented program has times of its own");
    /* |t| >= 4.5 happens by chance once in 150,000 runs, |r| >= 0.01 never. */
    timing table, reference;
    REQUIRE(measure(true, 10000000, &table));
    if (!CHECK(fabs(table.t) < 4.5 && fabs(table.r) < 0.01))
        CHECK_FAIL("t = %.2f, r = %.4f", table.t, table.r);
    REQUIRE(measure(false, 1000000, &reference));
    if (!CHECK(fabs(reference.t) > 4.5 && fabs(reference.r) > 0.01))
        CHECK_FAIL("the reference: t = %.2f, r = %.4f", reference.t, reference.r);
}
