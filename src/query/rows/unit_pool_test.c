#include "check.h"
#include "faults.h"
#include "query/rows/unit_pool.h"

#include <malloc.h>
#include <stdint.h>
#include <string.h>

/* More than a block has. */
#define PIECES 300

static void take_all(sc_unit_pool *pool, unsigned char *pieces[PIECES])
{
    for (size_t i = 0; i < PIECES; i++) {
        pieces[i] = sc_unit_pool_take(pool);
        REQUIRE(pieces[i] != NULL);
        CHECK_INT((uintptr_t)pieces[i] % 16, 0);
        memset(pieces[i], (int)(i % 251), SC_UNIT_POOL_BYTES);
    }
}

TEST(unit_pool_pieces_lie_apart)
{
    unsigned char *pieces[PIECES];
    sc_unit_pool pool;
    sc_unit_pool_init(&pool);
    take_all(&pool, pieces);
    size_t wrong = 0;
    for (size_t i = 0; i < PIECES; i++)
        for (size_t j = 0; j < SC_UNIT_POOL_BYTES; j++)
            wrong += pieces[i][j] != i % 251;
    CHECK_INT(wrong, 0);
    sc_unit_pool_clear(&pool);
}

TEST(unit_pool_takes_again_what_was_given)
{
    unsigned char *pieces[PIECES] = {NULL}, *again[PIECES] = {NULL};
    sc_unit_pool pool;
    sc_unit_pool_init(&pool);
    take_all(&pool, pieces);
    const sc_unit_pool_block *blocks = pool.blocks;
    for (size_t i = 0; i < PIECES; i++)
        sc_unit_pool_give(&pool, pieces[i]);
    take_all(&pool, again);
    CHECK(pool.blocks == blocks);
    for (size_t i = 0; i < PIECES; i++)
        CHECK(again[i] == pieces[PIECES - 1 - i]);
    sc_unit_pool_clear(&pool);
}

TEST(unit_pool_survives_failing_allocations)
{
    FAULT_LOOP(fault)
    {
        sc_unit_pool pool;
        size_t taken = 0;
        sc_unit_pool_init(&pool);
        while (taken < PIECES && sc_unit_pool_take(&pool) != NULL)
            taken++;
        CHECK(taken == PIECES || fault_hit());
        sc_unit_pool_clear(&pool);
    }
}

/* A pool for few rows takes no large block for them, also after it was emptied. */
TEST(A112_unit_pool_of_little_takes_little)
{
    unsigned char *pieces[PIECES];
    sc_unit_pool pool;
    sc_unit_pool_init(&pool);
    sc_unit_pool_expect(&pool, SC_UNIT_POOL_LARGE - 1);
    for (int i = 0; i < 2; i++) {
        REQUIRE(sc_unit_pool_take(&pool) != NULL);
        CHECK(malloc_usable_size(pool.blocks) < 2 * SC_UNIT_POOL_SMALL);
        sc_unit_pool_clear(&pool);
    }
    take_all(&pool, pieces);
    size_t wrong = 0;
    for (size_t i = 0; i < PIECES; i++)
        for (size_t j = 0; j < SC_UNIT_POOL_BYTES; j++)
            wrong += pieces[i][j] != i % 251;
    CHECK_INT(wrong, 0);
    sc_unit_pool_clear(&pool);
}
