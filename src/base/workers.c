#include "base/workers.h"

#include "base/memory.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <unistd.h>

#if defined(__x86_64__)
#if __has_include(<sys/platform/x86.h>)
#include <sys/platform/x86.h>

#define WORD_BITS 32U
#define LEAF_BITS (4 * WORD_BITS)

/* CPU_FEATURE_ACTIVE of the C library shifts a signed 1 into the sign, as for AVX512VL, which is undefined. */
static bool is_active(unsigned feature)
{
    const struct cpuid_feature *leaf = __x86_get_cpuid_feature_leaf(feature / LEAF_BITS);
    return (leaf->active_array[feature % LEAF_BITS / WORD_BITS] >> feature % WORD_BITS &
            1U) != 0;
}
#define HAS(feature, name) is_active(x86_cpu_##feature)
#else
#define HAS(feature, name) __builtin_cpu_supports(name)
#endif
#else
#define HAS(feature, name) false
#endif

bool sc_processor_has(sc_vectors vectors)
{
    switch (vectors) {
    case SC_AVX2:
        return HAS(AVX2, "avx2");
    case SC_AVX512F:
        return HAS(AVX512F, "avx512f");
    case SC_AVX512BW:
        return HAS(AVX512BW, "avx512bw");
    case SC_AVX512VL:
        return HAS(AVX512VL, "avx512vl");
    case SC_AVX512VBMI2:
        return HAS(AVX512_VBMI2, "avx512vbmi2");
    }
    return false;
}

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
