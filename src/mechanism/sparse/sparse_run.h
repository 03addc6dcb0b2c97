/* A run of the sparse vector algorithm, and before it its noise: discrete Laplace or discrete
 * Gaussian, with the exact law and the fast sampler, drawn some hundreds at a time into a pool. */
#ifndef SC_MECHANISM_SPARSE_SPARSE_RUN_H
#define SC_MECHANISM_SPARSE_SPARSE_RUN_H

#include "model/mechanism.h"
#include "sampling/blocks.h"
#include "sampling/law.h"

typedef enum sc_sparse_noise_kind {
    SC_SPARSE_LAPLACE, /* its shape is the scale */
    SC_SPARSE_GAUSSIAN /* its shape is the variance */
} sc_sparse_noise_kind;

/* Must not be moved once made. */
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

/* Fills an empty pool with at most `at_most` draws; the first filling is short. On failure the pool stays empty. */
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

/* The sparse vector algorithm: a run answers queries with "below" or "above" a noisy threshold,
 * and pays for the answers "above" only.
 *
 *     for each stage:
 *         t = level + noise
 *         for each query q of the stage:
 *             q + noise >= t:  above [numeric: q + noise of its own]; maybe t drawn anew
 *             else:            below
 *
 * One plan covers the family: AboveThreshold is one stage of one answer; the many-answers form
 * (A) is one stage of c; form (B) redraws t after each answer; the stage-wise form begins a new
 * stage after c' answers or k' queries. The run halts when its stages are used up.
 *
 * Claim  sparse-run.law      the answers have exactly the law of sparse_law.h
 * Claim  sparse-run.halts    after its last answer a run answers nothing more
 * Claim  sparse-run.ahead    the noise of a query is drawn before the query is looked at, in
 *                            chunks; what is drawn, and when, does not depend on any query
 * Claim  sparse-run.no-wrap  any query of 64 bits, any threshold and any noise are compared
 *                            exactly
 *
 * The comparison's own noise is never released, nor used twice.
 *
 * Reference  spec/mechanisms.md 9; spec/local-and-accounting.md 7.1, 7.3
 */

/* The parameters fixed before the first query. Must not be moved once made. */
typedef struct sc_sparse_plan {
    sc_sparse_noise threshold, query;
    sc_sparse_noise value; /* of the answers, where is_numeric */
    bool is_numeric;
    bool redraws;          /* t is drawn anew after each answer above */
    int64_t level;         /* the threshold T, in steps */
    uint64_t count;        /* c: answers above in all; at least 1 */
    uint64_t stage_count;  /* c': of them in one stage; c where there is one stage */
    uint64_t stage_length; /* k': queries of a stage; 0: any number */
} sc_sparse_plan;

/* The public part of a run, known from its answers. All zeros is the beginning. */
typedef struct sc_sparse_progress {
    uint64_t stage; /* stages that have ended */
    uint64_t above; /* answers above in this stage */
    uint64_t asked; /* queries in this stage */
} sc_sparse_progress;

typedef enum sc_sparse_next {
    SC_SPARSE_GOES_ON,
    SC_SPARSE_REDRAWS, /* goes on with a new threshold */
    SC_SPARSE_HALTS
} sc_sparse_next;

/* Counts an answer and says how the run goes on. */
sc_sparse_next sc_sparse_advance(const sc_sparse_plan *plan, sc_sparse_progress *progress,
                                 bool is_above);

/* ceil(c / c'), and the largest number of thresholds that a run draws. */
uint64_t sc_sparse_stages(const sc_sparse_plan *plan);
uint64_t sc_sparse_thresholds(const sc_sparse_plan *plan);

/* A run, in memory of the caller that a child process finds wiped. All zeros is a run that is
 * not open. */
typedef struct sc_sparse_run {
    sc_int128 threshold; /* level and noise */
    sc_sparse_progress progress;
    bool is_open;
    bool has_threshold;
    bool has_halted;
    uint64_t drawn; /* thresholds that have been drawn */
    sc_sparse_pool queries, values, thresholds;
} sc_sparse_run;

/* Draws the threshold and the first noise. On failure the run is not open. */
SCRIM_MUST_USE scrim_status sc_sparse_open(const sc_sparse_plan *plan, sc_bits *bits,
                                           sc_sparse_run *run, scrim_error *error);
/* Answers a query. SCRIM_E_STATE when the run has halted or is not open; SCRIM_E_ENTROPY
 * leaves it as it was, and it may be asked again. A run that halts wipes its secrets. */
SCRIM_MUST_USE scrim_status sc_sparse_ask(const sc_sparse_plan *plan, sc_bits *bits,
                                          sc_sparse_run *run, int64_t query,
                                          sc_run_piece *out, scrim_error *error);
/* A whole run on queries that are there already. */
SCRIM_MUST_USE scrim_status sc_sparse_draw(const sc_sparse_plan *plan, sc_bits *bits,
                                           const sc_private_input *input, sc_draw *out,
                                           scrim_error *error);

#endif
