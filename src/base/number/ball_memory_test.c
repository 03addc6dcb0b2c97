#define SC_WITH_ARB
#include "base/number/ball.h"
#include "base/number/ball_memory.h"
#include "base/reserve.h"
#include "check.h"
#include "refusing.h"

#include <flint/flint.h>
#include <malloc.h>
#include <pthread.h>
#include <stdlib.h>

/* Some digits of exp(1/3) * ln 7 + pi, and of a sum of fractions. */
static void compute(char digits[64], sc_ratio *sum)
{
    SC_BALL_SCOPE(scope);
    SC_OWN(sc_ball, x, y, z);
    SC_OWN(sc_ratio, part);
    sc_ratio_set_quotient(&part, 1, 3);
    sc_ball_set_ratio(&x, &part, 800);
    sc_ball_exp(&x, &x, 800);
    sc_ball_set_int64(&y, 7);
    sc_ball_log(&y, &y, 800);
    sc_ball_mul(&x, &x, &y, 800);
    sc_ball_set_pi(&z, 800);
    sc_ball_add(&x, &x, &z, 800);
    sc_ball_format(&x, 50, digits, 64);
    for (int64_t i = 1; i <= 100; i++) {
        sc_ratio_set_quotient(&part, 1, i);
        sc_ratio_add(sum, sum, &part);
    }
}

TEST(A103_numbers_are_right_without_an_allocator)
{
    CLAIM("reserve.memory");
    char with[64], without[64];
    SC_OWN(sc_ratio, one, two);
    compute(with, &one);
    flint_cleanup();
    refusing_begin();
    compute(without, &two);
    CHECK(refusing_count() > 100);
    CHECK(sc_reserve_is_used());
    refusing_end();
    CHECK_STR(without, with);
    CHECK_INT(sc_ratio_compare(&one, &two), 0);
    sc_ratio_clear(&two);
    sc_ratio_init(&two);
    CHECK(!sc_reserve_is_used()); /* nor do caches of FLINT hold any of it */
    compute(without, &two);
    CHECK_STR(without, with);
}

/* A ball, no wider than it must be, or the one that contains everything. */
TEST(A103_balls_are_refused_while_the_reserve_is_low)
{
    CLAIM("reserve.memory");
    scrim_error error;
    SC_BALL_SCOPE(scope);
    SC_OWN(sc_ball, one, sum);
    sc_ball_set_int64(&one, 1);
    const uint64_t before = sc_reserve_refusals();
    sc_ball_add(&sum, &one, &one, 100);
    CHECK(sc_ball_is_finite(&sum));
    CHECK_STATUS(sc_ball_memory_check(before, SCRIM_OK, &error), SCRIM_OK);
    CHECK_STATUS(sc_ball_memory_check(before, SCRIM_E_LIMIT, &error), SCRIM_E_LIMIT);
    void *most = sc_reserve_take(SC_RESERVE_BYTES - SC_RESERVE_LOW);
    REQUIRE(most != NULL && sc_reserve_is_low());
    sc_ball_add(&sum, &one, &one, 100);
    CHECK(sc_reserve_give(most));
    CHECK(!sc_ball_is_finite(&sum) && sc_ball_contains(&sum, &one));
    CHECK_STATUS(sc_ball_memory_check(before, SCRIM_OK, &error), SCRIM_E_MEMORY);
    CHECK_STATUS(sc_ball_memory_check(before, SCRIM_E_LIMIT, &error), SCRIM_E_MEMORY);
    sc_ball_add(&sum, &one, &one, 100);
    CHECK(sc_ball_is_finite(&sum));
}

/* A host's blocks: from malloc, and freed by GMP and FLINT, and the other way round. */
TEST(A103_blocks_of_a_host_stay_its_own)
{
    void *(*allocate)(size_t);
    void *(*reallocate)(void *, size_t, size_t);
    void (*release)(void *, size_t);
    mp_get_memory_functions(&allocate, &reallocate, &release);
    void *memory = malloc(100);
    memory = reallocate(memory, 100, 10000);
    release(memory, 10000);
    flint_free(flint_realloc(malloc(100), 10000));
    free(allocate(100));
    free(flint_malloc(100));
    CHECK(!sc_reserve_is_used());
}

/* A thread hands this to the next one. */
typedef struct kept {
    char digits[64];
    sc_ratio sum;
    sc_ball ball;
} kept;

static void *compute_and_keep(void *memory)
{
    kept *out = memory;
    SC_BALL_SCOPE(scope);
    sc_ball_init(&out->ball);
    sc_ball_set_pi(&out->ball, 2000);
    compute(out->digits, &out->sum);
    return NULL;
}

static pthread_key_t host_key;

/* A destructor of a host, which may be called after that of the library. */
static void compute_at_end(void *memory)
{
    kept *out = memory;
    compute(out->digits, &out->sum);
}

static void *compute_late(void *memory)
{
    kept *out = memory;
    compute(out->digits, &out->sum);
    CHECK_INT(pthread_setspecific(host_key, out), 0);
    return NULL;
}

static void run_thread(void *(*work)(void *), kept *out)
{
    pthread_t thread;
    sc_ratio_init(&out->sum);
    CHECK_INT(pthread_create(&thread, NULL, work, out), 0);
    CHECK_INT(pthread_join(thread, NULL), 0);
}

/* FLINT and Arb cache some 100 KiB for each thread that computes. */
TEST(threads_that_end_leave_no_caches)
{
    enum { THREADS = 20 };
    char expected[64];
    SC_OWN(sc_ratio, sum);
    compute(expected, &sum);
    REQUIRE(pthread_key_create(&host_key, compute_at_end) == 0);
    size_t before = 0;
    for (int i = 0; i <= THREADS; i++) {
        kept first, late;
        run_thread(compute_and_keep, &first);
        run_thread(compute_late, &late);
        CHECK_STR(first.digits, expected);
        CHECK_STR(late.digits, expected);
        SC_BALL_SCOPE(scope);
        SC_OWN(sc_ball, pi);
        sc_ball_set_pi(&pi, 2000);
        CHECK(sc_ball_contains(&pi, &first.ball));
        sc_ball_clear(&first.ball);
        sc_ratio_clear(&first.sum);
        sc_ratio_clear(&late.sum);
        if (i == 0)
            before = mallinfo2().uordblks;
    }
    CHECK(mallinfo2().uordblks < before + (size_t)THREADS * 1024);
    CHECK_INT(pthread_key_delete(host_key), 0);
}
