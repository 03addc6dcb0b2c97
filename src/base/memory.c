#include "base/memory.h"

#include "base/checked.h"
#include "base/reserve.h"

#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

void *sc_allocate(size_t count, size_t size)
{
    size_t bytes;
    if (sc_reserve_is_low() || !sc_size_mul(count, size, &bytes))
        return NULL;
    return calloc(bytes > 0 ? bytes : 1, 1);
}

void *sc_allocate_raw(size_t bytes)
{
    return sc_reserve_is_low() ? NULL : malloc(bytes > 0 ? bytes : 1);
}

void sc_free(void *memory)
{
    free(memory);
}

bool sc_make_room(void *items, size_t count, size_t *capacity, size_t size)
{
    void *old;
    size_t wanted = 16;
    if (count < *capacity)
        return true;
    if (*capacity > 0 && !sc_size_mul(*capacity, 2, &wanted))
        return false;
    void *moved = sc_allocate(wanted, size);
    if (moved == NULL)
        return false;
    memcpy(&old, items, sizeof old); /* whatever its type */
    if (count > 0)
        memcpy(moved, old, count * size);
    sc_free(old);
    memcpy(items, &moved, sizeof moved);
    *capacity = wanted;
    return true;
}

void sc_wipe(void *memory, size_t bytes)
{
    if (bytes == 0)
        return;
    memset(memory, 0, bytes);
    /* Tells the compiler that somebody reads what was just written. */
    __asm__ volatile("" : : "r"(memory) : "memory");
}

void sc_free_wiped(void *memory, size_t bytes)
{
    if (memory == NULL)
        return;
    sc_wipe(memory, bytes);
    free(memory);
}

/* Arena. */

#define BLOCK_BYTES ((size_t)16 * 1024)

struct sc_arena_block {
    sc_arena_block *next;
    size_t capacity, used; /* of data, in bytes */
    alignas(max_align_t) unsigned char data[];
};

void sc_arena_init(sc_arena *arena)
{
    arena->blocks = NULL;
}

void sc_arena_clear(sc_arena *arena)
{
    sc_arena_block *block = arena->blocks;
    while (block != NULL) {
        sc_arena_block *next = block->next;
        sc_free_wiped(block, sizeof *block + block->used);
        block = next;
    }
    arena->blocks = NULL;
}

static sc_arena_block *new_block(size_t capacity)
{
    size_t bytes;
    if (!sc_size_add(sizeof(sc_arena_block), capacity, &bytes))
        return NULL;
    sc_arena_block *block = sc_allocate(1, bytes);
    if (block != NULL)
        block->capacity = capacity;
    return block;
}

/* A block with room for this number of bytes. A large object gets a block to itself, behind the
 * newest one, whose room is not lost to it. */
static sc_arena_block *block_for(sc_arena *arena, size_t bytes)
{
    sc_arena_block *newest = arena->blocks;
    if (newest != NULL && newest->capacity - newest->used >= bytes)
        return newest;
    sc_arena_block *block = new_block(bytes > BLOCK_BYTES ? bytes : BLOCK_BYTES);
    if (block == NULL)
        return NULL;
    if (newest != NULL && bytes > BLOCK_BYTES / 4) {
        block->next = newest->next;
        newest->next = block;
    } else {
        block->next = newest;
        arena->blocks = block;
    }
    return block;
}

void *sc_arena_allocate(sc_arena *arena, size_t count, size_t size)
{
    const size_t unit = alignof(max_align_t);
    size_t bytes;
    if (!sc_size_mul(count, size, &bytes) || !sc_size_add(bytes, unit - 1, &bytes))
        return NULL;
    bytes -= bytes % unit;
    if (bytes == 0)
        bytes = unit;
    sc_arena_block *block = block_for(arena, bytes);
    if (block == NULL)
        return NULL;
    void *memory = block->data + block->used;
    block->used += bytes;
    return memory;
}

char *sc_arena_copy(sc_arena *arena, const char *text, size_t bytes)
{
    size_t room;
    if (!sc_size_add(bytes, 1, &room))
        return NULL;
    char *copy = sc_arena_allocate(arena, room, 1);
    if (copy != NULL && bytes > 0)
        memcpy(copy, text, bytes);
    return copy;
}
