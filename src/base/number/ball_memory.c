#include "base/number/ball_memory.h"

#include <dlfcn.h>
#include <flint/flint.h>
#include <gmp.h>
#include <malloc.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The functions that were there when the library was loaded; not changed afterwards. */
static struct {
    void *(*allocate)(size_t);
    void *(*reallocate)(void *, size_t, size_t);
    void (*release)(void *, size_t);
} gmp;
/* malloc, realloc and free, looked up by name: GMP calls them by the thousand, and the allocations
 * that tests refuse when they are linked are those of the library itself. */
static struct {
    void *(*allocate)(size_t);
    void *(*reallocate)(void *, size_t);
    void (*release)(void *);
} allocator;
static struct {
    void *(*allocate)(size_t);
    void *(*callocate)(size_t, size_t);
    void *(*reallocate)(void *, size_t);
    void (*release)(void *);
} flint;

/* Its value is not NULL in threads that have computed with balls. */
static pthread_key_t thread_end;
static bool has_thread_end;

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Moves a block of the reserve to `now`; keeps it where that is NULL. */
static void *moved(void *old, size_t old_bytes, void *now, size_t bytes)
{
    if (now != NULL) {
        memcpy(now, old, smaller(old_bytes, bytes));
        (void)sc_reserve_give(old);
    }
    return now;
}

/* GMP. Its functions never see NULL, and must not return it. */

static void *gmp_allocate(size_t bytes)
{
    void *memory = allocator.allocate(bytes);
    if (memory == NULL)
        memory = sc_reserve_take(bytes);
    return memory != NULL ? memory : gmp.allocate(bytes);
}

static void *gmp_reallocate(void *old, size_t old_bytes, size_t bytes)
{
    if (sc_reserve_is_used() && sc_reserve_bytes(old) > 0)
        return moved(old, old_bytes, gmp_allocate(bytes), bytes);
    void *memory = allocator.reallocate(old, bytes);
    if (memory != NULL)
        return memory;
    memory = sc_reserve_take(bytes);
    if (memory == NULL)
        return gmp.reallocate(old, old_bytes, bytes);
    memcpy(memory, old, smaller(old_bytes, bytes));
    allocator.release(old);
    return memory;
}

static void gmp_release(void *memory, size_t bytes)
{
    (void)bytes;
    if (!sc_reserve_is_used() || !sc_reserve_give(memory))
        allocator.release(memory);
}

/* FLINT ends the process where one of these returns NULL. */

static void *flint_allocate(size_t bytes)
{
    void *memory = flint.allocate(bytes);
    return memory != NULL ? memory : sc_reserve_take(bytes);
}

static void *flint_callocate(size_t count, size_t size)
{
    void *memory = flint.callocate(count, size);
    if (memory != NULL || (size > 0 && count > SIZE_MAX / size))
        return memory;
    memory = sc_reserve_take(count * size);
    return memory != NULL ? memset(memory, 0, count * size) : NULL;
}

static void *flint_reallocate(void *old, size_t bytes)
{
    const size_t reserved = sc_reserve_is_used() ? sc_reserve_bytes(old) : 0;
    if (reserved > 0)
        return moved(old, reserved, flint_allocate(bytes), bytes);
    void *memory = flint.reallocate(old, bytes);
    if (memory != NULL || (memory = sc_reserve_take(bytes)) == NULL)
        return memory;
    memcpy(memory, old, smaller(malloc_usable_size(old), bytes));
    flint.release(old);
    return memory;
}

static void flint_release(void *memory)
{
    if (!sc_reserve_is_used() || !sc_reserve_give(memory))
        flint.release(memory);
}

/* A thread that ends. Where another destructor computes with balls after this one, it is called again. */
static void free_caches(void *unused)
{
    (void)unused;
    flint_cleanup();
}

void __gmp_default_free(void *memory, size_t bytes); // NOLINT: GMP's own name

/* Sets the pointer to a function, of any type, that `function` points to. */
static void look_up(const char *name, void *function)
{
    void *found = dlsym(RTLD_DEFAULT, name);
    memcpy(function, &found, sizeof found);
}

/* They stay for as long as the process lives: the shared library is linked so that it is never
 * unloaded. */
__attribute__((constructor)) static void set_functions(void)
{
    __flint_get_memory_functions(&flint.allocate, &flint.callocate, &flint.reallocate,
                                 &flint.release);
    __flint_set_memory_functions(flint_allocate, flint_callocate, flint_reallocate,
                                 flint_release);
    mp_get_memory_functions(&gmp.allocate, &gmp.reallocate, &gmp.release);
    look_up("malloc", &allocator.allocate);
    look_up("realloc", &allocator.reallocate);
    look_up("free", &allocator.release);
    if (gmp.release == __gmp_default_free && allocator.allocate != NULL &&
        allocator.reallocate != NULL && allocator.release != NULL)
        mp_set_memory_functions(gmp_allocate, gmp_reallocate, gmp_release);
    has_thread_end = pthread_key_create(&thread_end, free_caches) == 0;
}

void sc_ball_memory_bind(void)
{
    sc_ball_memory_settle();
    if (has_thread_end && pthread_getspecific(thread_end) == NULL)
        (void)pthread_setspecific(thread_end, &thread_end); /* else the caches stay */
}

void sc_ball_memory_settle(void)
{
    if (sc_reserve_is_used())
        flint_cleanup();
}

scrim_status sc_ball_memory_check(uint64_t refusals, scrim_status status,
                                  scrim_error *error)
{
    return sc_reserve_refusals() == refusals ? status : sc_no_memory(error, "numbers");
}
