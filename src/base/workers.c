#include "base/workers.h"

#include "base/memory.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <unistd.h>

#if defined(__x86_64__)
#include <cpuid.h>

/* Registers that the system keeps when it switches threads, as XCR0 has them. */
#define KEEPS_AVX 0x06U    /* those of SSE and of AVX */
#define KEEPS_AVX512 0xe6U /* and those of AVX-512 */

static unsigned kept_registers(void)
{
    unsigned a = 0, b = 0, c = 0, d = 0;
    if (!__get_cpuid(1, &a, &b, &c, &d) || (c & bit_OSXSAVE) == 0)
        return 0;
    __asm__("xgetbv" : "=a"(a), "=d"(d) : "c"(0));
    return a;
}

#define IS_KNOWN (1U << 31)

/* A bit for each of sc_vectors that may be used here. Asks the processor itself: what the C library offers for it came
 * with version 2.33, and wheels run on older ones. */
static unsigned usable_vectors(void)
{
    unsigned a = 0, b = 0, c = 0, d = 0;
    if (!__get_cpuid_count(7, 0, &a, &b, &c, &d))
        return 0;
    const unsigned kept = kept_registers();
    unsigned usable = 0;
    if ((kept & KEEPS_AVX) == KEEPS_AVX && (b & bit_AVX2) != 0)
        usable |= 1U << SC_AVX2;
    if ((kept & KEEPS_AVX512) != KEEPS_AVX512)
        return usable;
    usable |= (b & bit_AVX512F) != 0 ? 1U << SC_AVX512F : 0;
    usable |= (b & bit_AVX512BW) != 0 ? 1U << SC_AVX512BW : 0;
    usable |= (b & bit_AVX512VL) != 0 ? 1U << SC_AVX512VL : 0;
    usable |= (c & bit_AVX512VBMI2) != 0 ? 1U << SC_AVX512VBMI2 : 0;
    return usable;
}

bool sc_processor_has(sc_vectors vectors)
{
    /* A virtual machine is left at each such question, which takes as long as reading kilobytes. */
    static atomic_uint usable;
    unsigned found = atomic_load_explicit(&usable, memory_order_relaxed);
    if (found == 0) {
        found = usable_vectors() | IS_KNOWN;
        atomic_store_explicit(&usable, found, memory_order_relaxed);
    }
    return (found >> vectors & 1) != 0;
}
#else
bool sc_processor_has(sc_vectors vectors)
{
    (void)vectors;
    return false;
}
#endif

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
