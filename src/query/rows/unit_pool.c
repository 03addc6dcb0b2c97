#include "query/rows/unit_pool.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/mman.h>

/* A large page of most machines, and how many of them make a block. */
#define PAGE_BYTES ((size_t)1 << 21)
#define BLOCK_BYTES (2 * PAGE_BYTES)

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

void sc_unit_pool_clear(sc_unit_pool *pool)
{
    while (pool->blocks != NULL) {
        sc_unit_pool_block *next = pool->blocks->next;
        sc_free(pool->blocks);
        pool->blocks = next;
    }
    sc_unit_pool_init(pool);
}

/* What lies before the first large page is never touched, so that it takes no memory. */
static bool add_block(sc_unit_pool *pool)
{
    sc_unit_pool_block *block = sc_allocate_raw(sizeof *block + PAGE_BYTES + BLOCK_BYTES);
    if (block == NULL)
        return false;
    unsigned char *behind = (unsigned char *)(block + 1);
    pool->at = behind + (-(uintptr_t)behind & (PAGE_BYTES - 1));
    pool->end = pool->at + BLOCK_BYTES;
    block->next = pool->blocks;
    pool->blocks = block;
#ifdef MADV_HUGEPAGE
    /* A wish: where it is not granted, pages are small. */
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
    if (pool->at == pool->end && !add_block(pool))
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
