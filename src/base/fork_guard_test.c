#include "base/fork_guard.h"
#include "base/reserve.h"
#include "check.h"

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
