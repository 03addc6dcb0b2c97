#include "syscalls.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__x86_64__)

static bool is_storage(uint64_t number)
{
    static const uint64_t calls[] = {
        SYS_write,     SYS_pwrite64,  SYS_writev,   SYS_fsync,   SYS_fdatasync,
        SYS_ftruncate, SYS_rename,    SYS_renameat, SYS_link,    SYS_linkat,
        SYS_fallocate, SYS_renameat2, SYS_pwritev,  SYS_pwritev2};
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (calls[i] == number)
            return true;
    return false;
}

typedef struct trace {
    pid_t child;
    const syscalls_plan *plan;
    syscalls_result *out;
    bool is_failing; /* the call under way is to fail */
} trace;

/* The name of the file that the call under way is made on. */
static syscalls_call describe(pid_t child, const struct user_regs_struct *registers)
{
    const uint64_t number = registers->orig_rax;
    const bool is_at = number == SYS_renameat2 || number == SYS_renameat;
    syscalls_call call = {.is_sync = number == SYS_fsync || number == SYS_fdatasync,
                          .is_rename = is_at || number == SYS_rename};
    const struct iovec here = {call.path, sizeof call.path - 1};
    const struct iovec there = {// NOLINTNEXTLINE(performance-no-int-to-ptr): of the child
                                (void *)(is_at ? registers->rsi : registers->rdi),
                                sizeof call.path - 1};
    char link[64];
    if (call.is_rename || number == SYS_link) {
        (void)process_vm_readv(child, &here, 1, &there, 1, 0);
    } else {
        snprintf(link, sizeof link, "/proc/%d/fd/%d", (int)child, (int)registers->rdi);
        if (readlink(link, call.path, sizeof call.path - 1) < 0)
            call.path[0] = '\0';
    }
    return call;
}

/* Is it one of the calls that the plan speaks of? */
static bool is_counted(const trace *t, const struct user_regs_struct *registers)
{
    const uint64_t number = registers->orig_rax;
    const char *from = t->plan->reads_of;
    if (from == NULL)
        return is_storage(number);
    if (number != SYS_read && number != SYS_pread64)
        return false;
    const syscalls_call call = describe(t->child, registers);
    return strncmp(call.path, from, strlen(from)) == 0;
}

/* At the entry: a call that is to fail is replaced by one that does not exist. */
static void enter(trace *t)
{
    struct user_regs_struct registers;
    if (ptrace(PTRACE_GETREGS, t->child, NULL, &registers) != 0 ||
        !is_counted(t, &registers))
        return;
    const uint64_t nth = t->out->storage_calls++;
    if (t->plan->log != NULL && nth < t->plan->log_capacity)
        t->plan->log[nth] = describe(t->child, &registers);
    if (nth + 1 != t->plan->fail_at)
        return;
    t->out->was_hit = true;
    t->out->hit = describe(t->child, &registers);
    if (t->plan->is_short) {
        if (registers.orig_rax == SYS_write || registers.orig_rax == SYS_pwrite64)
            registers.rdx = registers.rdx > 1 ? registers.rdx / 2 : registers.rdx;
    } else {
        registers.orig_rax = (unsigned long long)-1;
        t->is_failing = true;
    }
    (void)ptrace(PTRACE_SETREGS, t->child, NULL, &registers);
}

static void leave(trace *t)
{
    struct user_regs_struct registers;
    if (!t->is_failing || ptrace(PTRACE_GETREGS, t->child, NULL, &registers) != 0)
        return;
    registers.rax = (unsigned long long)-(long long)t->plan->error;
    (void)ptrace(PTRACE_SETREGS, t->child, NULL, &registers);
    t->is_failing = false;
}

static void follow(trace *t)
{
    bool is_inside = false;
    int signal_to_pass = 0;
    for (;;) {
        if (ptrace(PTRACE_SYSCALL, t->child, NULL, signal_to_pass) != 0 ||
            waitpid(t->child, &t->out->wait_status, 0) != t->child)
            return;
        if (!WIFSTOPPED(t->out->wait_status))
            return;
        signal_to_pass = 0;
        if (WSTOPSIG(t->out->wait_status) != (SIGTRAP | 0x80)) {
            signal_to_pass = WSTOPSIG(t->out->wait_status);
            continue;
        }
        t->out->boundaries++;
        if (t->out->boundaries == t->plan->kill_at) {
            t->out->was_hit = true;
            (void)kill(t->child, SIGKILL);
            (void)waitpid(t->child, &t->out->wait_status, 0);
            return;
        }
        is_inside = !is_inside;
        if (is_inside)
            enter(t);
        else
            leave(t);
    }
}

bool syscalls_run(syscalls_body *body, void *context, const syscalls_plan *plan,
                  syscalls_result *out)
{
    int status = 0;
    memset(out, 0, sizeof *out);
    pid_t child = fork();
    if (child == 0) {
        if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0)
            _exit(77);
        raise(SIGSTOP);
        body(context);
        _exit(0);
    }
    if (child < 0 || waitpid(child, &status, 0) != child || !WIFSTOPPED(status))
        return false;
    if (ptrace(PTRACE_SETOPTIONS, child, NULL,
               PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL) != 0) {
        (void)kill(child, SIGKILL);
        (void)waitpid(child, &status, 0);
        return false;
    }
    trace t = {child, plan, out, false};
    follow(&t);
    return true;
}

#else

bool syscalls_run(syscalls_body *body, void *context, const syscalls_plan *plan,
                  syscalls_result *out)
{
    (void)body;
    (void)context;
    (void)plan;
    memset(out, 0, sizeof *out);
    return false;
}

#endif
