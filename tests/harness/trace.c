#include "trace.h"

#include "check.h"
#include "secret.h"

#include <elf.h>
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#define STEPS_MAX 20000000
#define EXIT_NOT_PERMITTED 77

/* The child passes here at the beginning and at the end of what is traced. */
void trace_mark(void);
__attribute__((noinline)) void trace_mark(void)
{
    __asm__ volatile("" ::: "memory");
}

_Noreturn static void be_traced(void (*body)(void *), void *warm, void *context)
{
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 ||
        ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0)
        _exit(EXIT_NOT_PERMITTED);
    body(warm);
    /* Not raise(): it may take a lock, and on arm64 a lock that is taken step by step is
     * never had. */
    syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), SIGSTOP);
    trace_mark();
    body(context);
    trace_mark();
    _exit(0);
}

static bool address_of(pid_t child, uint64_t *out)
{
    struct user_regs_struct registers = {0};
    struct iovec room = {&registers, sizeof registers};
    if (ptrace(PTRACE_GETREGSET, child, (void *)NT_PRSTATUS, &room) != 0)
        return false;
#if defined(__x86_64__)
    *out = registers.rip;
    return true;
#elif defined(__aarch64__)
    *out = registers.pc;
    return true;
#else
    (void)out;
    return false;
#endif
}

/* FNV-1a on whole addresses, with the high half folded down between them. */
static uint64_t mix(uint64_t hash, uint64_t address)
{
    hash = (hash ^ address) * UINT64_C(0x100000001b3);
    return hash ^ hash >> 32;
}

/* Steps the child, which has stopped, until it has passed both marks. */
static bool follow(pid_t child, trace *out)
{
    const uint64_t mark = (uint64_t)(uintptr_t)trace_mark;
    trace seen = {0, UINT64_C(0xcbf29ce484222325)};
    bool inside = false;
    for (uint64_t step = 0; step < STEPS_MAX; step++) {
        int status;
        uint64_t address;
        if (ptrace(PTRACE_SINGLESTEP, child, NULL, NULL) != 0 ||
            waitpid(child, &status, 0) != child || !WIFSTOPPED(status) ||
            WSTOPSIG(status) != SIGTRAP || !address_of(child, &address))
            return false;
        if (address == mark && inside) {
            *out = seen;
            return true;
        }
        inside = inside || address == mark;
        if (inside) {
            seen.steps++;
            seen.hash = mix(seen.hash, address);
        }
    }
    return false;
}

/* Takes a trace; else says why it could not be. */
static const char *take(void (*body)(void *), void *warm, void *context, trace *out)
{
    const pid_t child = fork();
    if (child == 0)
        be_traced(body, warm, context);
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child)
        return "no child could be made to trace";
    if (!WIFSTOPPED(status))
        return WIFEXITED(status) && WEXITSTATUS(status) == EXIT_NOT_PERMITTED
                   ? "ptrace is not permitted here"
                   : "the child that is traced ended early";
    const bool followed = WSTOPSIG(status) == SIGSTOP && follow(child, out);
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
    return followed ? NULL : "the child could not be followed step by step";
}

static void nothing(void *context)
{
    (void)context;
}

const char *trace_unavailable(void)
{
#if !defined(__x86_64__) && !defined(__aarch64__)
    return "traces are taken on x86-64 and arm64";
#endif
#ifndef __OPTIMIZE__
    return "without optimisation a choice is a jump";
#endif
    if (secret_is_instrumented())
        return "an instrumented program has traces of its own";
    trace probe;
    return take(nothing, NULL, NULL, &probe);
}

trace trace_of(void (*body)(void *context), void *warm, void *context)
{
    trace seen = {0, 0};
    const char *reason = take(body, warm, context, &seen);
    if (reason != NULL)
        CHECK_FAIL("%s: %s", reason, strerror(errno));
    return seen;
}

bool trace_is_equal(trace a, trace b)
{
    return a.steps == b.steps && a.hash == b.hash;
}
