#include "base/digest.h"
#include "base/fork_guard.h"
#include "base/mac.h"
#include "base/reserve.h"
#include "check.h"
#include "sanitized.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

static atomic_int inside;

static void *stay(void *none)
{
    sc_fork_guard_enter();
    atomic_store(&inside, 1);
    (void)usleep(30000);
    /* A transaction computes with numbers, which may need the reserve's lock while a fork waits. */
    sc_reserve_release(sc_reserve_hold(1024));
    atomic_store(&inside, 2);
    sc_fork_guard_leave();
    return none;
}

TEST(A95_a_fork_waits_for_what_is_under_way)
{
    CLAIM("fork_guard.whole");
    pthread_t thread;
    int status = 1;
    REQUIRE(pthread_create(&thread, NULL, stay, NULL) == 0);
    while (atomic_load(&inside) == 0)
        (void)usleep(100);
    const pid_t child = fork();
    if (child == 0) {
        const int seen = atomic_load(&inside);
        sc_fork_guard_enter(); /* nobody holds it here */
        sc_fork_guard_leave();
        _exit(seen == 2 ? 0 : 2);
    }
    CHECK(child > 0 && waitpid(child, &status, 0) == child);
    CHECK_INT(status, 0);
    CHECK(pthread_join(thread, NULL) == 0);
    sc_fork_guard_enter();
    sc_fork_guard_leave();
}

/* Opens and closes what libcrypto gives, as every reader of a source does. */
static int use_libcrypto(void)
{
    sc_mac *mac = NULL;
    sc_digester *digester = NULL;
    const bool is_open = sc_mac_open(&mac, NULL) == SCRIM_OK &&
                         sc_digester_new(&digester, NULL) == SCRIM_OK;
    sc_digester_free(digester);
    sc_mac_close(mac);
    return is_open ? 0 : 1;
}

static void *use_for_ever(void *is_over)
{
    while (!atomic_load((atomic_bool *)is_over))
        (void)use_libcrypto();
    return NULL;
}

/* libcrypto's own lock is copied as it is: one that a thread holds is held in the child for ever. */
SLOW_TEST(A95_a_child_made_while_libcrypto_is_opened_can_open_it)
{
    CLAIM("fork_guard.whole");
    enum { THREADS = 2 };
    atomic_bool is_over = false;
    pthread_t threads[THREADS];
    if (IS_SANITIZED)
        SKIP("a sanitizer's memory is not made for a fork beside threads");
    for (int i = 0; i < THREADS; i++)
        REQUIRE(pthread_create(&threads[i], NULL, use_for_ever, &is_over) == 0);
    for (uint64_t i = 0; i < check_count_whole(400, 20000); i++) {
        int status = 1;
        const pid_t child = fork();
        if (child == 0) {
            (void)alarm(60); /* one that waits for ever is not waited for */
            _exit(use_libcrypto());
        }
        CHECK(child > 0 && waitpid(child, &status, 0) == child);
        if (!CHECK_INT(status, 0))
            break;
    }
    atomic_store(&is_over, true);
    for (int i = 0; i < THREADS; i++)
        CHECK(pthread_join(threads[i], NULL) == 0);
}
