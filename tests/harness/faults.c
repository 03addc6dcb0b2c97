#include "faults.h"

#include "check.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>

/* Given by the linker: --wrap=malloc sends calls of malloc to __wrap_malloc, and those of
 * __real_malloc to the C library (or to the sanitizer that stands in for it). */
void *__real_malloc(size_t bytes);               // NOLINT: the linker chose the name
void *__real_calloc(size_t count, size_t bytes); // NOLINT: the linker chose the name
void *__real_realloc(void *old, size_t bytes);   // NOLINT: the linker chose the name
void *__wrap_malloc(size_t bytes);               // NOLINT: the linker chose the name
void *__wrap_calloc(size_t count, size_t bytes); // NOLINT: the linker chose the name
void *__wrap_realloc(void *old, size_t bytes);   // NOLINT: the linker chose the name

static atomic_uint_fast64_t allocations; /* since the process started */
static atomic_uint_fast64_t fails_at;    /* the allocation to refuse; 0: none */
static atomic_bool has_hit;

static bool is_refused(void)
{
    if (atomic_fetch_add(&allocations, 1) + 1 != atomic_load(&fails_at))
        return false;
    atomic_store(&has_hit, true);
    errno = ENOMEM;
    return true;
}

void *__wrap_malloc(size_t bytes) // NOLINT: the linker chose the name
{
    return is_refused() ? NULL : __real_malloc(bytes);
}

void *__wrap_calloc(size_t count, size_t bytes) // NOLINT: the linker chose the name
{
    return is_refused() ? NULL : __real_calloc(count, bytes);
}

void *__wrap_realloc(void *old, size_t bytes) // NOLINT: the linker chose the name
{
    return is_refused() ? NULL : __real_realloc(old, bytes);
}

/* The short tier takes the first ones one by one, and then every third. */
#define ONE_BY_ONE 100

static uint64_t step_from(uint64_t nth)
{
    return check_is_long() || nth < ONE_BY_ONE ? 1 : 3;
}

bool fault_next(fault_loop *loop)
{
    if (loop->nth > 0 && !atomic_load(&has_hit))
        loop->ended = true;
    if (loop->ended) {
        atomic_store(&fails_at, 0);
        return false;
    }
    loop->nth += step_from(loop->nth);
    atomic_store(&has_hit, false);
    atomic_store(&fails_at, atomic_load(&allocations) + loop->nth);
    return true;
}

bool fault_hit(void)
{
    return atomic_load(&has_hit);
}

uint64_t fault_allocations(void)
{
    return atomic_load(&allocations);
}
