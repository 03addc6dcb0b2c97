#include "synth/rounds/mwem.h"

#include "base/memory.h"

#define COUNT_MAX ((int64_t)1 << 40)

void sc_mwem_plan_init(sc_mwem_plan *plan)
{
    *plan = (sc_mwem_plan){.passes = 100, .last_passes = 100};
    sc_ratio_init(&plan->counting);
    sc_ratio_init(&plan->selecting);
    sc_ratio_set_quotient(&plan->counting, 1, 50);
    sc_ratio_set_quotient(&plan->selecting, 1, 10);
}

void sc_mwem_plan_clear(sc_mwem_plan *plan)
{
    sc_ratio_clear(&plan->selecting);
    sc_ratio_clear(&plan->counting);
}

uint64_t sc_mwem_rounds(const sc_mwem_plan *plan)
{
    return plan->rounds > 0 ? plan->rounds : plan->count < 16 ? plan->count : 16;
}

/* A run. */
typedef struct mwem {
    sc_rounds *rounds; /* NULL: it is only checked */
    const sc_mwem_plan *plan;
    const sc_synth_columns *columns;
    const sc_round_unit *unit;
    bool is_pure;
    uint64_t planned;
    uint64_t move; /* how far one unit moves a score */
    uint64_t count_scale,
        scale; /* noise in 64ths: of the number of rows, and of a measurement in a round */
    uint64_t rate;
    int64_t **truth; /* the counts of each marginal, or the one number of each query */
    int64_t *kept;   /* the memory of all counts of truth */
    size_t kept_count, largest;
    int64_t *answers;
    size_t *places;
    int64_t *scores;
    bool *is_measured;
    size_t measured;
    sc_weight_model *model;
} mwem;

static bool has_queries(const mwem *w)
{
    return w->plan->queries != NULL;
}

static size_t cells_of(const mwem *w, size_t index)
{
    return has_queries(w) ? 1
                          : (size_t)sc_clique_cells(w->columns, w->plan->cliques[index]);
}

/* The plan. */

static bool is_share(const sc_ratio *x)
{
    return sc_ratio_sign(x) > 0 && sc_ratio_compare_int64(x, 1) < 0;
}

static bool is_query(const mwem *w, const sc_linear_query *q)
{
    if (q->den < 1 || q->den > SC_MWEM_DEN || q->den != w->plan->queries[0].den ||
        !sc_clique_is_inside(q->clique, sc_synth_columns_all(w->columns)))
        return false;
    for (uint64_t i = 0; i < sc_clique_cells(w->columns, q->clique); i++)
        if (q->numerators[i] > q->den)
            return false;
    return true;
}

static scrim_status check_list(const mwem *w, scrim_error *error)
{
    const uint64_t rows = sc_clique_cells(w->columns, sc_synth_columns_all(w->columns));
    if (rows > SC_WEIGHT_CELLS_MAX)
        return sc_fail_for(error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE, "columns",
                           "the columns have more than %llu possible rows; name fewer "
                           "columns, or cut them into fewer bins",
                           (unsigned long long)SC_WEIGHT_CELLS_MAX);
    if (w->plan->count == 0 || (w->plan->cliques == NULL) == (w->plan->queries == NULL))
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, "workload",
                           "give marginals, or queries, at least one");
    for (size_t i = 0; i < w->plan->count; i++) {
        const bool is_one =
            has_queries(w) ? is_query(w, &w->plan->queries[i])
                           : w->plan->cliques[i] != 0 &&
                                 sc_clique_is_inside(w->plan->cliques[i],
                                                     sc_synth_columns_all(w->columns));
        if (!is_one)
            return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "workload",
                               has_queries(w)
                                   ? "queries must have values from 0 to 1 with one "
                                     "denominator of at most 1048576"
                                   : "a marginal must name columns of the table");
    }
    return SCRIM_OK;
}

static scrim_status check_plan(mwem *w, scrim_error *error)
{
    scrim_status status = sc_synth_columns_check(w->columns, error);
    if (status == SCRIM_OK)
        status = sc_round_unit_check(w->unit, error);
    if (status == SCRIM_OK)
        status = check_list(w, error);
    if (status != SCRIM_OK)
        return status;
    w->planned = sc_mwem_rounds(w->plan);
    if (w->planned > SC_MWEM_ROUNDS || w->plan->passes < 1 || w->plan->last_passes < 1)
        return sc_fail_for(
            error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "rounds",
            "rounds and passes must be at least 1, and rounds at most %llu",
            (unsigned long long)SC_MWEM_ROUNDS);
    if (!is_share(&w->plan->counting) || !is_share(&w->plan->selecting))
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "shares",
                           "shares must be above 0 and less than 1");
    return SCRIM_OK;
}

/* How far one unit moves a score: by a marginal's distance, or by the largest value of a query. */
static uint64_t move_of(const mwem *w)
{
    uint64_t most = 1;
    if (!has_queries(w))
        return sc_round_move(w->unit);
    for (size_t i = 0; i < w->plan->count; i++) {
        const sc_linear_query *q = &w->plan->queries[i];
        for (uint64_t k = 0; k < sc_clique_cells(w->columns, q->clique); k++)
            if (q->numerators[k] > most)
                most = q->numerators[k];
    }
    return w->unit->rows * most;
}

static scrim_status noise_for(const mwem *w, const sc_ratio *share, uint64_t sum,
                              sc_uint128 square, uint64_t *out, scrim_error *error)
{
    return w->is_pure ? sc_round_scale(share, sum, out, error)
                      : sc_round_variance(share, square, out, error);
}

static scrim_status set_budget(mwem *w, const sc_ratio *total, scrim_error *error)
{
    const uint64_t sum = sc_round_move(w->unit), square = sc_round_square(w->unit);
    SC_OWN(sc_ratio, counting, each, selecting, rounds);
    sc_ratio_mul(&counting, total, &w->plan->counting);
    sc_ratio_sub(&each, total, &counting);
    sc_ratio_set_int128(&rounds, (sc_int128)w->planned);
    sc_ratio_div(&each, &each, &rounds);
    sc_ratio_mul(&selecting, &each, &w->plan->selecting);
    sc_ratio_sub(&each, &each, &selecting);
    w->move = move_of(w);
    scrim_status status = noise_for(w, &counting, sum, square, &w->count_scale, error);
    if (status == SCRIM_OK)
        status = has_queries(w)
                     ? noise_for(w, &each, w->move, (sc_uint128)w->move * w->move,
                                 &w->scale, error)
                     : noise_for(w, &each, sum, square, &w->scale, error);
    if (status == SCRIM_OK && w->is_pure)
        return sc_round_pure_rate(&selecting, w->move, &w->rate, error);
    if (status == SCRIM_OK)
        status = sc_round_rate(&selecting, 1, w->move, &w->rate, error);
    w->rate /= w->move;
    return status;
}

/* Truth, and room. */

static scrim_status get_room(mwem *w, scrim_error *error)
{
    const size_t count = w->plan->count;
    for (size_t i = 0; i < count; i++) {
        const size_t cells = cells_of(w, i);
        w->kept_count += cells;
        w->largest = cells > w->largest ? cells : w->largest;
    }
    w->kept = sc_allocate(w->kept_count, sizeof *w->kept);
    w->truth = sc_allocate(count, sizeof *w->truth);
    w->answers = sc_allocate(w->largest, sizeof *w->answers);
    w->places = sc_allocate(count, sizeof *w->places);
    w->scores = sc_allocate(count, sizeof *w->scores);
    w->is_measured = sc_allocate(count, sizeof *w->is_measured);
    return w->kept != NULL && w->truth != NULL && w->answers != NULL &&
                   w->places != NULL && w->scores != NULL && w->is_measured != NULL
               ? SCRIM_OK
               : sc_no_memory(error, "a synthetic release");
}

static void find_truth(mwem *w)
{
    int64_t *at = w->kept;
    for (size_t i = 0; i < w->plan->count; i++) {
        w->truth[i] = at;
        at += cells_of(w, i);
        if (has_queries(w)) /* Fits: at most 2^40 rows, and each counts at most 2^20. */
            *w->truth[i] =
                (int64_t)sc_records_query(w->rounds->records, &w->plan->queries[i]);
    }
    if (!has_queries(w))
        sc_records_count(w->rounds->records, w->plan->cliques, w->plan->count, w->truth);
}

static void leave(mwem *w)
{
    sc_free_wiped(w->kept, w->kept == NULL ? 0 : w->kept_count * sizeof *w->kept);
    sc_free_wiped(w->scores, w->scores == NULL ? 0 : w->plan->count * sizeof *w->scores);
    sc_free(w->truth);
    sc_free(w->answers);
    sc_free(w->places);
    sc_free(w->is_measured);
    sc_weight_model_free(w->model);
}

/* Rounds. */

static sc_synth_noise noise_of(const mwem *w)
{
    return w->is_pure ? SC_SYNTH_LAPLACE : SC_SYNTH_GAUSSIAN;
}

/* Measures the number of rows, as the marginal of no column, and starts the model with that total. */
static scrim_status start(mwem *w, scrim_error *error)
{
    const sc_clique none = 0;
    const sc_synth_step step = {.noise = noise_of(w), .scale_64ths = w->count_scale};
    sc_synth_released *released = w->rounds->released;
    scrim_status status = sc_rounds_measure(w->rounds, &none, 1, &step, error);
    if (status != SCRIM_OK)
        return status;
    const int64_t found = released->steps[released->count - 1].counts[0];
    released->passes = w->plan->passes;
    released->last_passes = w->plan->last_passes;
    released->total = found < 1 ? 1 : found > COUNT_MAX ? COUNT_MAX : found;
    const sc_released_options options = {.zeros = w->plan->zeros,
                                         .zero_count = w->plan->zero_count,
                                         .cancel = w->rounds->cancel};
    return sc_released_weights_start(released, &options, &w->model, error);
}

static scrim_status score(mwem *w, size_t index, int64_t *out, scrim_error *error)
{
    const size_t cells = cells_of(w, index);
    scrim_status status = sc_cancel_check(w->rounds->cancel, error);
    if (status != SCRIM_OK)
        return status;
    if (has_queries(w))
        status =
            sc_weight_model_answer(w->model, &w->plan->queries[index], w->answers, error);
    else
        status =
            sc_weight_model_counts(w->model, w->plan->cliques[index], w->answers, error);
    *out = sc_rounds_distance(w->truth[index], w->answers, cells) -
           (has_queries(w) ? 0 : (int64_t)cells);
    return status;
}

/* The candidates of a round: those not measured yet, or all when every one was measured. */
static scrim_status score_all(mwem *w, size_t *count, scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    const bool is_again = w->measured % w->plan->count == 0;
    *count = 0;
    for (size_t i = 0; status == SCRIM_OK && i < w->plan->count; i++) {
        if (is_again)
            w->is_measured[i] = false;
        if (w->is_measured[i])
            continue;
        w->places[*count] = i;
        status = score(w, i, &w->scores[(*count)++], error);
    }
    return status;
}

static scrim_status learn(mwem *w, size_t index, scrim_error *error)
{
    const sc_synth_released *released = w->rounds->released;
    const int64_t *counts = released->steps[released->count - 1].counts;
    scrim_status status =
        has_queries(w)
            ? sc_weight_model_measure_query(w->model, &w->plan->queries[index], counts[0],
                                            error)
            : sc_weight_model_measure(w->model, w->plan->cliques[index], counts, error);
    if (status == SCRIM_OK)
        sc_weight_model_update(w->model, w->plan->passes);
    return status;
}

static scrim_status run_round(mwem *w, uint64_t round, scrim_error *error)
{
    size_t count = 0, chosen = 0;
    scrim_status status = score_all(w, &count, error);
    if (status == SCRIM_OK)
        status = sc_rounds_select(w->rounds, w->scores, count, w->move, w->rate, &chosen,
                                  error);
    if (status != SCRIM_OK)
        return status;
    const size_t index = w->places[chosen];
    const sc_synth_step step = {.round = round,
                                .query = index,
                                .rate = w->rate,
                                .move = w->move,
                                .candidates = count,
                                .noise = noise_of(w),
                                .scale_64ths = w->scale};
    w->is_measured[index] = true;
    w->measured++;
    status = has_queries(w) ? sc_rounds_measure_query(w->rounds, &w->plan->queries[index],
                                                      w->move, &step, error)
                            : sc_rounds_measure(w->rounds, &w->plan->cliques[index], 1,
                                                &step, error);
    return status == SCRIM_OK ? learn(w, index, error) : status;
}

scrim_status sc_mwem_noise(const sc_mwem_plan *plan, const sc_synth_columns *columns,
                           const sc_round_unit *unit, const sc_ratio *total, bool is_pure,
                           uint64_t *out, scrim_error *error)
{
    mwem w = {.plan = plan, .columns = columns, .unit = unit, .is_pure = is_pure};
    scrim_status status = check_plan(&w, error);
    if (status == SCRIM_OK)
        status = set_budget(&w, total, error);
    if (status == SCRIM_OK)
        *out = w.scale;
    return status;
}

scrim_status sc_mwem_run(sc_rounds *rounds, const sc_mwem_plan *plan,
                         sc_weight_model **model, scrim_error *error)
{
    mwem w = {.rounds = rounds,
              .plan = plan,
              .columns = &rounds->released->columns,
              .unit = &rounds->unit,
              .is_pure = sc_allowance_is_pure(rounds->allowance)};
    scrim_status status = sc_rounds_begin(rounds, SC_SYNTH_MWEM, error);
    if (status == SCRIM_OK)
        status = check_plan(&w, error);
    if (status == SCRIM_OK)
        status = set_budget(&w, sc_allowance_total(rounds->allowance), error);
    if (status == SCRIM_OK)
        status = get_room(&w, error);
    if (status == SCRIM_OK) {
        find_truth(&w);
        status = start(&w, error);
    }
    for (uint64_t i = 1; status == SCRIM_OK && i <= w.planned; i++) {
        status = run_round(&w, i, error);
        sc_rounds_tell(rounds, i, w.planned);
    }
    if (status == SCRIM_OK) {
        sc_weight_model_update(w.model, plan->last_passes);
        status = sc_cancel_check(rounds->cancel, error);
    }
    if (status == SCRIM_OK) {
        *model = w.model;
        w.model = NULL;
    }
    leave(&w);
    return status;
}
