/* Whether the time of a draw tells the number drawn (THREATS A51): by the instructions it
 * executes, by what depends on its random bits, and, in the long run, by the clock. In each
 * case the reference sampler, whose time does depend on it, must be caught. */
#include "check.h"
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

#define BOUND 200

static scrim_status build(sc_constant_table *table, unsigned width)
{
    sc_ratio scale;
    sc_ratio_init(&scale);
    sc_ratio_set_int64(&scale, 10);
    scrim_status status =
        sc_constant_table_init_laplace(table, &scale, BOUND, width, NULL);
    sc_ratio_clear(&scale);
    return status;
}

/* The words that make a table draw k: the first of the integers that are k's. */
static bool words_for(const sc_constant_table *table, int64_t k, uint64_t words[5])
{
    sc_integer sum, part, unit;
    bool ok = true;
    sc_integer_init(&sum);
    sc_integer_init(&part);
    sc_integer_init(&unit);
    for (int64_t i = 1 - llabs(k); i < llabs(k); i++) {
        sc_constant_table_weight(table, i, &part);
        sc_integer_add(&sum, &sum, &part);
    }
    sc_integer_set_uint128(&unit, (sc_uint128)1 << 64);
    for (unsigned i = 0; ok && i < table->words; i++) {
        sc_integer_divide(&sum, &part, &sum, &unit);
        ok = sc_integer_get_uint64(&part, &words[i]);
    }
    words[table->words] = k < 0;
    sc_integer_clear(&sum);
    sc_integer_clear(&part);
    sc_integer_clear(&unit);
    return ok;
}

/* ---- by instructions ------------------------------------------------------------------ */

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

static trace trace_table(const sc_constant_table *table, int64_t k)
{
    uint64_t warm_words[5], words[5];
    const size_t count = table->words + 1;
    drawing warm = {.table = table}, d = {.table = table};
    trace seen = {0, 0};
    if (CHECK(words_for(table, 3, warm_words) && words_for(table, k, words)) &&
        CHECK_STATUS(sc_tape_words(warm_words, count, &warm.tape, NULL), SCRIM_OK) &&
        CHECK_STATUS(sc_tape_words(words, count, &d.tape, NULL), SCRIM_OK)) {
        seen = trace_of(draw_table, &warm, &d);
        /* The trace was another process's: here it is drawn for its value. */
        draw_table(&d);
        CHECK_INT(d.value, k);
    }
    sc_tape_free(warm.tape);
    sc_tape_free(d.tape);
    return seen;
}

TEST(constant_table_traces_are_equal)
{
    CLAIM("constant-table.time");
    const char *reason = trace_unavailable();
    if (reason != NULL)
        SKIP(reason);
    const unsigned widths[] = {64, 128, 256};
    const int64_t values[] = {1, -1, 10, -10, BOUND - 1, -BOUND, BOUND};
    for (size_t w = 0; w < 3; w++) {
        sc_constant_table table;
        REQUIRE_OK(build(&table, widths[w]));
        const trace zero = trace_table(&table, 0);
        CHECK(zero.steps > BOUND);
        for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
            const trace other = trace_table(&table, values[i]);
            if (!CHECK(trace_is_equal(zero, other)))
                CHECK_FAIL("width %u: 0 takes %llu instructions, %lld takes %llu",
                           widths[w], (unsigned long long)zero.steps,
                           (long long)values[i], (unsigned long long)other.steps);
        }
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

/* ---- by what depends on the bits ------------------------------------------------------ */

TEST(constant_table_branches_on_nothing_drawn)
{
    CLAIM("constant-table.time");
    secret_run("selftest_secret_constant_table");
}

/* Draws with every random bit a secret; what was drawn is the same as without. */
static void check_secret(unsigned width)
{
    enum { DRAWS = 20, WORDS = 5 * DRAWS };
    uint64_t words[WORDS];
    int64_t plain[DRAWS] = {0}, hidden[DRAWS] = {0};
    sc_constant_table table;
    sc_tape *tape = NULL;
    REQUIRE_OK(build(&table, width));
    for (uint64_t i = 0; i < WORDS; i++)
        words[i] = (i + 1) * UINT64_C(0x9e3779b97f4a7c15);
    CHECK_STATUS(sc_tape_words(words, WORDS, &tape, NULL), SCRIM_OK);
    CHECK_STATUS(
        sc_constant_table_fill(sc_tape_bits_of(tape), &table, DRAWS, plain, NULL),
        SCRIM_OK);
    sc_tape_free(tape);
    CHECK_STATUS(sc_tape_words(words, WORDS, &tape, NULL), SCRIM_OK);
    secret_hide(words, sizeof words);
    const unsigned long before = secret_reports();
    const scrim_status status =
        sc_constant_table_fill(sc_tape_bits_of(tape), &table, DRAWS, hidden, NULL);
    CHECK_INT(secret_reports() - before, 0);
    CHECK_STATUS(status, SCRIM_OK);
    secret_show(hidden, sizeof hidden);
    CHECK_BYTES(hidden, plain, sizeof plain);
    sc_tape_free(tape);
    sc_constant_table_clear(&table);
}

TEST(selftest_secret_constant_table)
{
    check_secret(64);
    check_secret(128);
    check_secret(256);
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

/* ---- by the clock --------------------------------------------------------------------- */

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
    bool ok = CHECK_STATUS(build(&table, 128), SCRIM_OK) &&
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
