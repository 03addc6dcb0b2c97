/* Distributions and what they share with the process: memory, and its children. */
#include "check.h"
#include "faults.h"
#include "random/bits_system.h"
#include "remains.h"
#include "sampling/distribution.h"
#include "system_calls.h"

#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/wait.h>
#include <unistd.h>

/* Forks: a child never repeats its parent or its siblings. */

TEST(children_that_share_a_handle_draw_different_numbers)
{
    CLAIM("bits.fork");
    enum { CHILDREN = 64, COUNT = 100 };
    typedef int64_t draws[COUNT];
    const size_t bytes = (CHILDREN + 1) * sizeof(draws);
    draws *all =
        mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    scrim_distribution *d = NULL;
    int64_t first = 0;
    unsigned same = 0;
    REQUIRE(all != MAP_FAILED);
    REQUIRE_OK(scrim_distribution_parse("discrete-laplace scale=2^40", &d, NULL));
    REQUIRE_OK(scrim_distribution_draw(d, 1, &first, NULL)); /* the source is open */
    for (int child = 0; child < CHILDREN; child++) {
        const pid_t pid = fork();
        REQUIRE(pid >= 0);
        if (pid == 0) {
            /* Past the public call, which takes fresh entropy anyway: the supply itself. */
            const bool inherits = child % 2 == 0;
            const scrim_status status =
                inherits ? sc_distribution_fill(d, d->kept, COUNT, all[child], NULL)
                         : scrim_distribution_draw(d, COUNT, all[child], NULL);
            _exit(status == SCRIM_OK ? 0 : 1);
        }
    }
    for (int child = 0; child < CHILDREN; child++) {
        int status = 1;
        CHECK(wait(&status) > 0);
        CHECK_INT(status, 0);
    }
    REQUIRE_OK(scrim_distribution_draw(d, COUNT, all[CHILDREN], NULL));
    for (int a = 0; a <= CHILDREN; a++)
        for (int b = 0; b < a; b++)
            for (int i = 0; i < COUNT; i++)
                same += all[a][i] == all[b][i];
    CHECK_INT(same, 0); /* 2 10^5 pairs of numbers of 40 bits */
    CHECK_INT(munmap(all, bytes), 0);
    scrim_distribution_free(d);
}

/* A90: a host with threads, which draw from one handle. */

enum { SHARED_COUNT = 64 };
typedef struct sharer {
    scrim_distribution *distribution;
    pthread_barrier_t *start;
    int64_t draws[SHARED_COUNT];
    scrim_status status;
} sharer;

static void *draw_shared(void *context)
{
    sharer *s = context;
    (void)pthread_barrier_wait(s->start);
    s->status = scrim_distribution_draw(s->distribution, SHARED_COUNT, s->draws, NULL);
    return NULL;
}

TEST(A90_threads_that_share_a_handle_draw_apart)
{
    scrim_distribution *d = NULL;
    uint64_t same = 0;
    REQUIRE_OK(scrim_distribution_parse("uniform n=2^60", &d, NULL));
    for (uint64_t round = 0; round < check_count(2000, 20000); round++) {
        pthread_barrier_t start;
        pthread_t thread;
        sharer a = {d, &start, {0}, SCRIM_OK}, b = {d, &start, {0}, SCRIM_OK};
        REQUIRE(pthread_barrier_init(&start, NULL, 2) == 0 &&
                pthread_create(&thread, NULL, draw_shared, &a) == 0);
        (void)draw_shared(&b);
        CHECK(pthread_join(thread, NULL) == 0);
        (void)pthread_barrier_destroy(&start);
        CHECK(a.status == SCRIM_OK && b.status == SCRIM_OK);
        for (int i = 0; i < SHARED_COUNT; i++)
            for (int j = 0; j < SHARED_COUNT; j++)
                same += a.draws[i] == b.draws[j];
    }
    CHECK_INT(same, 0);
    scrim_distribution_free(d);
}

/* Fresh entropy: what a snapshot of the process holds says nothing of the next call. */

static uint64_t asked, failing;

static ssize_t counted_getrandom(void *buffer, size_t bytes, unsigned flags)
{
    asked++;
    if (failing > 0) {
        failing--;
        errno = EIO;
        return -1;
    }
    return system_real.getrandom(buffer, bytes, flags);
}

TEST(every_call_takes_entropy_of_its_own)
{
    scrim_distribution *d = NULL;
    int64_t values[4];
    scrim_wide wide[4];
    static const int64_t zeros[4];
    system_call.getrandom = counted_getrandom;
    REQUIRE_OK(scrim_distribution_parse("discrete-laplace scale=2^40", &d, NULL));
    CHECK_INT(asked, 0); /* a handle that draws nothing takes nothing */
    for (int i = 0; i < 10; i++) {
        const uint64_t before = asked;
        REQUIRE_OK(scrim_distribution_draw(d, 4, values, NULL));
        CHECK(asked > before);
        const uint64_t between = asked;
        REQUIRE_OK(scrim_distribution_draw_wide(d, 4, wide, NULL));
        CHECK(asked > between);
    }
    failing = 1;
    scrim_error error = {.status = SCRIM_OK};
    CHECK_STATUS(scrim_distribution_draw(d, 4, values, &error), SCRIM_E_ENTROPY);
    CHECK_BYTES(values, zeros, sizeof values);
    CHECK_STATUS(scrim_distribution_draw(d, 4, values, &error), SCRIM_OK);
    scrim_distribution_free(d);
    /* The first call of a handle, which opens the source, fails as well. */
    REQUIRE_OK(scrim_distribution_parse("discrete-laplace scale=2^40", &d, NULL));
    failing = 1;
    CHECK_STATUS(scrim_distribution_draw(d, 4, values, &error), SCRIM_E_ENTROPY);
    CHECK_BYTES(values, zeros, sizeof values);
    CHECK_STATUS(scrim_distribution_draw(d, 4, values, &error), SCRIM_OK);
    scrim_distribution_free(d);
}

/* Memory. */

static uint64_t gmp_calls;

static void *gmp_allocate(size_t bytes)
{
    gmp_calls++;
    return malloc(bytes);
}

static void *gmp_reallocate(void *old, size_t before, size_t bytes)
{
    (void)before;
    gmp_calls++;
    return realloc(old, bytes);
}

static void gmp_free(void *memory, size_t bytes)
{
    (void)bytes;
    free(memory);
}

/* Drawn by the roads that need no big integers; the others allocate in GMP alone. */
SLOW_TEST(drawing_allocates_nothing)
{
    enum { COUNT = 1000 };
    static const char *const list[] = {"uniform n=1000003",
                                       "uniform n=2^62",
                                       "bernoulli p=3/7",
                                       "bernoulli-exp x=7/3",
                                       "geometric scale=10",
                                       "discrete-laplace scale=10",
                                       "discrete-laplace scale=1e6",
                                       "discrete-laplace scale=2^40",
                                       "discrete-gaussian variance=100",
                                       "discrete-gaussian variance=1e12",
                                       "truncated-laplace scale=10 bound=30",
                                       "clamped-laplace scale=10 bound=30",
                                       "shifted-laplace epsilon=0.1 q=50"};
    static int64_t values[COUNT];
    mp_set_memory_functions(gmp_allocate, gmp_reallocate, gmp_free);
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        scrim_distribution *d = NULL;
        REQUIRE_OK(scrim_distribution_parse(list[i], &d, NULL));
        REQUIRE_OK(
            scrim_distribution_draw(d, COUNT, values, NULL)); /* opens the source */
        const uint64_t before = fault_allocations(), gmp_before = gmp_calls;
        const size_t in_use = mallinfo2().uordblks;
        bool ok = true;
        for (int times = 0; times < 1000; times++)
            ok = ok && scrim_distribution_draw(d, COUNT, values, NULL) == SCRIM_OK;
        const uint64_t made = fault_allocations() - before + gmp_calls - gmp_before;
        CHECK_INT(mallinfo2().uordblks, in_use);
        CHECK(ok);
        if (!CHECK_INT(made, 0))
            CHECK_FAIL("%s", list[i]);
        scrim_distribution_free(d);
    }
    CHECK(gmp_calls > 0); /* the counter counts: preparing a handle takes integers */
}

TEST(parsing_without_memory_leaves_nothing)
{
    static const char *const list[] = {"uniform n=10",
                                       "bernoulli p=3/7",
                                       "bernoulli-exp x=1/2",
                                       "geometric scale=8",
                                       "discrete-laplace scale=10",
                                       "discrete-gaussian variance=1/3",
                                       "truncated-laplace scale=2.5 bound=5",
                                       "clamped-laplace scale=1.25 bound=16",
                                       "shifted-laplace epsilon=0.1 q=7"};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        FAULT_LOOP(fault)
        {
            scrim_distribution *d = NULL;
            scrim_error error = {.status = SCRIM_OK};
            const scrim_status status = scrim_distribution_parse(list[i], &d, &error);
            CHECK_STATUS(status, fault_hit() ? SCRIM_E_MEMORY : SCRIM_OK);
            CHECK((d == NULL) == fault_hit());
            scrim_distribution_free(d);
        }
}

TEST(drawing_without_memory_leaves_zeros)
{
    FAULT_LOOP(fault)
    {
        scrim_distribution *d = NULL;
        int64_t values[4] = {1, 2, 3, 4};
        static const int64_t zeros[4];
        if (scrim_distribution_parse("discrete-laplace scale=10", &d, NULL) != SCRIM_OK)
            continue;
        const scrim_status status = scrim_distribution_draw(d, 4, values, NULL);
        CHECK(status == SCRIM_OK || fault_hit());
        if (status != SCRIM_OK) {
            CHECK(status == SCRIM_E_MEMORY || status == SCRIM_E_ENTROPY);
            CHECK_BYTES(values, zeros, sizeof values);
        }
        scrim_distribution_free(d);
    }
}

/* Remains. */

/* Draws are found once, where the caller wants them, and not in frames that were left. The
 * wide ones of a scale of 2^60 are numbers of their own; the last is in some register. */
SLOW_TEST(wide_draws_stay_only_where_the_caller_wants_them)
{
    enum { COUNT = 700 };
    static scrim_wide drawn[COUNT];
    scrim_distribution *d = NULL;
    masked value;
    REQUIRE_OK(scrim_distribution_parse("discrete-laplace scale=2^60", &d, NULL));
    REQUIRE_OK(scrim_distribution_draw_wide(d, COUNT, drawn, NULL));
    masked_set(&value, &drawn[0]);
    if (masked_remains(&value) == 0)
        SKIP("/proc/self/mem cannot be read");
    for (size_t i = COUNT - 60; i < COUNT - 1; i += 6) {
        masked_set(&value, &drawn[i]);
        CHECK_INT(masked_remains(&value), 1);
    }
    scrim_distribution_free(d);
}

/* A handle that was let go says nothing of its noise: here, of the rate of its blocks. */
SLOW_TEST(freed_distributions_leave_nothing)
{
    scrim_distribution *d = NULL;
    masked rate;
    REQUIRE_OK(scrim_distribution_parse("discrete-laplace scale=1234567/891", &d, NULL));
    masked_set(&rate, &d->fast.blocks.rate_mantissa); /* and the exponent after it */
    if (masked_remains(&rate) == 0)
        SKIP("/proc/self/mem cannot be read");
    CHECK_INT(masked_remains(&rate), 1);
    scrim_distribution_free(d);
    CHECK_INT(masked_remains(&rate), 0);
}
