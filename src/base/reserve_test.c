#include "base/memory.h"
#include "base/reserve.h"
#include "check.h"
#include "faults.h"

#include <pthread.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define PIECES 500

typedef struct piece {
    unsigned char *memory;
    size_t bytes;
} piece;

static void write_all(piece *p, size_t mark)
{
    memset(p->memory, (int)(mark % 251), p->bytes);
}

static bool is_whole(const piece *p, size_t mark)
{
    for (size_t i = 0; i < p->bytes; i++)
        if (p->memory[i] != mark % 251)
            return false;
    return true;
}

/* Blocks of all sizes in any order: each keeps its bytes, none overlaps another. */
TEST(A103_reserve_blocks_are_apart)
{
    CLAIM("reserve.memory");
    piece pieces[PIECES] = {{NULL, 0}};
    uint64_t random = 1;
    size_t bad = 0;
    for (uint64_t turn = check_count(20000, 400000); turn > 0; turn--) {
        random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
        const size_t i = (size_t)(random >> 33) % PIECES;
        piece *p = &pieces[i];
        if (p->memory != NULL) {
            bad += !is_whole(p, i) || sc_reserve_bytes(p->memory) < p->bytes;
            bad += !sc_reserve_give(p->memory);
            p->memory = NULL;
        } else {
            p->bytes = (size_t)(random >> 20) % ((random >> 60) == 0 ? 70000 : 200);
            p->memory = sc_reserve_take(p->bytes);
            REQUIRE(p->memory != NULL);
            bad += (uintptr_t)p->memory % 16 != 0;
            write_all(p, i);
        }
    }
    CHECK_INT(bad, 0);
    CHECK(sc_reserve_is_used());
    for (size_t i = 0; i < PIECES; i++)
        if (pieces[i].memory != NULL)
            CHECK(is_whole(&pieces[i], i) && sc_reserve_give(pieces[i].memory));
    CHECK(!sc_reserve_is_used());
    /* All of it is one piece again. */
    void *all = sc_reserve_take(SC_RESERVE_BYTES - 64);
    REQUIRE(all != NULL);
    CHECK(sc_reserve_take(64) == NULL);
    CHECK(sc_reserve_give(all));
}

/* Other memory is left alone. */
TEST(A103_reserve_takes_back_only_its_own)
{
    int other = 0;
    CHECK(!sc_reserve_give(&other));
    CHECK(!sc_reserve_give(NULL));
    CHECK_INT(sc_reserve_bytes(&other), 0);
    CHECK(sc_reserve_take(SIZE_MAX) == NULL);
    CHECK(sc_reserve_take(SC_RESERVE_BYTES) == NULL);
}

/* A block is wiped when it is given back. */
TEST(A103_reserve_is_wiped)
{
    unsigned char *memory = sc_reserve_take(4096);
    REQUIRE(memory != NULL);
    memset(memory, 0x5a, 4096);
    CHECK(sc_reserve_give(memory));
    unsigned char *again = sc_reserve_take(4096);
    REQUIRE(again == memory);
    size_t left = 0;
    for (size_t i = 0; i < 4096; i++)
        left += again[i] == 0x5a;
    CHECK_INT(left, 0);
    CHECK(sc_reserve_give(again));
}

TEST(A103_nothing_is_allocated_while_the_reserve_is_low)
{
    CLAIM("reserve.memory");
    CHECK(sc_reserve_is_ready() && !sc_reserve_is_low());
    void *half = sc_reserve_take(SC_RESERVE_BYTES / 2);
    CHECK(!sc_reserve_is_ready() && !sc_reserve_is_low());
    void *some = sc_allocate(1, 1);
    CHECK(some != NULL);
    void *most = sc_reserve_take(SC_RESERVE_BYTES / 2 - SC_RESERVE_LOW);
    CHECK(sc_reserve_is_low());
    CHECK(sc_allocate(1, 1) == NULL);
    CHECK(sc_allocate_raw(1) == NULL);
    CHECK(sc_reserve_hold(1000) == NULL);
    CHECK(sc_reserve_give(most) && sc_reserve_give(half));
    CHECK(sc_reserve_is_ready() && !sc_reserve_is_low());
    sc_free(some);
}

static void *take_elsewhere(void *out)
{
    void *memory = sc_reserve_take(1000);
    memcpy(out, &memory, sizeof memory);
    return NULL;
}

TEST(A103_memory_that_is_held_serves_its_thread)
{
    pthread_t thread;
    void *other = NULL;
    sc_reserve_part *part = sc_reserve_hold((size_t)3 * SC_RESERVE_BYTES);
    REQUIRE(part != NULL);
    CHECK(!sc_reserve_part_is_used(part));
    REQUIRE(pthread_create(&thread, NULL, take_elsewhere, &other) == 0);
    CHECK(pthread_join(thread, NULL) == 0);
    CHECK(!sc_reserve_part_is_used(part) && sc_reserve_give(other));
    unsigned char *large = sc_reserve_take((size_t)2 * SC_RESERVE_BYTES);
    unsigned char *small = sc_reserve_take(100);
    REQUIRE(large != NULL && small != NULL);
    CHECK(sc_reserve_part_is_used(part) && !sc_reserve_is_low());
    CHECK(sc_reserve_give(large));
    /* It outlives its release by what is still in use. */
    memset(small, 1, 100);
    sc_reserve_release(part);
    CHECK(sc_reserve_is_used());
    CHECK_INT(small[99], 1);
    CHECK(sc_reserve_give(small));
    CHECK(!sc_reserve_is_used());
    sc_reserve_release(NULL);
}

/* Memory that is too short for a block stays within itself. */
TEST(A103_little_memory_can_be_held)
{
    for (size_t bytes = 0; bytes < 100; bytes++) {
        sc_reserve_part *part = sc_reserve_hold(bytes);
        REQUIRE(part != NULL);
        void *small = sc_reserve_take(1), *large = sc_reserve_take(1000);
        CHECK(small != NULL && sc_reserve_part_is_used(part));
        CHECK(sc_reserve_give(large) && sc_reserve_give(small));
        CHECK(!sc_reserve_part_is_used(part) && !sc_reserve_is_used());
        sc_reserve_release(part);
    }
}

TEST(A103_reserve_survives_failing_allocations)
{
    FAULT_LOOP(fault)
    {
        sc_reserve_part *part = sc_reserve_hold(100000);
        CHECK((part == NULL) == fault_hit());
        sc_reserve_release(part);
    }
}

static void *take_and_give(void *stop)
{
    while (!atomic_load((atomic_bool *)stop)) {
        void *memory = sc_reserve_take(100);
        (void)sc_reserve_give(memory);
    }
    return NULL;
}

/* A child that was forked while a thread used the reserve can use it. */
TEST(A103_reserve_is_whole_in_a_child)
{
    atomic_bool stop = false;
    pthread_t thread;
    REQUIRE(pthread_create(&thread, NULL, take_and_give, &stop) == 0);
    for (int i = 0; i < 20; i++) {
        int status = 1;
        const pid_t child = fork();
        if (child == 0) {
            (void)alarm(10);
            void *memory = sc_reserve_take(5000);
            _exit(memory != NULL && sc_reserve_give(memory) ? 0 : 1);
        }
        CHECK(child > 0 && waitpid(child, &status, 0) == child);
        CHECK_INT(status, 0);
    }
    atomic_store(&stop, true);
    CHECK(pthread_join(thread, NULL) == 0);
}
