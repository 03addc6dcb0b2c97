/* The system calls of the library, so that a test can answer in the system's place: the linker sends its
 * calls here (--wrap, Makefile), and the library, which calls the system directly, knows nothing of
 * it. A test and what it runs have the same seam: an answer that asks the system itself calls
 * system_real.
 *
 *     system_call.getrandom = failing_getrandom;
 *     system_call.getrandom = NULL;               // the system again
 */
#ifndef SYSTEM_CALLS_H
#define SYSTEM_CALLS_H

#include <openssl/core.h>
#include <openssl/types.h>
#include <pwd.h>
#include <stddef.h>
#include <sys/types.h>
#include <sys/vfs.h>

typedef struct system_calls {
    ssize_t (*getrandom)(void *buffer, size_t bytes, unsigned flags);
    int (*madvise)(void *address, size_t bytes, int advice);
    int (*munmap)(void *address, size_t bytes);
    int (*open)(const char *path, int flags, ...);
    ssize_t (*pread)(int descriptor, void *bytes, size_t count, off_t offset);
    ssize_t (*pwrite)(int descriptor, const void *bytes, size_t count, off_t offset);
    int (*fallocate)(int descriptor, int mode, off_t offset, off_t bytes);
    int (*fstatfs)(int descriptor, struct statfs *out);
    int (*getpwuid_r)(uid_t user, struct passwd *entry, char *room, size_t bytes,
                      struct passwd **found);
    const OSSL_ALGORITHM *(*provider_query)(const OSSL_PROVIDER *provider, int operation,
                                            int *no_cache);
} system_calls;

extern system_calls system_call; /* what answers; NULL: the system */
extern const system_calls system_real;

#endif
