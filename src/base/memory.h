/* Allocation, wiping and arenas. The one place of the library that calls the allocator. */
#ifndef SC_BASE_MEMORY_H
#define SC_BASE_MEMORY_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

/* count objects of size bytes, zeroed, or NULL (also when the product overflows; a size of 0
 * gives a valid pointer). Freed by sc_free. */
void *sc_allocate(size_t count, size_t size);
/* The same for bytes that hold anything: for much memory that is written once, and would be fetched
 * twice if it were zeroed first. */
void *sc_allocate_raw(size_t bytes);
void sc_free(void *memory);
/* Room for one more in an array that sc_allocate made, or NULL: *(void **)items, with count of
 * *capacity objects of size bytes in use. False without memory; then nothing has changed. */
bool sc_make_room(void *items, size_t count, size_t *capacity, size_t size);

/* Overwrites memory in a way that the compiler keeps. */
void sc_wipe(void *memory, size_t bytes);
/* Wipes, then frees; NULL is allowed. For keys, noise and raw values. */
void sc_free_wiped(void *memory, size_t bytes);

/* Many small objects with one lifetime. sc_arena_clear wipes and frees them all. */
typedef struct sc_arena_block sc_arena_block;
typedef struct sc_arena {
    sc_arena_block *blocks; /* newest first */
} sc_arena;

void sc_arena_init(sc_arena *arena);
void sc_arena_clear(sc_arena *arena);
/* Zeroed memory aligned for any object, or NULL. */
void *sc_arena_allocate(sc_arena *arena, size_t count, size_t size);
/* A terminated copy of bytes of text, or NULL. */
char *sc_arena_copy(sc_arena *arena, const char *text, size_t bytes);

#endif
