#include "synth/model/weight_model.h"

#include "base/memory.h"
#include "synth/model/real_functions.h"
#include "synth/model/weight_state.h"

#include <string.h>

static scrim_status no_memory(scrim_error *error)
{
    return sc_no_memory(error, "a model");
}

/* Steps beyond this are taken in logarithms. */
#define STEP_MAX 30

/* Weights from all steps so far. */
static void rebuild(sc_weight_model *model)
{
    memcpy(model->weights, model->logs, model->cells * sizeof *model->weights);
    for (size_t i = 0; i < model->count; i++)
        sc_table_add(&model->list[i].fold, model->list[i].theta, model->weights);
    sc_real_exp_all(model->weights, model->cells,
                    sc_table_largest(model->weights, model->cells));
    sc_table_rescale(model->weights, model->cells,
                     sc_table_total(model->weights, model->cells), model->total);
}

/* Half of a first cache. */
#define CHUNK_CELLS 2048

static void set_chunk(sc_weight_model *model)
{
    model->chunk = model->cells;
    for (model->leading = 0; model->chunk > CHUNK_CELLS; model->leading++)
        model->chunk /= model->columns.sizes[model->leading];
}

static scrim_status check(const sc_synth_columns *columns, int64_t total,
                          scrim_error *error)
{
    const scrim_status status = sc_synth_columns_check(columns, error);
    if (status != SCRIM_OK)
        return status;
    if (total < 1 || total > SC_SYNTH_COUNT_MAX)
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "total",
                                 "it must be at least 1 and at most 1099511627776");
    if (sc_clique_cells(columns, sc_synth_columns_all(columns)) > SC_WEIGHT_CELLS_MAX)
        return sc_fail_parameter(
            error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE, "columns",
            "the columns may have at most 134217728 combinations of values together");
    return SCRIM_OK;
}

scrim_status sc_weight_model_new(const sc_synth_columns *columns, int64_t total,
                                 sc_weight_model **out, scrim_error *error)
{
    const scrim_status status = check(columns, total, error);
    if (status != SCRIM_OK)
        return status;
    sc_weight_model *model = sc_allocate(1, sizeof *model);
    if (model == NULL)
        return no_memory(error);
    model->columns = *columns;
    model->total = (double)total;
    model->cells = (size_t)sc_clique_cells(columns, sc_synth_columns_all(columns));
    set_chunk(model);
    model->logs = sc_allocate(model->cells, sizeof *model->logs);
    model->weights = sc_allocate(model->cells, sizeof *model->weights);
    model->steps = sc_allocate(model->cells, sizeof *model->steps);
    if (model->logs == NULL || model->weights == NULL || model->steps == NULL) {
        sc_weight_model_free(model);
        return no_memory(error);
    }
    rebuild(model);
    *out = model;
    return SCRIM_OK;
}

static void clear_measured(sc_weight_measured *measured)
{
    sc_free(measured->places);
    sc_free(measured->answers);
    sc_free(measured->theta);
    sc_free(measured->sums);
    sc_free(measured->numerators);
}

void sc_weight_model_free(sc_weight_model *model)
{
    if (model == NULL)
        return;
    for (size_t i = 0; i < model->count; i++)
        clear_measured(&model->list[i]);
    sc_free(model->list);
    sc_free(model->logs);
    sc_free(model->weights);
    sc_free(model->steps);
    sc_free(model);
}

static scrim_status check_clique(const sc_weight_model *model, sc_clique clique,
                                 scrim_error *error)
{
    if (sc_clique_is_inside(clique, sc_synth_columns_all(&model->columns)))
        return SCRIM_OK;
    return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "columns",
                             "there are %zu columns", model->columns.count);
}

static void fold_onto(const sc_weight_model *model, sc_clique clique, sc_table_fold *out)
{
    sc_table_fold_set(&model->columns, sc_synth_columns_all(&model->columns), clique,
                      out);
}

/* The logarithm of the weight of an impossible row: exp gives 0, and no sum of steps brings it back. */
#define IMPOSSIBLE (-1e300)

static scrim_status refuse_all(scrim_error *error)
{
    return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "given",
                       "the model has no row with these values");
}

/* The weights that stay when cells are multiplied by factors of a clique. */
static double sum_left(const sc_weight_model *model, const sc_table_fold *fold,
                       const double *factors, double *sums)
{
    double left = 0;
    sc_table_sum(fold, model->weights, sums);
    for (size_t i = 0; i < fold->small; i++)
        left += factors[i] * sums[i];
    return left;
}

scrim_status sc_weight_model_forbid(sc_weight_model *model, sc_clique clique,
                                    const bool *is_impossible, scrim_error *error)
{
    sc_table_fold fold;
    scrim_status status = check_clique(model, clique, error);
    if (status != SCRIM_OK)
        return status;
    fold_onto(model, clique, &fold);
    double *factors = sc_allocate(fold.small, sizeof *factors);
    double *sums = sc_allocate(fold.small, sizeof *sums);
    if (factors == NULL || sums == NULL)
        status = no_memory(error);
    for (size_t i = 0; status == SCRIM_OK && i < fold.small; i++)
        factors[i] = is_impossible[i] ? 0 : 1;
    if (status == SCRIM_OK && !(sum_left(model, &fold, factors, sums) > 0))
        status = refuse_all(error);
    if (status == SCRIM_OK) {
        for (size_t i = 0; i < fold.small; i++)
            factors[i] = is_impossible[i] ? IMPOSSIBLE : 0;
        sc_table_add(&fold, factors, model->logs);
        rebuild(model);
    }
    sc_free(sums);
    sc_free(factors);
    return status;
}

scrim_status sc_weight_model_given(sc_weight_model *model, size_t column,
                                   const bool *is_allowed, scrim_error *error)
{
    sc_table_fold fold;
    const size_t size = model->columns.sizes[column];
    double *factors = sc_allocate(size, sizeof *factors);
    double *sums = sc_allocate(size, sizeof *sums);
    scrim_status status = factors == NULL || sums == NULL ? no_memory(error) : SCRIM_OK;
    fold_onto(model, sc_clique_of(column), &fold);
    for (size_t i = 0; status == SCRIM_OK && i < size; i++)
        factors[i] = is_allowed[i] ? 1 : 0;
    const double left = status == SCRIM_OK ? sum_left(model, &fold, factors, sums) : 0;
    if (status == SCRIM_OK && !(left > 0))
        status = refuse_all(error);
    if (status == SCRIM_OK) {
        sc_table_rescale(factors, size, left, model->total);
        sc_table_multiply(&fold, factors, model->weights);
    }
    sc_free(sums);
    sc_free(factors);
    return status;
}

scrim_status sc_weight_model_marginal(const sc_weight_model *model, sc_clique clique,
                                      double *out, scrim_error *error)
{
    sc_table_fold fold;
    const scrim_status status = check_clique(model, clique, error);
    if (status != SCRIM_OK)
        return status;
    fold_onto(model, clique, &fold);
    sc_table_sum(&fold, model->weights, out);
    return SCRIM_OK;
}

scrim_status sc_weight_model_counts(const sc_weight_model *model, sc_clique clique,
                                    int64_t *out, scrim_error *error)
{
    scrim_status status = check_clique(model, clique, error);
    if (status != SCRIM_OK)
        return status;
    const size_t cells = (size_t)sc_clique_cells(&model->columns, clique);
    double *sums = sc_allocate(cells, sizeof *sums);
    if (sums == NULL)
        return no_memory(error);
    status = sc_weight_model_marginal(model, clique, sums, error);
    for (size_t i = 0; i < cells && status == SCRIM_OK; i++)
        out[i] = sc_rounded_count(sums[i]);
    sc_free(sums);
    return status;
}

void sc_weight_model_set(sc_weight_model *model, const int64_t *weights)
{
    for (size_t u = 0; u < model->cells; u++)
        model->weights[u] = (double)weights[u];
    sc_table_rescale(model->weights, model->cells,
                     sc_table_total(model->weights, model->cells), model->total);
}

static double dot(const uint32_t *numerators, const double *sums, size_t cells)
{
    double sum = 0;
    for (size_t i = 0; i < cells; i++)
        sum += (double)numerators[i] * sums[i];
    return sum;
}

scrim_status sc_weight_model_answer(const sc_weight_model *model,
                                    const sc_linear_query *query, int64_t *out,
                                    scrim_error *error)
{
    const size_t cells = (size_t)sc_clique_cells(&model->columns, query->clique);
    double *sums = sc_allocate(cells, sizeof *sums);
    if (sums == NULL)
        return no_memory(error);
    const scrim_status status =
        sc_weight_model_marginal(model, query->clique, sums, error);
    if (status == SCRIM_OK)
        *out = sc_rounded_count(dot(query->numerators, sums, cells));
    sc_free(sums);
    return status;
}

static scrim_status put(sc_weight_model *model, sc_weight_measured *measured,
                        scrim_error *error)
{
    if (!sc_make_room(&model->list, model->count, &model->capacity,
                      sizeof *model->list)) {
        clear_measured(measured);
        return no_memory(error);
    }
    model->list[model->count++] = *measured;
    return SCRIM_OK;
}

static bool allocate_answers(sc_weight_measured *measured, size_t cells)
{
    measured->answers = sc_allocate(cells, sizeof *measured->answers);
    measured->theta = sc_allocate(cells, sizeof *measured->theta);
    measured->sums = sc_allocate(cells, sizeof *measured->sums);
    return measured->answers != NULL && measured->theta != NULL && measured->sums != NULL;
}

/* Where the cells of a marginal begin for each chunk: leading columns are the slowest of both tables. */
static bool find_places(const sc_weight_model *model, sc_weight_measured *measured)
{
    const sc_clique all = sc_synth_columns_all(&model->columns);
    const sc_clique lead = sc_clique_of(model->leading) - 1;
    size_t count = 1;
    sc_table_fold_set(&model->columns, all & ~lead, measured->clique & ~lead,
                      &measured->within);
    measured->places = sc_allocate(model->cells / model->chunk, sizeof *measured->places);
    if (measured->places == NULL)
        return false;
    for (size_t i = 0; i < model->leading; i++) {
        const size_t size = model->columns.sizes[i];
        const bool has_it = (measured->clique & sc_clique_of(i)) != 0;
        for (size_t k = count; k-- > 0;)
            for (size_t u = size; u-- > 0;)
                measured->places[k * size + u] =
                    has_it ? measured->places[k] * size + u : measured->places[k];
        count *= size;
    }
    for (size_t k = 0; k < count; k++)
        measured->places[k] *= measured->within.small;
    return true;
}

/* The mean of the answers so far and the new ones; false where the marginal is new. */
static bool merge(const sc_weight_model *model, sc_clique clique, const int64_t *counts)
{
    for (size_t i = 0; i < model->count; i++) {
        sc_weight_measured *m = &model->list[i];
        if (m->numerators != NULL || m->clique != clique)
            continue;
        m->repeats++;
        for (size_t k = 0; k < m->fold.small; k++)
            m->answers[k] += ((double)counts[k] - m->answers[k]) / (double)m->repeats;
        return true;
    }
    return false;
}

/* Room for what is measured of a clique. */
static scrim_status start(const sc_weight_model *model, sc_weight_measured *measured,
                          scrim_error *error)
{
    fold_onto(model, measured->clique, &measured->fold);
    if (allocate_answers(measured, measured->fold.small) && find_places(model, measured))
        return SCRIM_OK;
    clear_measured(measured);
    return no_memory(error);
}

scrim_status sc_weight_model_measure(sc_weight_model *model, sc_clique clique,
                                     const int64_t *counts, scrim_error *error)
{
    scrim_status status = check_clique(model, clique, error);
    if (status != SCRIM_OK || merge(model, clique, counts))
        return status;
    sc_weight_measured measured = {.clique = clique, .repeats = 1};
    status = start(model, &measured, error);
    if (status != SCRIM_OK)
        return status;
    for (size_t i = 0; i < measured.fold.small; i++)
        measured.answers[i] = (double)counts[i];
    return put(model, &measured, error);
}

scrim_status sc_weight_model_measure_query(sc_weight_model *model,
                                           const sc_linear_query *query, int64_t answer,
                                           scrim_error *error)
{
    scrim_status status = check_clique(model, query->clique, error);
    if (status != SCRIM_OK)
        return status;
    sc_weight_measured measured = {.clique = query->clique, .den = query->den};
    const size_t cells = (size_t)sc_clique_cells(&model->columns, query->clique);
    measured.numerators = sc_allocate(cells, sizeof *measured.numerators);
    if (measured.numerators == NULL)
        return no_memory(error);
    memcpy(measured.numerators, query->numerators, cells * sizeof *query->numerators);
    status = start(model, &measured, error);
    if (status != SCRIM_OK)
        return status;
    measured.answers[0] = (double)answer / (double)query->den;
    return put(model, &measured, error);
}

/* Updates. One sweep over the weights multiplies by the factors of one and adds up the cells of the next, chunk by
 * chunk, so that weights come from memory once. */

/* factors of one, or NULL; sums of next, or NULL. */
static void sweep(sc_weight_model *model, const sc_weight_measured *one,
                  const double *factors, const sc_weight_measured *next)
{
    const size_t chunks = model->cells / model->chunk;
    if (next != NULL)
        memset(next->sums, 0, next->fold.small * sizeof *next->sums);
    for (size_t k = 0; k < chunks; k++) {
        double *weights = model->weights + k * model->chunk;
        if (one != NULL)
            sc_table_multiply(&one->within, factors + one->places[k], weights);
        if (next != NULL)
            sc_table_sum_more(&next->within, weights, next->sums + next->places[k]);
    }
}

/* The step of a query whose sums are known. */
static double query_step(const sc_weight_model *model, const sc_weight_measured *m)
{
    const double answer = dot(m->numerators, m->sums, m->fold.small) / (double)m->den;
    return (m->answers[0] - answer) / (2 * model->total);
}

/* The steps of the cells, whose sums are known, in model->steps: false where one is too long to multiply by. */
static bool set_steps(sc_weight_model *model, const sc_weight_measured *m)
{
    const double times =
        (double)(m->repeats < SC_WEIGHT_REPEATS ? m->repeats : SC_WEIGHT_REPEATS);
    const double one = m->numerators != NULL ? query_step(model, m) : 0;
    bool is_small = true;
    for (size_t i = 0; i < m->fold.small; i++) {
        const double step =
            m->numerators != NULL
                ? one * ((double)m->numerators[i] / (double)m->den)
                : times * (m->answers[i] - m->sums[i]) / (2 * model->total);
        m->theta[i] += step;
        model->steps[i] = step;
        is_small = is_small && step <= STEP_MAX && step >= -STEP_MAX;
    }
    return is_small;
}

/* Sums of the cells are known; those of next are afterwards. Cells are disjoint, so that their sums say by what the
 * weights are scaled. */
static void update_by(sc_weight_model *model, const sc_weight_measured *measured,
                      const sc_weight_measured *next)
{
    const size_t cells = measured->fold.small;
    double total = 0;
    if (!set_steps(model, measured)) {
        rebuild(model);
        sweep(model, NULL, NULL, next);
        return;
    }
    sc_real_exp_all(model->steps, cells, 0);
    for (size_t i = 0; i < cells; i++)
        total += measured->sums[i] * model->steps[i];
    sc_table_rescale(model->steps, cells, total, model->total);
    sweep(model, measured, model->steps, next);
}

/* One after the other, in turn. */
static void update_all(sc_weight_model *model, bool is_last)
{
    for (size_t i = 0; i < model->count && !sc_cancel_asks(model->cancel); i++) {
        const bool is_over = is_last && i + 1 == model->count;
        const sc_weight_measured *next = &model->list[i + 1 < model->count ? i + 1 : 0];
        update_by(model, &model->list[i], is_over ? NULL : next);
    }
}

void sc_weight_model_watch(sc_weight_model *model, sc_cancel *cancel)
{
    model->cancel = cancel;
}

void sc_weight_model_update(sc_weight_model *model, unsigned passes)
{
    if (model->count > 0)
        sweep(model, NULL, NULL, &model->list[0]);
    for (; passes > 0 && !sc_cancel_asks(model->cancel); passes--)
        update_all(model, passes == 1);
    rebuild(model);
}
