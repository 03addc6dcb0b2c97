#include "base/memory.h"
#include "check.h"
#include "faults.h"
#include "mechanism/selection/order_slice.h"
#include "random/bits_tape.h"

#include <string.h>

static int by_size(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* The keys of all rows, sorted by the C library. */
static uint64_t *sorted_keys(const sc_order_rows *r)
{
    uint64_t *keys = sc_allocate(r->count, sizeof *keys);
    if (!CHECK(keys != NULL))
        abort();
    for (size_t i = 0; i < r->count; i++) {
        int64_t x = r->rows[i] < r->low ? r->low : r->rows[i];
        x = x > r->high ? r->high : x;
        keys[i] = (uint64_t)x - (uint64_t)r->low;
    }
    qsort(keys, r->count, sizeof *keys, by_size);
    return keys;
}

/* Each rank from first to last lies in a run with its key, and the runs' counts are right. */
static void check_slice(const sc_order_slice *w, const uint64_t *keys, size_t count,
                        uint64_t first, uint64_t last)
{
    uint64_t wrong = 0;
    if (!CHECK(w->runs > 0))
        return;
    CHECK(w->below[0] < first && w->upto >= last);
    for (size_t i = 0; i < w->runs; i++) {
        uint64_t below = w->below[i], upto = sc_order_slice_upto(w, i);
        wrong += below >= upto || upto > count;
        if (wrong > 0)
            break;
        wrong += keys[below] != w->keys[i] || keys[upto - 1] != w->keys[i];
        wrong += below > 0 && keys[below - 1] >= w->keys[i];
        wrong += upto < count && keys[upto] <= w->keys[i];
    }
    CHECK_INT(wrong, 0);
}

static void check_ranks(const sc_order_rows *r, const uint64_t *keys, size_t width,
                        uint64_t first, uint64_t last)
{
    sc_order_slice w;
    scrim_error error;
    REQUIRE_OK(sc_order_slice_init(&w, width, NULL));
    if (!CHECK_STATUS(sc_order_slice_find(&w, r, first, last, &error), SCRIM_OK))
        return;
    check_slice(&w, keys, r->count, first, last);
    CHECK(w.scans <= 15);
    uint64_t below = 0, equal = 0;
    sc_order_count(r, w.keys[0], &below, &equal);
    CHECK_INT(below, w.below[0]);
    CHECK_INT(below + equal, sc_order_slice_upto(&w, 0));
    /* A second search in the same slice finds the same. */
    REQUIRE_OK(sc_order_slice_find(&w, r, last, last, NULL));
    check_slice(&w, keys, r->count, last, last);
    sc_order_slice_clear(&w);
}

/* Slices in the middle and at both ends, of one rank, of some, of as many as there are. */
static void check_rows(const sc_order_rows *r)
{
    uint64_t *keys = sorted_keys(r);
    const size_t n = r->count, some = n < 300 ? n : 300;
    check_ranks(r, keys, 1, 1, 1);
    check_ranks(r, keys, 1, n, n);
    check_ranks(r, keys, 1, n / 2 + 1, n / 2 + 1);
    check_ranks(r, keys, some, 1, some);
    check_ranks(r, keys, some, n - some + 1, n);
    check_ranks(r, keys, some, n / 2 - some / 2 + 1, n / 2 - some / 2 + some);
    check_ranks(r, keys, n, 1, n);
    sc_free(keys);
}

typedef int64_t shape(uint64_t random, size_t i, size_t n);

static int64_t any(uint64_t random, size_t i, size_t n)
{
    (void)i, (void)n;
    return (int64_t)random;
}
static int64_t equal(uint64_t random, size_t i, size_t n)
{
    (void)random, (void)i, (void)n;
    return 12345;
}
static int64_t two(uint64_t random, size_t i, size_t n)
{
    (void)i, (void)n;
    return (random & 1) != 0 ? 5 : (int64_t)1 << 50;
}
static int64_t few(uint64_t random, size_t i, size_t n)
{
    (void)i, (void)n;
    return (int64_t)(random % 100);
}
/* Half the rows at ever smaller distances from one point. */
static int64_t scales(uint64_t random, size_t i, size_t n)
{
    (void)i, (void)n;
    return ((int64_t)1 << (random % 62)) + (int64_t)(random >> 60);
}
/* Every row that a sample can look at is a lie. */
static int64_t misleading(uint64_t random, size_t i, size_t n)
{
    size_t stride = n / SC_ORDER_SAMPLE + 1;
    stride = stride < 16 ? 16 : stride;
    return i % stride == 0 ? -7 : (int64_t)(random >> 20);
}
/* The same, with what the sample sees above all others. */
static int64_t overstated(uint64_t random, size_t i, size_t n)
{
    size_t stride = n / SC_ORDER_SAMPLE + 1;
    stride = stride < 16 ? 16 : stride;
    return i % stride == 0 ? (int64_t)1 << 61 : (int64_t)(random >> 20);
}
/* The sample sees small numbers, all of them different, and the rest is large: each time it is
 * asked about what is left it is wrong again. */
static int64_t halving(uint64_t random, size_t i, size_t n)
{
    size_t stride = n / SC_ORDER_SAMPLE + 1;
    stride = stride < 16 ? 16 : stride;
    return i % stride == 0 ? (int64_t)(i / stride) : (int64_t)(random >> 2 | 1u << 20);
}
static int64_t ends(uint64_t random, size_t i, size_t n)
{
    (void)i, (void)n;
    return (random & 3) == 0   ? INT64_MIN
           : (random & 3) == 1 ? INT64_MAX
                               : (int64_t)(random >> 2) - ((int64_t)1 << 61);
}
static int64_t rising(uint64_t random, size_t i, size_t n)
{
    (void)random;
    return (int64_t)i - (int64_t)(n / 2);
}
static int64_t falling(uint64_t random, size_t i, size_t n)
{
    (void)random;
    return (int64_t)(n - i) * 1000003;
}
/* Two crowds that are far apart and wide, and one row between them. */
static int64_t crowds(uint64_t random, size_t i, size_t n)
{
    if (i == n / 3)
        return 0;
    return (random & 1) != 0 ? ((int64_t)1 << 55) + (int64_t)(random >> 40)
                             : -((int64_t)1 << 55) - (int64_t)(random >> 40);
}

static shape *const shapes[] = {any,  equal,  two,     few,    scales,     misleading,
                                ends, rising, falling, crowds, overstated, halving};
#define SHAPES (sizeof shapes / sizeof *shapes)

static void check_shapes(size_t n, int64_t low, int64_t high)
{
    sc_tape *tape = NULL;
    int64_t *rows = sc_allocate(n, sizeof *rows);
    REQUIRE(rows != NULL);
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    for (size_t s = 0; s < SHAPES; s += check_every(4)) {
        for (size_t i = 0; i < n; i++) {
            uint64_t random = 0;
            REQUIRE_OK(sc_bits_word(sc_tape_bits_of(tape), &random, NULL));
            rows[i] = shapes[s](random, i, n);
        }
        check_rows(&(sc_order_rows){rows, n, low, high});
    }
    sc_tape_free(tape);
    sc_free(rows);
}

#define FAR ((int64_t)1 << 62)

SLOW_TEST(order_slice_is_that_of_the_sorted_rows_when_they_are_few)
{
    CLAIM("order-slice.exact");
    const size_t stride = check_count(7, 1);
    for (size_t n = 1; n <= 70; n += n < 10 ? 1 : stride) {
        check_shapes(n, -FAR, FAR);
        check_shapes(n, 0, 1);
        check_shapes(n, INT64_MIN, INT64_MAX);
    }
}

SLOW_TEST(order_slice_is_that_of_the_sorted_rows_when_a_sample_leads)
{
    CLAIM("order-slice.exact");
    check_shapes(4096, -FAR, FAR);
    check_shapes(4097, -FAR, FAR);
    check_shapes(30011, -FAR, FAR);
    check_shapes(30011, -1000, 1000);
    check_shapes(20000, INT64_MIN, INT64_MAX);
}

/* Every single rank, also where a sample has misled and the rank is the last beside what was
 * counted. */
SLOW_TEST(order_slice_finds_every_rank)
{
    CLAIM("order-slice.exact");
    enum { N = 4200 };
    static int64_t rows[N];
    static shape *const all[] = {misleading, overstated, few};
    sc_tape *tape = NULL;
    sc_order_slice w;
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    REQUIRE_OK(sc_order_slice_init(&w, 1, NULL));
    for (size_t s = 0; s < sizeof all / sizeof *all; s++) {
        for (size_t i = 0; i < N; i++) {
            uint64_t random = 0;
            REQUIRE_OK(sc_bits_word(sc_tape_bits_of(tape), &random, NULL));
            rows[i] = all[s](random, i, N);
        }
        const sc_order_rows r = {rows, N, -FAR, FAR};
        uint64_t *keys = sorted_keys(&r);
        for (uint64_t rank = 1; rank <= N; rank += check_every(7)) {
            REQUIRE_OK(sc_order_slice_find(&w, &r, rank, rank, NULL));
            check_slice(&w, keys, N, rank, rank);
        }
        sc_free(keys);
    }
    sc_order_slice_clear(&w);
    sc_tape_free(tape);
}

/* A sample that is wrong about one end is not asked about it again. */
TEST(order_slice_needs_few_scans_however_it_is_misled)
{
    CLAIM("order-slice.bounded");
    const size_t n = 2 * SC_ORDER_SLACK + 12345;
    sc_tape *tape = NULL;
    sc_order_slice w;
    int64_t *rows = sc_allocate(n, sizeof *rows);
    REQUIRE(rows != NULL);
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    REQUIRE_OK(sc_order_slice_init(&w, 300, NULL));
    for (size_t i = 0; i < n; i++) {
        uint64_t random = 0;
        REQUIRE_OK(sc_bits_word(sc_tape_bits_of(tape), &random, NULL));
        rows[i] = halving(random, i, n);
    }
    REQUIRE_OK(sc_order_slice_find(&w, &(sc_order_rows){rows, n, 0, FAR}, n / 2,
                                   n / 2 + 99, NULL));
    CHECK(w.scans <= 3);
    for (size_t i = 0; i < n; i++)
        rows[i] = any((uint64_t)i * 0x9e3779b97f4a7c15, i, n);
    REQUIRE_OK(sc_order_slice_find(&w, &(sc_order_rows){rows, n, -FAR, FAR}, n / 2,
                                   n / 2 + 99, NULL));
    CHECK_INT(w.scans, 1);
    sc_order_slice_clear(&w);
    sc_tape_free(tape);
    sc_free(rows);
}

/* More rows than there is room for, so that crowds are narrowed down by further scans. */
SLOW_TEST(order_slice_is_that_of_the_sorted_rows_when_they_are_crowded)
{
    CLAIM("order-slice.exact");
    check_shapes(2 * SC_ORDER_SLACK + 12345, -FAR, FAR);
    if (!check_is_long())
        return;
    check_shapes(2 * SC_ORDER_SLACK + 12345, 0, (int64_t)1 << 40);
    check_shapes(8 * SC_ORDER_SLACK + 1, INT64_MIN, INT64_MAX);
}

TEST(order_slice_refuses_ranks_that_are_none)
{
    const int64_t rows[] = {3, 1, 2};
    const sc_order_rows r = {rows, 3, 0, 10};
    sc_order_slice w;
    REQUIRE_OK(sc_order_slice_init(&w, 2, NULL));
    CHECK_STATUS(sc_order_slice_find(&w, &r, 0, 1, NULL), SCRIM_E_INTERNAL);
    CHECK_STATUS(sc_order_slice_find(&w, &r, 2, 1, NULL), SCRIM_E_INTERNAL);
    CHECK_STATUS(sc_order_slice_find(&w, &r, 3, 4, NULL), SCRIM_E_INTERNAL);
    CHECK_STATUS(sc_order_slice_find(&w, &r, 1, 3, NULL), SCRIM_E_INTERNAL);
    CHECK_STATUS(sc_order_slice_find(&w, &r, 2, 3, NULL), SCRIM_OK);
    sc_order_slice_clear(&w);
    CHECK_STATUS(sc_order_slice_init(&w, SIZE_MAX, NULL), SCRIM_E_LIMIT);
}

TEST(order_slice_survives_each_failed_allocation)
{
    const int64_t rows[] = {3, 1, 2};
    const sc_order_rows r = {rows, 3, 0, 10};
    FAULT_LOOP(fault)
    {
        sc_order_slice w = {0};
        scrim_status status = sc_order_slice_init(&w, 3, NULL);
        CHECK_STATUS(status, fault_hit() ? SCRIM_E_MEMORY : SCRIM_OK);
        if (status == SCRIM_OK)
            CHECK_STATUS(sc_order_slice_find(&w, &r, 1, 3, NULL), SCRIM_OK);
        sc_order_slice_clear(&w);
    }
}

/* A slice allocates the same for any rows. */
TEST(order_slice_allocates_by_its_width_alone)
{
    CLAIM("order-slice.bounded");
    uint64_t seen[2];
    for (size_t few_rows = 0; few_rows < 2; few_rows++) {
        size_t n = few_rows ? 3 : 50000;
        int64_t *rows = sc_allocate(n, sizeof *rows);
        REQUIRE(rows != NULL);
        uint64_t before = fault_allocations();
        sc_order_slice w;
        REQUIRE_OK(sc_order_slice_init(&w, 3, NULL));
        REQUIRE_OK(sc_order_slice_find(&w, &(sc_order_rows){rows, n, -9, 9}, 1, 3, NULL));
        sc_order_slice_clear(&w);
        seen[few_rows] = fault_allocations() - before;
        sc_free(rows);
    }
    CHECK_INT(seen[0], seen[1]);
}
