#include "query/rows/unit_pool.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/mman.h>

/* A large page of most machines, and how many of them make a block. */
#define PAGE_BYTES ((size_t)1 << 21)
#define BLOCK_BYTES (2 * PAGE_BYTES)

/* In front of a small block, so that its pieces are aligned for any object. */
#define HEAD_BYTES ((size_t)16)

struct sc_unit_pool_block {
    sc_unit_pool_block *next;
};

struct sc_unit_pool_piece {
    sc_unit_pool_piece *next;
};

void sc_unit_pool_init(sc_unit_pool *pool)
{
    *pool = (sc_unit_pool){.blocks = NULL};
}

void sc_unit_pool_expect(sc_unit_pool *pool, size_t bytes)
{
    pool->is_small = bytes < SC_UNIT_POOL_LARGE;
}

void sc_unit_pool_clear(sc_unit_pool *pool)
{
    const bool is_small = pool->is_small;
    while (pool->blocks != NULL) {
        sc_unit_pool_block *next = pool->blocks->next;
        sc_free(pool->blocks);
        pool->blocks = next;
    }
    sc_unit_pool_init(pool);
    pool->is_small = is_small;
}

static void put_block(sc_unit_pool *pool, sc_unit_pool_block *block, unsigned char *at,
                      size_t bytes)
{
    pool->at = at;
    pool->end = at + bytes;
    block->next = pool->blocks;
    pool->blocks = block;
}

static bool add_small(sc_unit_pool *pool)
{
    sc_unit_pool_block *block = sc_allocate_raw(HEAD_BYTES + SC_UNIT_POOL_SMALL);
    if (block == NULL)
        return false;
    put_block(pool, block, (unsigned char *)block + HEAD_BYTES, SC_UNIT_POOL_SMALL);
    return true;
}

/* Memory before the first large page is never touched, so that it takes none. */
static bool add_large(sc_unit_pool *pool)
{
    sc_unit_pool_block *block = sc_allocate_raw(sizeof *block + PAGE_BYTES + BLOCK_BYTES);
    if (block == NULL)
        return false;
    unsigned char *behind = (unsigned char *)(block + 1);
    put_block(pool, block, behind + (-(uintptr_t)behind & (PAGE_BYTES - 1)), BLOCK_BYTES);
#ifdef MADV_HUGEPAGE
    /* Advisory: if the kernel refuses, pages are small. */
    (void)madvise(pool->at, BLOCK_BYTES, MADV_HUGEPAGE);
#endif
    return true;
}

void *sc_unit_pool_take(sc_unit_pool *pool)
{
    sc_unit_pool_piece *spare = atomic_load(&pool->spare);
    if (spare != NULL) {
        atomic_store(&pool->spare, spare->next);
        return spare;
    }
    if (pool->at == pool->end && !(pool->is_small ? add_small(pool) : add_large(pool)))
        return NULL;
    void *piece = pool->at;
    pool->at += SC_UNIT_POOL_BYTES;
    return piece;
}

void sc_unit_pool_give(sc_unit_pool *pool, void *piece)
{
    sc_unit_pool_piece *given = piece;
    sc_unit_pool_piece *first = atomic_load(&pool->spare);
    do
        given->next = first;
    while (!atomic_compare_exchange_weak(&pool->spare, &first, given));
}
