#include "mechanism/sparse/sparse_noise.h"

#include "base/memory.h"

/* A first filling is short, and each next one four times as long up to the whole: a run of one
 * query pays for a few draws. */
#define CHUNK_FIRST 16
#define CHUNK_GROWTH 4

scrim_status sc_sparse_noise_init(sc_sparse_noise *noise, sc_sparse_noise_kind kind,
                                  const sc_ratio *shape, scrim_error *error)
{
    const bool is_gaussian = kind == SC_SPARSE_GAUSSIAN;
    const sc_blocks_law law = {.sides = SC_SIDES_BOTH, .is_square = is_gaussian};
    scrim_status status = sc_blocks_init_shape(&noise->blocks, &law, shape, error);
    if (status != SCRIM_OK)
        return status;
    noise->kind = kind;
    sc_law_init(&noise->law,
                is_gaussian ? &sc_discrete_gaussian_law : &sc_discrete_laplace_law, shape,
                0);
    return SCRIM_OK;
}

void sc_sparse_noise_clear(sc_sparse_noise *noise)
{
    sc_blocks_clear(&noise->blocks);
    sc_law_clear(&noise->law);
}

static uint32_t next_chunk(const sc_sparse_pool *pool, uint64_t at_most)
{
    uint32_t chunk = pool->chunk == 0 ? CHUNK_FIRST : pool->chunk * CHUNK_GROWTH;
    chunk = chunk < SC_SPARSE_POOL ? chunk : SC_SPARSE_POOL;
    return at_most < chunk ? (uint32_t)at_most : chunk;
}

scrim_status sc_sparse_pool_fill(sc_sparse_pool *pool, const sc_sparse_noise *noise,
                                 sc_bits *bits, uint64_t at_most, scrim_error *error)
{
    uint32_t chunk = next_chunk(pool, at_most);
    scrim_status status =
        noise->blocks.is_narrow
            ? sc_blocks_fill(bits, &noise->blocks, chunk, pool->draws.narrow, error)
            : sc_blocks_fill_wide(bits, &noise->blocks, chunk, pool->draws.wide, error);
    if (status != SCRIM_OK) {
        sc_wipe(&pool->draws, sizeof pool->draws);
        return status;
    }
    pool->left = pool->chunk = chunk;
    return SCRIM_OK;
}
