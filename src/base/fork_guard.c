#include "base/fork_guard.h"

#include <pthread.h>

#ifdef PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP
#define FREE PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP
#else
#define FREE PTHREAD_RWLOCK_INITIALIZER
#endif

/* Held shared by threads that enter, and exclusively by a fork, which comes first. The process has one such lock, as it
 * has one reserve (base/reserve.h); a fork copies both. */
static pthread_rwlock_t guard = FREE;
/* A fork takes it second and those who enter take it last: nobody holds this one and waits for the other. */
static pthread_rwlock_t moment = FREE;

void sc_fork_guard_enter(void)
{
    (void)pthread_rwlock_rdlock(&guard);
}

void sc_fork_guard_leave(void)
{
    (void)pthread_rwlock_unlock(&guard);
}

void sc_fork_guard_moment_enter(void)
{
    (void)pthread_rwlock_rdlock(&moment);
}

void sc_fork_guard_moment_leave(void)
{
    (void)pthread_rwlock_unlock(&moment);
}

static void before_fork(void)
{
    (void)pthread_rwlock_wrlock(&guard);
    (void)pthread_rwlock_wrlock(&moment);
}

static void after_fork(void)
{
    sc_fork_guard_moment_leave();
    sc_fork_guard_leave();
}

/* The child's thread has another number than the one that holds the locks: it makes new ones. */
static void after_fork_in_child(void)
{
    guard = moment = (pthread_rwlock_t)FREE;
}

/* When the library is unloaded the system forgets these. */
__attribute__((constructor)) static void watch_forks(void)
{
    (void)pthread_atfork(before_fork, after_fork, after_fork_in_child);
}
