/* Memory for the rows of units: pieces of one size, cut from blocks that lie in pages as large as
 * the machine has. Rows go to hundreds of pieces in turn: small pages would have to be fetched one
 * by one, and looked up for each of them.
 *
 * Pieces that were given back are taken again. Blocks are freed together, in the end.
 */
#ifndef SC_QUERY_UNIT_POOL_H
#define SC_QUERY_UNIT_POOL_H

#include "base/memory.h"

#include <stdatomic.h>

#define SC_UNIT_POOL_BYTES ((size_t)1 << 15)

typedef struct sc_unit_pool_block sc_unit_pool_block;
typedef struct sc_unit_pool_piece sc_unit_pool_piece;
typedef struct sc_unit_pool {
    sc_unit_pool_block *blocks; /* newest first */
    unsigned char *at, *end;    /* what was not cut yet of the newest */
    _Atomic(sc_unit_pool_piece *) spare;
} sc_unit_pool;

void sc_unit_pool_init(sc_unit_pool *pool);
/* Nobody uses a piece any more; whoever had one has wiped it. */
void sc_unit_pool_clear(sc_unit_pool *pool);

/* SC_UNIT_POOL_BYTES, aligned for any object, that hold anything; NULL: no memory. One thread, and
 * nobody gives meanwhile. */
void *sc_unit_pool_take(sc_unit_pool *pool);
/* Any number of threads. */
void sc_unit_pool_give(sc_unit_pool *pool, void *piece);

#endif
