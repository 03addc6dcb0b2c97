#include "mechanism/sparse/sparse_run.h"

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

uint64_t sc_sparse_stages(const sc_sparse_plan *plan)
{
    return (plan->count - 1) / plan->stage_count + 1;
}

uint64_t sc_sparse_thresholds(const sc_sparse_plan *plan)
{
    return plan->redraws ? plan->count : sc_sparse_stages(plan);
}

/* How many answers above end the stage: c' but for the last, which has the rest of c. */
static uint64_t stage_cutoff(const sc_sparse_plan *plan, uint64_t stage)
{
    uint64_t rest = plan->count - stage * plan->stage_count;
    return rest < plan->stage_count ? rest : plan->stage_count;
}

sc_sparse_next sc_sparse_advance(const sc_sparse_plan *plan, sc_sparse_progress *progress,
                                 bool is_above)
{
    progress->asked++;
    progress->above += is_above;
    bool is_over = progress->above == stage_cutoff(plan, progress->stage) ||
                   (plan->stage_length != 0 && progress->asked == plan->stage_length);
    if (!is_over)
        return is_above && plan->redraws ? SC_SPARSE_REDRAWS : SC_SPARSE_GOES_ON;
    *progress = (sc_sparse_progress){.stage = progress->stage + 1};
    return progress->stage == sc_sparse_stages(plan) ? SC_SPARSE_HALTS
                                                     : SC_SPARSE_REDRAWS;
}

/* Makes ready all the noise that the next answer may need, whatever it will be. */
static scrim_status prepare(const sc_sparse_plan *plan, sc_bits *bits, sc_sparse_run *run,
                            scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    if (!run->has_threshold) {
        if (run->thresholds.left == 0)
            status = sc_sparse_pool_fill(&run->thresholds, &plan->threshold, bits,
                                         sc_sparse_thresholds(plan) - run->drawn, error);
        if (status != SCRIM_OK)
            return status;
        run->threshold =
            plan->level + sc_sparse_pool_take(&run->thresholds, &plan->threshold);
        run->drawn++;
        run->has_threshold = true;
    }
    if (run->queries.left == 0)
        status =
            sc_sparse_pool_fill(&run->queries, &plan->query, bits, SC_SPARSE_POOL, error);
    if (status == SCRIM_OK && plan->is_numeric && run->values.left == 0)
        status =
            sc_sparse_pool_fill(&run->values, &plan->value, bits, plan->count, error);
    return status;
}

scrim_status sc_sparse_open(const sc_sparse_plan *plan, sc_bits *bits, sc_sparse_run *run,
                            scrim_error *error)
{
    sc_wipe(run, sizeof *run);
    scrim_status status = prepare(plan, bits, run, error);
    if (status == SCRIM_OK)
        run->is_open = true;
    else
        sc_wipe(run, sizeof *run);
    return status;
}

/* The answer to a query, all noise being ready; true when the run goes on. */
static inline bool answer(const sc_sparse_plan *plan, sc_sparse_run *run, int64_t query,
                          sc_mark *mark, sc_int128 *value)
{
    sc_int128 noisy = query + sc_sparse_pool_take(&run->queries, &plan->query);
    bool is_above = noisy >= run->threshold;
    *mark = is_above ? SC_MARK_ABOVE : SC_MARK_BELOW;
    *value = is_above;
    if (is_above && plan->is_numeric) {
        *mark = SC_MARK_ABOVE_VALUE;
        *value = query + sc_sparse_pool_take(&run->values, &plan->value);
    }
    sc_sparse_next next = sc_sparse_advance(plan, &run->progress, is_above);
    if (next == SC_SPARSE_REDRAWS)
        run->has_threshold = false;
    return next != SC_SPARSE_HALTS;
}

static inline bool is_ready(const sc_sparse_plan *plan, const sc_sparse_run *run)
{
    return run->has_threshold && run->queries.left != 0 &&
           (!plan->is_numeric || run->values.left != 0);
}

static void halt(sc_sparse_run *run)
{
    sc_wipe(run, sizeof *run);
    run->is_open = true;
    run->has_halted = true;
}

scrim_status sc_sparse_ask(const sc_sparse_plan *plan, sc_bits *bits, sc_sparse_run *run,
                           int64_t query, sc_run_piece *out, scrim_error *error)
{
    if (!run->is_open)
        return sc_fail(error, SCRIM_E_STATE,
                       "this run is not open in this process; open another, which is "
                       "charged anew");
    if (run->has_halted)
        return sc_fail(error, SCRIM_E_STATE,
                       "this run has given all its answers; open another, which is "
                       "charged anew");
    scrim_status status =
        is_ready(plan, run) ? SCRIM_OK : prepare(plan, bits, run, error);
    if (status != SCRIM_OK)
        return status;
    out->has_halted = !answer(plan, run, query, &out->mark, &out->value);
    if (out->has_halted)
        halt(run);
    return SCRIM_OK;
}

scrim_status sc_sparse_draw(const sc_sparse_plan *plan, sc_bits *bits,
                            const sc_private_input *input, sc_draw *out,
                            scrim_error *error)
{
    sc_sparse_run run;
    if (out->capacity < input->count)
        return sc_fail(error, SCRIM_E_INTERNAL, "no room for the answers of a run");
    scrim_status status = sc_sparse_open(plan, bits, &run, error);
    bool goes_on = true;
    size_t i = 0;
    for (; status == SCRIM_OK && goes_on && i < input->count; i++) {
        if (__builtin_expect(!is_ready(plan, &run), 0))
            status = prepare(plan, bits, &run, error);
        if (status == SCRIM_OK)
            goes_on =
                answer(plan, &run, input->values[i], &out->marks[i], &out->values[i]);
    }
    if (status == SCRIM_OK) {
        out->count = i;
        out->has_halted = !goes_on;
    } else {
        sc_wipe(out->values, input->count * sizeof *out->values);
    }
    sc_wipe(&run, sizeof run);
    return status;
}
