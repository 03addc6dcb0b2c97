#include "base/workers.h"

#include "base/memory.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <unistd.h>

typedef struct member {
    sc_workers_task *task;
    void *context;
    unsigned number;
    pthread_t thread;
    bool is_thread;
    scrim_status status;
    scrim_error error;
} member;

static void *work(void *memory)
{
    member *own = memory;
    own->status = own->task(own->context, own->number, &own->error);
    return NULL;
}

static void start_threads(member *members, unsigned workers)
{
    sigset_t all, before;
    sigfillset(&all);
    const bool is_masked = pthread_sigmask(SIG_SETMASK, &all, &before) == 0;
    for (unsigned i = 1; i < workers; i++)
        members[i].is_thread =
            pthread_create(&members[i].thread, NULL, work, &members[i]) == 0;
    if (is_masked)
        pthread_sigmask(SIG_SETMASK, &before, NULL);
}

scrim_status sc_workers_run(unsigned workers, sc_workers_task *task, void *context,
                            scrim_error *error)
{
    if (workers < 1 || workers > SC_WORKERS_MAX)
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "workers",
                                 "from 1 to %d", SC_WORKERS_MAX);
    member *members = sc_allocate(workers, sizeof *members);
    if (members == NULL)
        return sc_fail(error, SCRIM_E_MEMORY, "no memory");
    for (unsigned i = 0; i < workers; i++)
        members[i] = (member){.task = task, .context = context, .number = i};
    const pid_t here = getpid();
    start_threads(members, workers);
    work(&members[0]);
    scrim_status status = SCRIM_OK;
    const bool is_child =
        getpid() != here; /* the task has forked: the threads are not here */
    for (unsigned i = 0; i < workers; i++) {
        if (members[i].is_thread && !is_child)
            pthread_join(members[i].thread, NULL);
        if (status == SCRIM_OK && members[i].status != SCRIM_OK)
            status = sc_fail_again(error, members[i].status, &members[i].error, "%s",
                                   members[i].error.message);
    }
    sc_free(members);
    return status;
}
