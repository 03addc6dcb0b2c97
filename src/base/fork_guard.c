#include "base/fork_guard.h"

#include <pthread.h>

/* Any number of threads pass a gate at once; a fork waits until none is inside and keeps it shut meanwhile. A lock for
 * readers and writers would do the same in the parent, but the child could not open it: that lock remembers the number
 * of the thread that shut it, and the child's thread has another. A plain mutex may be released there. */
typedef struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    unsigned inside;
    unsigned forks; /* that wait or are under way: they come before those who enter */
} gate;

#define OPEN_GATE                                                                        \
    {                                                                                    \
        .lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER           \
    }

/* The process has one pair of gates, as it has one reserve (base/reserve.h); a fork copies both. */
static gate guard = OPEN_GATE;
/* A fork shuts it second and those who enter pass it last: nobody is inside of this one and waits for the other. */
static gate moment = OPEN_GATE;

static void enter(gate *g)
{
    (void)pthread_mutex_lock(&g->lock);
    while (g->forks > 0)
        (void)pthread_cond_wait(&g->changed, &g->lock);
    ++g->inside;
    (void)pthread_mutex_unlock(&g->lock);
}

static void leave(gate *g)
{
    (void)pthread_mutex_lock(&g->lock);
    if (--g->inside == 0 && g->forks > 0)
        (void)pthread_cond_broadcast(&g->changed);
    (void)pthread_mutex_unlock(&g->lock);
}

/* Returns with the gate's mutex held, until it is opened again. */
static void shut(gate *g)
{
    (void)pthread_mutex_lock(&g->lock);
    ++g->forks;
    while (g->inside > 0)
        (void)pthread_cond_wait(&g->changed, &g->lock);
}

static void open_again(gate *g)
{
    --g->forks;
    (void)pthread_cond_broadcast(&g->changed);
    (void)pthread_mutex_unlock(&g->lock);
}

/* The child has one thread: others that wait or fork in the parent do not exist here. */
static void open_in_child(gate *g)
{
    g->forks = 0;
    g->changed = (pthread_cond_t)PTHREAD_COND_INITIALIZER;
    (void)pthread_mutex_unlock(&g->lock);
}

void sc_fork_guard_enter(void)
{
    enter(&guard);
}

void sc_fork_guard_leave(void)
{
    leave(&guard);
}

void sc_fork_guard_moment_enter(void)
{
    enter(&moment);
}

void sc_fork_guard_moment_leave(void)
{
    leave(&moment);
}

static void before_fork(void)
{
    shut(&guard);
    shut(&moment);
}

static void after_fork(void)
{
    open_again(&moment);
    open_again(&guard);
}

static void after_fork_in_child(void)
{
    open_in_child(&moment);
    open_in_child(&guard);
}

/* When the library is unloaded the system forgets these. */
__attribute__((constructor)) static void watch_forks(void)
{
    (void)pthread_atfork(before_fork, after_fork, after_fork_in_child);
}
