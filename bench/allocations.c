#include "allocations.h"

#include <stddef.h>

static uint64_t made;

uint64_t allocations_made(void)
{
    return made;
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)

bool allocations_are_counted(void)
{
    return false;
}

#else

bool allocations_are_counted(void)
{
    return true;
}

/* The program's own malloc stands before the C library's, for every library that is
 * linked: GMP, Arb and libcrypto allocate through these too. */
#define EVERYWHERE __attribute__((visibility("default")))

void *__libc_malloc(size_t bytes);               // NOLINT: the C library chose the name
void *__libc_calloc(size_t count, size_t bytes); // NOLINT: the C library chose the name
void *__libc_realloc(void *old, size_t bytes);   // NOLINT: the C library chose the name
EVERYWHERE void *malloc(size_t bytes);
EVERYWHERE void *calloc(size_t count, size_t bytes);
EVERYWHERE void *realloc(void *old, size_t bytes);

void *malloc(size_t bytes)
{
    made++;
    return __libc_malloc(bytes);
}

void *calloc(size_t count, size_t bytes)
{
    made++;
    return __libc_calloc(count, bytes);
}

void *realloc(void *old, size_t bytes)
{
    made++;
    return __libc_realloc(old, bytes);
}

#endif
