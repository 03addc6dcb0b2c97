/* Memory for the rows of units: pieces of one size, cut from blocks that lie in pages as large as
 * the machine has. Rows go to hundreds of pieces in turn: small pages would have to be fetched one
 * by one, and looked up for each of them.
 *
 * Pieces that were given back are taken again. Blocks are freed together, in the end. A pool that is to hold little has
 * small blocks: memory is reserved for what it holds, and a large block for a few rows of one unit would take more.
 */
#ifndef SC_QUERY_UNIT_POOL_H
#define SC_QUERY_UNIT_POOL_H

#include "base/memory.h"

#include <stdatomic.h>
#include <stdbool.h>

#define SC_UNIT_POOL_BYTES ((size_t)1 << 15)
/* A small block, and what a pool holds at least to have large ones. */
#define SC_UNIT_POOL_SMALL (8 * SC_UNIT_POOL_BYTES)
#define SC_UNIT_POOL_LARGE ((size_t)1 << 24)

typedef struct sc_unit_pool_block sc_unit_pool_block;
typedef struct sc_unit_pool_piece sc_unit_pool_piece;
typedef struct sc_unit_pool {
    sc_unit_pool_block *blocks; /* newest first */
    unsigned char *at, *end;    /* what was not cut yet of the newest */
    bool is_small;              /* its blocks are */
    _Atomic(sc_unit_pool_piece *) spare;
} sc_unit_pool;

void sc_unit_pool_init(sc_unit_pool *pool);
/* To be called before the first piece is taken: the pool will hold about `bytes` bytes. */
void sc_unit_pool_expect(sc_unit_pool *pool, size_t bytes);
/* No piece is in use any more; each was wiped by its last user. */
void sc_unit_pool_clear(sc_unit_pool *pool);

/* SC_UNIT_POOL_BYTES, aligned for any object, that hold anything; NULL: no memory. One thread, and
 * nobody gives meanwhile. */
void *sc_unit_pool_take(sc_unit_pool *pool);
/* Any number of threads. */
void sc_unit_pool_give(sc_unit_pool *pool, void *piece);

#endif
