/* The noise of a sparse vector run: discrete Laplace or discrete Gaussian, with its exact law
 * and the fast exact road to it, drawn some hundreds at a time into a pool. */
#ifndef SC_MECHANISM_SPARSE_NOISE_H
#define SC_MECHANISM_SPARSE_NOISE_H

#include "sampling/blocks.h"
#include "sampling/law.h"

typedef enum sc_sparse_noise_kind {
    SC_SPARSE_LAPLACE, /* its shape is the scale */
    SC_SPARSE_GAUSSIAN /* its shape is the variance */
} sc_sparse_noise_kind;

/* Stays where it is once made. */
typedef struct sc_sparse_noise {
    sc_sparse_noise_kind kind;
    sc_law law;
    sc_blocks blocks;
} sc_sparse_noise;

/* shape > 0. SCRIM_E_LIMIT when it is wider than 2^60, SCRIM_E_MEMORY; then there is nothing to
 * clear. */
SCRIM_MUST_USE scrim_status sc_sparse_noise_init(sc_sparse_noise *noise,
                                                 sc_sparse_noise_kind kind,
                                                 const sc_ratio *shape,
                                                 scrim_error *error);
void sc_sparse_noise_clear(sc_sparse_noise *noise);

/* Draws that are ready. All zeros is an empty one. */
#define SC_SPARSE_POOL 256
typedef struct sc_sparse_pool {
    uint32_t left;  /* draws not yet taken: the next is the one at left - 1 */
    uint32_t chunk; /* how many the last filling made; 0: none yet */
    uint32_t padding[2];
    union {
        int64_t narrow[SC_SPARSE_POOL];
        sc_int128 wide[SC_SPARSE_POOL];
    } draws; /* by the noise's blocks.is_narrow */
} sc_sparse_pool;

/* Fills an empty pool with at most so many draws; a first filling is short. On failure it stays
 * empty. */
SCRIM_MUST_USE scrim_status sc_sparse_pool_fill(sc_sparse_pool *pool,
                                                const sc_sparse_noise *noise,
                                                sc_bits *bits, uint64_t at_most,
                                                scrim_error *error);

/* Takes a draw out of a pool that is not empty, and wipes it there. */
static inline sc_int128 sc_sparse_pool_take(sc_sparse_pool *pool,
                                            const sc_sparse_noise *noise)
{
    uint32_t last = --pool->left;
    sc_int128 value;
    if (noise->blocks.is_narrow) {
        value = pool->draws.narrow[last];
        pool->draws.narrow[last] = 0;
    } else {
        value = pool->draws.wide[last];
        pool->draws.wide[last] = 0;
    }
    return value;
}

#endif
