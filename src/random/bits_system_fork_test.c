/* The production source under every way of making a process or a thread: each draws
 * words, and no word may come twice. The same with the wiping taken away must repeat
 * them, or the test would be blind. */
#include "check.h"
#include "random/bits_system.h"
#include "random/private_pages.h"
#include "system_calls.h"
#include "wiping.h"

#include <errno.h>
#include <linux/sched.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CHILDREN = 64, DRAWS = 100 };

typedef struct draws {
    uint64_t words[DRAWS];
} draws;

/* One for each child and, last, the parent's own. */
static draws drawn[CHILDREN + 1];

/* By bits and by words in turn: what the reservoir holds must not be copied either. */
static bool draw_all(sc_bits *bits, draws *out)
{
    bool good = true;
    for (int i = 0; i < DRAWS; i++)
        good =
            good && (i % 2 == 0 ? sc_bits_take(bits, 64, &out->words[i], NULL)
                                : sc_bits_word(bits, &out->words[i], NULL)) == SCRIM_OK;
    return good;
}

_Noreturn static void draw_and_exit(sc_bits *bits, int out)
{
    draws mine;
    bool good = draw_all(bits, &mine) && write(out, &mine, sizeof mine) == sizeof mine;
    _exit(good ? 0 : 1);
}

static bool read_draws(int from, draws *out)
{
    size_t have = 0;
    while (have < sizeof *out) {
        ssize_t got = read(from, (char *)out + have, sizeof *out - have);
        if (got <= 0)
            return false;
        have += (size_t)got;
    }
    return true;
}

static int compare_words(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Words that have been seen before. */
static size_t repeated(const draws *all, size_t count)
{
    static uint64_t words[(CHILDREN + 1) * DRAWS];
    size_t repeats = 0;
    memcpy(words, all, count * sizeof *all);
    qsort(words, count * DRAWS, sizeof words[0], compare_words);
    for (size_t i = 1; i < count * DRAWS; i++)
        repeats += words[i] == words[i - 1];
    return repeats;
}

/* The farthest that two draws are from differing in half of their bits, in bits. With
 * 6400 fair bits the standard deviation is 40; of 2080 pairs one is 360 away with
 * probability below 1e-14. */
static int64_t correlation(const draws *all, size_t count)
{
    int64_t worst = 0;
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < i; j++) {
            int64_t differ = -(int64_t)DRAWS * 32;
            for (int k = 0; k < DRAWS; k++)
                differ += __builtin_popcountll(all[i].words[k] ^ all[j].words[k]);
            worst = llabs(differ) > worst ? llabs(differ) : worst;
        }
    }
    return worst;
}

static void check_independent(void)
{
    CHECK_INT(repeated(drawn, CHILDREN + 1), 0);
    CHECK(correlation(drawn, CHILDREN + 1) < 360);
}

/* A source that has begun a supply and a word. */
static sc_bits *begun_source(void)
{
    sc_bits *bits = NULL;
    uint64_t word;
    if (!CHECK_STATUS(sc_bits_system_open(&bits, NULL), SCRIM_OK))
        return NULL;
    CHECK_STATUS(sc_bits_word(bits, &word, NULL), SCRIM_OK);
    CHECK_STATUS(sc_bits_take(bits, 1, &word, NULL), SCRIM_OK);
    return bits;
}

/* Ways of making a child; each returns its process number, or -1. */

static pid_t by_fork(sc_bits *bits, int out)
{
    pid_t child = fork();
    if (child == 0)
        draw_and_exit(bits, out);
    return child;
}

/* Past the C library, so that no handler of pthread_atfork runs. */
static pid_t by_clone(sc_bits *bits, int out)
{
    pid_t child = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
    if (child == 0)
        draw_and_exit(bits, out);
    return child;
}

/* A child that draws nothing and has a child that does. */
static pid_t by_two_forks(sc_bits *bits, int out)
{
    pid_t child = fork();
    if (child == 0) {
        int status = 1;
        pid_t grandchild = by_fork(bits, out);
        _exit(grandchild > 0 && waitpid(grandchild, &status, 0) == grandchild ? status
                                                                              : 1);
    }
    return child;
}

/* A child that draws before it forks, so that its own pages are wiped in turn. */
static pid_t by_child_of_a_drawer(sc_bits *bits, int out)
{
    pid_t child = fork();
    if (child == 0) {
        uint64_t word;
        int status = 1;
        if (sc_bits_take(bits, 3, &word, NULL) != SCRIM_OK)
            _exit(1);
        pid_t grandchild = by_clone(bits, out);
        _exit(grandchild > 0 && waitpid(grandchild, &status, 0) == grandchild ? status
                                                                              : 1);
    }
    return child;
}

/* A program that is started with the number of a pipe in this variable draws into it, and
 * never becomes a runner. */
static const char variable[] = "SCRIM_TEST_DRAW";

__attribute__((constructor)) static void draw_for_a_test(void)
{
    const char *out = getenv(variable);
    sc_bits *bits = NULL;
    if (out == NULL)
        return;
    if (sc_bits_system_open(&bits, NULL) != SCRIM_OK)
        _exit(1);
    draw_and_exit(bits, (int)strtol(out, NULL, 10));
}

static char program[4096];
static char *const arguments[] = {program, NULL};

/* Under an emulator the link itself would start the emulator, and what tells that where the
 * libraries are is in the environment: so by its own name, and with all of ours. */
static bool prepare_exec(int out)
{
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    char number[16];
    (void)snprintf(number, sizeof number, "%d", out);
    return CHECK(length > 0 && length < (ssize_t)sizeof program - 1) &&
           CHECK(setenv(variable, number, 1) == 0);
}

static pid_t by_vfork(sc_bits *bits, int out)
{
    (void)bits;
    if (!prepare_exec(out))
        return -1;
    pid_t child = vfork(); // NOLINT: it is what is being tested
    if (child == 0) {
        (void)execve(program, arguments, environ);
        _exit(1);
    }
    return child;
}

static pid_t by_spawn(sc_bits *bits, int out)
{
    pid_t child = -1;
    (void)bits;
    if (!prepare_exec(out))
        return -1;
    int failed = posix_spawn(&child, program, NULL, NULL, arguments, environ);
    return failed != 0 ? -1 : child;
}

/* All children from the same state of the source; then the parent goes on. */
static bool run_children(pid_t (*make)(sc_bits *, int), sc_bits *bits)
{
    for (int i = 0; i < CHILDREN; i++) {
        int ends[2], status = -1;
        if (!CHECK(pipe(ends) == 0))
            return false;
        pid_t child = make(bits, ends[1]);
        (void)close(ends[1]);
        bool good = CHECK(child > 0) && CHECK(read_draws(ends[0], &drawn[i])) &&
                    CHECK_INT(waitpid(child, &status, 0), child) && CHECK_INT(status, 0);
        (void)close(ends[0]);
        if (!good)
            return false;
    }
    return CHECK(draw_all(bits, &drawn[CHILDREN]));
}

static void check_children(pid_t (*make)(sc_bits *, int))
{
    sc_bits *bits = begun_source();
    if (bits != NULL && run_children(make, bits))
        check_independent();
    sc_bits_system_close(bits);
}

TEST(fork_repeats_no_bits)
{
    CLAIM("bits.fork");
    check_children(by_fork);
}

TEST(fork_by_raw_clone_repeats_no_bits)
{
    CLAIM("bits.fork");
    check_children(by_clone);
}

FAULT_TEST(fork_of_a_fork_repeats_no_bits)
{
    CLAIM("bits.fork");
    check_children(by_two_forks);
    check_children(by_child_of_a_drawer);
}

SLOW_TEST(fork_by_vfork_and_exec_repeats_no_bits)
{
    CLAIM("bits.fork");
    check_children(by_vfork);
}

SLOW_TEST(fork_by_posix_spawn_repeats_no_bits)
{
    CLAIM("bits.fork");
    check_children(by_spawn);
}

static int refusing_madvise(void *address, size_t bytes, int advice)
{
    (void)address, (void)bytes, (void)advice;
    errno = EINVAL;
    return -1;
}

TEST(fork_repeats_no_bits_where_the_kernel_cannot_wipe)
{
    CLAIM("bits.fork");
    system_call.madvise = refusing_madvise;
    check_children(by_fork);
}

/* The verdict of these tests on a source that a fork copies. */
TEST(fork_without_wiping_is_seen_to_repeat)
{
    system_call.madvise = wiping_pretended;
    sc_bits *bits = begun_source();
    REQUIRE(bits != NULL);
    if (run_children(by_clone, bits))
        CHECK(repeated(drawn, CHILDREN + 1) == (size_t)CHILDREN * DRAWS);
    sc_bits_system_close(bits);
}

/* Memory that is shared. */

static void *draw_in_thread(void *out)
{
    sc_bits *bits = NULL;
    if (sc_bits_system_open(&bits, NULL) != SCRIM_OK)
        return NULL;
    bool good = draw_all(bits, out);
    sc_bits_system_close(bits);
    return good ? out : NULL;
}

TEST(fork_free_threads_with_sources_of_their_own_repeat_no_bits)
{
    CLAIM("bits.fork");
    pthread_t threads[CHILDREN];
    sc_bits *bits = begun_source();
    REQUIRE(bits != NULL);
    for (int i = 0; i < CHILDREN; i++)
        REQUIRE(pthread_create(&threads[i], NULL, draw_in_thread, &drawn[i]) == 0);
    for (int i = 0; i < CHILDREN; i++) {
        void *result = NULL;
        CHECK_INT(pthread_join(threads[i], &result), 0);
        CHECK(result == &drawn[i]);
    }
    CHECK(draw_all(bits, &drawn[CHILDREN]));
    check_independent();
    sc_bits_system_close(bits);
}

typedef struct sharer {
    sc_bits *bits;
    draws *out;
    bool came; /* told by the child */
} sharer;

static int draw_in_parents_memory(void *argument)
{
    sharer *self = argument;
    self->came = true;
    return draw_all(self->bits, self->out) ? 0 : 1;
}

#ifndef __has_feature
#define __has_feature(name) 0 /* gcc */
#endif
#if defined(__SANITIZE_THREAD__) || __has_feature(thread_sanitizer)
enum { IS_WATCHING_THREADS = 1 };
#else
enum { IS_WATCHING_THREADS = 0 };
#endif

/* As a child of vfork that draws before it execs: parent and child use up one stream. */
TEST(fork_that_shares_memory_repeats_no_bits)
{
    CLAIM("bits.fork");
    if (IS_WATCHING_THREADS)
        SKIP(
            "the thread sanitizer ends a process whose child by clone shares its memory");
    static _Alignas(64) char stack[65536];
    sc_bits *bits = begun_source();
    REQUIRE(bits != NULL);
    for (int i = 0; i < CHILDREN; i++) {
        sharer share = {bits, &drawn[i], false};
        int status = -1;
        pid_t child = clone(draw_in_parents_memory, stack + sizeof stack,
                            CLONE_VM | CLONE_VFORK | SIGCHLD, &share);
        REQUIRE(child > 0);
        CHECK_INT(waitpid(child, &status, 0), child);
        CHECK_INT(status, 0);
        if (!share.came) {
            sc_bits_system_close(bits);
            SKIP("this kernel, or what stands in for it, shares no memory with a child");
        }
    }
    CHECK(draw_all(bits, &drawn[CHILDREN]));
    check_independent();
    sc_bits_system_close(bits);
}

/* Process numbers that come again. */

enum { REUSE_REFUSED = 77 }; /* the kernel does not let us try */

typedef struct life {
    pid_t number;
    draws draws;
} life;

/* Ends a process that has a source: nothing of it is lost. */
_Noreturn static void leave(sc_bits *bits, int status)
{
    sc_bits_system_close(bits);
    _exit(status);
}

/* The last of three: it bears the number of the first, whose source it has inherited. */
_Noreturn static void live_again(sc_bits *bits, life *out)
{
    out->number = getpid();
    leave(bits, draw_all(bits, &out->draws) ? 0 : 1);
}

/* The second: waits until the first is gone, and makes the third under its number. */
_Noreturn static void hand_on(sc_bits *bits, pid_t number, int first_is_gone, life *out)
{
    char byte;
    int status = 1;
    struct clone_args how = {.exit_signal = SIGCHLD,
                             .set_tid = (uint64_t)(uintptr_t)&number,
                             .set_tid_size = 1};
    if (read(first_is_gone, &byte, 1) != 1)
        leave(bits, 1);
    pid_t third = (pid_t)syscall(SYS_clone3, &how, sizeof how);
    if (third == 0)
        live_again(bits, out);
    if (third < 0)
        leave(bits, REUSE_REFUSED);
    leave(bits, waitpid(third, &status, 0) == third && status == 0 ? 0 : 1);
}

/* The first process of a namespace, to which orphans come. */
_Noreturn static void keep_house(life *lives)
{
    int gone[2], status = 1;
    if (pipe(gone) != 0)
        _exit(1);
    pid_t first = fork();
    if (first == 0) {
        sc_bits *bits = begun_source();
        pid_t number = getpid(), second = bits == NULL ? -1 : fork();
        if (second == 0)
            hand_on(bits, number, gone[0], &lives[1]);
        lives[0].number = number;
        leave(bits, second > 0 && draw_all(bits, &lives[0].draws) ? 0 : 1);
    }
    if (first < 0 || waitpid(first, &status, 0) != first || status != 0 ||
        write(gone[1], "", 1) != 1 || wait(&status) < 0)
        _exit(1);
    _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 1);
}

/* Two lives under one number; false, with a failed check or a skip, when it went
 * wrong. */
static bool reuse_number(life *lives)
{
    int status = 1;
    pid_t outside = fork();
    if (outside == 0) {
        int inside_status = 1;
        if (unshare(CLONE_NEWUSER | CLONE_NEWPID) != 0)
            _exit(REUSE_REFUSED);
        pid_t house = fork();
        if (house == 0)
            keep_house(lives);
        if (house < 0 || waitpid(house, &inside_status, 0) != house)
            _exit(1);
        _exit(WIFEXITED(inside_status) ? WEXITSTATUS(inside_status) : 1);
    }
    if (!CHECK(outside > 0) || !CHECK_INT(waitpid(outside, &status, 0), outside))
        return false;
    if (WIFEXITED(status) && WEXITSTATUS(status) == REUSE_REFUSED) {
        check_skip("no right to make a pid namespace and choose process numbers in it");
        return false;
    }
    return CHECK_INT(status, 0) && CHECK(lives[0].number > 0) &&
           CHECK_INT(lives[1].number, lives[0].number);
}

static life *shared_lives(void)
{
    void *memory = mmap(NULL, 2 * sizeof(life), PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

TEST(fork_under_a_process_number_that_comes_again_repeats_no_bits)
{
    CLAIM("bits.fork");
    life *lives = shared_lives();
    REQUIRE(lives != NULL);
    if (reuse_number(lives)) {
        drawn[0] = lives[0].draws;
        drawn[1] = lives[1].draws;
        CHECK_INT(repeated(drawn, 2), 0);
    }
    (void)munmap(lives, 2 * sizeof *lives);
}

TEST(fork_under_a_process_number_that_comes_again_is_seen_to_repeat)
{
    life *lives = shared_lives();
    REQUIRE(lives != NULL);
    system_call.madvise = wiping_pretended;
    if (reuse_number(lives))
        CHECK_BYTES(&lives[0].draws, &lives[1].draws, sizeof(draws));
    (void)munmap(lives, 2 * sizeof *lives);
}

/* A snapshot that is resumed many times. */

static pid_t by_resume_and_renew(sc_bits *bits, int out)
{
    pid_t child = fork();
    if (child == 0) {
        if (sc_bits_system_renew(bits, NULL) != SCRIM_OK)
            _exit(1);
        draw_and_exit(bits, out);
    }
    return child;
}

/* A fork without wiping copies all memory, as the image of a virtual machine does; that
 * it then repeats is shown above. */
TEST(fork_as_a_snapshot_repeats_no_bits_once_renewed)
{
    CLAIM("bits.renew");
    system_call.madvise = wiping_pretended;
    check_children(by_resume_and_renew);
}
