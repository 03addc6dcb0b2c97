#include "system_calls.h"

#include <fcntl.h>
#include <openssl/provider.h>
#include <stdarg.h>

// NOLINTBEGIN: the linker chose the names
ssize_t __real_getrandom(void *buffer, size_t bytes, unsigned flags);
ssize_t __wrap_getrandom(void *buffer, size_t bytes, unsigned flags);
int __real_madvise(void *address, size_t bytes, int advice);
int __wrap_madvise(void *address, size_t bytes, int advice);
int __real_munmap(void *address, size_t bytes);
int __wrap_munmap(void *address, size_t bytes);
int __real_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...);
ssize_t __real_pread(int descriptor, void *bytes, size_t count, off_t offset);
ssize_t __wrap_pread(int descriptor, void *bytes, size_t count, off_t offset);
ssize_t __real_pwrite(int descriptor, const void *bytes, size_t count, off_t offset);
ssize_t __wrap_pwrite(int descriptor, const void *bytes, size_t count, off_t offset);
int __real_fallocate(int descriptor, int mode, off_t offset, off_t bytes);
int __wrap_fallocate(int descriptor, int mode, off_t offset, off_t bytes);
int __real_fstatfs(int descriptor, struct statfs *out);
int __wrap_fstatfs(int descriptor, struct statfs *out);
int __real_getpwuid_r(uid_t user, struct passwd *entry, char *room, size_t bytes,
                      struct passwd **found);
int __wrap_getpwuid_r(uid_t user, struct passwd *entry, char *room, size_t bytes,
                      struct passwd **found);
const OSSL_ALGORITHM *__real_OSSL_PROVIDER_query_operation(const OSSL_PROVIDER *provider,
                                                           int operation, int *no_cache);
const OSSL_ALGORITHM *__wrap_OSSL_PROVIDER_query_operation(const OSSL_PROVIDER *provider,
                                                           int operation, int *no_cache);
// NOLINTEND

system_calls system_call;
const system_calls system_real = {.getrandom = __real_getrandom,
                                  .madvise = __real_madvise,
                                  .munmap = __real_munmap,
                                  .open = __real_open,
                                  .pread = __real_pread,
                                  .pwrite = __real_pwrite,
                                  .fallocate = __real_fallocate,
                                  .fstatfs = __real_fstatfs,
                                  .getpwuid_r = __real_getpwuid_r,
                                  .provider_query = __real_OSSL_PROVIDER_query_operation};

/* Who answers. */
#define ANSWER(call) (system_call.call != NULL ? system_call.call : system_real.call)

ssize_t __wrap_getrandom(void *buffer, size_t bytes, unsigned flags)
{
    return ANSWER(getrandom)(buffer, bytes, flags);
}

int __wrap_madvise(void *address, size_t bytes, int advice)
{
    return ANSWER(madvise)(address, bytes, advice);
}

int __wrap_munmap(void *address, size_t bytes)
{
    return ANSWER(munmap)(address, bytes);
}

int __wrap_open(const char *path, int flags, ...)
{
    va_list list;
    va_start(list, flags);
    const mode_t mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(list, mode_t) : 0;
    va_end(list);
    return ANSWER(open)(path, flags, mode);
}

ssize_t __wrap_pread(int descriptor, void *bytes, size_t count, off_t offset)
{
    return ANSWER(pread)(descriptor, bytes, count, offset);
}

ssize_t __wrap_pwrite(int descriptor, const void *bytes, size_t count, off_t offset)
{
    return ANSWER(pwrite)(descriptor, bytes, count, offset);
}

int __wrap_fallocate(int descriptor, int mode, off_t offset, off_t bytes)
{
    return ANSWER(fallocate)(descriptor, mode, offset, bytes);
}

int __wrap_fstatfs(int descriptor, struct statfs *out)
{
    return ANSWER(fstatfs)(descriptor, out);
}

int __wrap_getpwuid_r(uid_t user, struct passwd *entry, char *room, size_t bytes,
                      struct passwd **found)
{
    return ANSWER(getpwuid_r)(user, entry, room, bytes, found);
}

const OSSL_ALGORITHM *__wrap_OSSL_PROVIDER_query_operation(const OSSL_PROVIDER *provider,
                                                           int operation, int *no_cache)
{
    return ANSWER(provider_query)(provider, operation, no_cache);
}
