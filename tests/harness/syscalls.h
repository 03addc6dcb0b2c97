/* System calls under the eyes of a tracer: a body runs in a child process, which is killed at a
 * chosen boundary of a system call, or one of whose calls to the disk fails. Nothing is linked in
 * and nothing is replaced: the program under test is the one that ships, and so are its
 * libraries. x86-64 and Linux; elsewhere syscalls_run says that it cannot.
 */
#ifndef SYSCALLS_H
#define SYSCALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One call that writes, syncs, cuts, renames or links, as it was seen. */
typedef struct syscalls_call {
    bool is_sync, is_rename;
    char path[160]; /* of its file; of a rename, what was renamed */
} syscalls_call;

typedef struct syscalls_plan {
    uint64_t kill_at; /* the n-th boundary, before or after a call; 0: never */
    uint64_t
        fail_at; /* the n-th call that writes, syncs, cuts, renames or links; 0: none */
    const char
        *reads_of; /* then that reads from a file whose name begins so; NULL: not these */
    int error;     /* what it fails with, without having been made */
    bool is_short; /* it writes half of what it was given instead */
    syscalls_call *log; /* NULL: not wanted; else the calls to the disk, in order */
    size_t log_capacity;
} syscalls_plan;

typedef struct syscalls_result {
    uint64_t boundaries, storage_calls; /* that were seen */
    bool was_hit;                       /* the plan has come to pass */
    syscalls_call hit;                  /* the call that has failed */
    int wait_status;
} syscalls_result;

typedef void syscalls_body(void *context);

/* False when the system does not allow it. The child ends by _exit(0) after the body. */
bool syscalls_run(syscalls_body *body, void *context, const syscalls_plan *plan,
                  syscalls_result *out);

#endif
