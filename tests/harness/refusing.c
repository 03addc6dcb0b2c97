#include "refusing.h"

#include "base/reserve.h"
#include "check.h"

#include <flint/flint.h>
#include <gmp.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

static struct {
    void *(*allocate)(size_t);
    void *(*reallocate)(void *, size_t, size_t);
    void (*release)(void *, size_t);
} gmp;
static struct {
    void *(*allocate)(size_t);
    void *(*callocate)(size_t, size_t);
    void *(*reallocate)(void *, size_t);
    void (*release)(void *);
} flint;
static size_t allocations;

static void *take(size_t bytes)
{
    void *memory = sc_reserve_take(bytes);
    allocations++;
    if (memory == NULL)
        CHECK_FAIL("the reserve has no %zu bytes left", bytes);
    return memory != NULL ? memory : malloc(bytes);
}

static void give(void *memory)
{
    if (!sc_reserve_give(memory))
        gmp.release(memory, 0);
}

static void give_sized(void *memory, size_t bytes)
{
    (void)bytes;
    give(memory);
}

static void *take_zeroed(size_t count, size_t size)
{
    return memset(take(count * size), 0, count * size);
}

static void *take_again(void *old, size_t bytes)
{
    const size_t reserved = sc_reserve_bytes(old);
    const size_t had = reserved > 0 ? reserved : malloc_usable_size(old);
    void *memory = take(bytes);
    memcpy(memory, old, had < bytes ? had : bytes);
    give(old);
    return memory;
}

static void *take_sized_again(void *old, size_t old_bytes, size_t bytes)
{
    (void)old_bytes;
    return take_again(old, bytes);
}

void refusing_begin(void)
{
    allocations = 0;
    mp_get_memory_functions(&gmp.allocate, &gmp.reallocate, &gmp.release);
    __flint_get_memory_functions(&flint.allocate, &flint.callocate, &flint.reallocate,
                                 &flint.release);
    mp_set_memory_functions(take, take_sized_again, give_sized);
    __flint_set_memory_functions(take, take_zeroed, take_again, give);
}

void refusing_end(void)
{
    mp_set_memory_functions(gmp.allocate, gmp.reallocate, gmp.release);
    __flint_set_memory_functions(flint.allocate, flint.callocate, flint.reallocate,
                                 flint.release);
}

size_t refusing_count(void)
{
    return allocations;
}
