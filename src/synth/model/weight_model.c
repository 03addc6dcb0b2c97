#include "synth/model/weight_model.h"

#include "base/memory.h"
#include "synth/model/real_functions.h"
#include "synth/model/rounded_count.h"
#include "synth/model/weight_state.h"

#include <string.h>

static scrim_status no_memory(scrim_error *error)
{
    return sc_fail(error, SCRIM_E_MEMORY, "out of memory for a model");
}

/* Steps beyond this are taken in logarithms. */
#define STEP_MAX 30

/* logs[u] += step q(u). */
static void add_query(const sc_weight_model *model, const uint32_t *numerators,
                      double step, double den, double *logs)
{
    for (size_t u = 0; u < model->cells; u++)
        logs[u] += step * ((double)numerators[u] / den);
}

/* Weights from all steps so far. */
static void rebuild(sc_weight_model *model)
{
    memcpy(model->weights, model->logs, model->cells * sizeof *model->weights);
    for (size_t i = 0; i < model->count; i++) {
        const sc_weight_measured *m = &model->list[i];
        if (m->numerators != NULL)
            add_query(model, m->numerators, m->theta[0], (double)m->den, model->weights);
        else
            sc_table_add(&m->fold, m->theta, model->weights);
    }
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

static double answer_of(const sc_weight_model *model, const uint32_t *numerators)
{
    double sums[4] = {0, 0, 0, 0};
    for (size_t u = 0; u < model->cells; u++)
        sums[u % 4] += (double)numerators[u] * model->weights[u];
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

int64_t sc_weight_model_answer(const sc_weight_model *model, const uint32_t *numerators)
{
    return sc_rounded_count(answer_of(model, numerators));
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

scrim_status sc_weight_model_measure(sc_weight_model *model, sc_clique clique,
                                     const int64_t *counts, scrim_error *error)
{
    const scrim_status status = check_clique(model, clique, error);
    if (status != SCRIM_OK || merge(model, clique, counts))
        return status;
    sc_weight_measured measured = {.clique = clique, .repeats = 1};
    fold_onto(model, clique, &measured.fold);
    if (!allocate_answers(&measured, measured.fold.small) ||
        !find_places(model, &measured)) {
        clear_measured(&measured);
        return no_memory(error);
    }
    for (size_t i = 0; i < measured.fold.small; i++)
        measured.answers[i] = (double)counts[i];
    return put(model, &measured, error);
}

scrim_status sc_weight_model_measure_query(sc_weight_model *model,
                                           const uint32_t *numerators, uint32_t den,
                                           int64_t answer, scrim_error *error)
{
    sc_weight_measured measured = {.den = den};
    measured.numerators = sc_allocate(model->cells, sizeof *measured.numerators);
    if (!allocate_answers(&measured, 1) || measured.numerators == NULL) {
        clear_measured(&measured);
        return no_memory(error);
    }
    memcpy(measured.numerators, numerators, model->cells * sizeof *numerators);
    measured.answers[0] = (double)answer / (double)den;
    return put(model, &measured, error);
}

/* Denominators up to this have a table of factors. */
#define TABLE_DEN 4096

static uint32_t value_of(const uint32_t *numerators, size_t u, uint32_t den)
{
    return numerators[u] < den ? numerators[u] : den;
}

/* Multiplies by factors[numerator]; four sums by turns. */
static void move_by_table(sc_weight_model *model, const uint32_t *numerators,
                          uint32_t den, double *factors)
{
    double sums[4] = {0, 0, 0, 0};
    for (size_t u = 0; u < model->cells; u++)
        sums[u % 4] += model->weights[u] * factors[value_of(numerators, u, den)];
    sc_table_rescale(factors, den + 1, (sums[0] + sums[1]) + (sums[2] + sums[3]),
                     model->total);
    for (size_t u = 0; u < model->cells; u++)
        model->weights[u] *= factors[value_of(numerators, u, den)];
}

static void move_by_cells(sc_weight_model *model, const uint32_t *numerators, double den,
                          double step)
{
    memset(model->steps, 0, model->cells * sizeof *model->steps);
    add_query(model, numerators, step, den, model->steps);
    sc_real_exp_all(model->steps, model->cells, 0);
    for (size_t u = 0; u < model->cells; u++)
        model->weights[u] *= model->steps[u];
    sc_table_rescale(model->weights, model->cells,
                     sc_table_total(model->weights, model->cells), model->total);
}

/* Multiplies by exp(step q(u)). The step has been added to the logarithms already. */
static void move(sc_weight_model *model, const uint32_t *numerators, uint32_t den,
                 double step)
{
    double factors[TABLE_DEN + 1];
    if (!(step <= STEP_MAX && step >= -STEP_MAX)) {
        rebuild(model);
        return;
    }
    if (den > TABLE_DEN) {
        move_by_cells(model, numerators, (double)den, step);
        return;
    }
    for (uint32_t n = 0; n <= den; n++)
        factors[n] = step * ((double)n / (double)den);
    sc_real_exp_all(factors, den + 1, 0);
    move_by_table(model, numerators, den, factors);
}

static void update_by_query(sc_weight_model *model, const sc_weight_measured *measured)
{
    const double answer = answer_of(model, measured->numerators) / (double)measured->den;
    const double step = (measured->answers[0] - answer) / (2 * model->total);
    measured->theta[0] += step;
    move(model, measured->numerators, measured->den, step);
}

/* Marginals. One sweep over the weights multiplies by the factors of one and adds up the cells of the next, chunk by
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

/* The steps of a marginal whose sums are known, in model->steps: false where one is too long to multiply by. */
static bool set_steps(sc_weight_model *model, const sc_weight_measured *measured)
{
    const uint64_t times =
        measured->repeats < SC_WEIGHT_REPEATS ? measured->repeats : SC_WEIGHT_REPEATS;
    bool is_small = true;
    for (size_t i = 0; i < measured->fold.small; i++) {
        const double step = (double)times * (measured->answers[i] - measured->sums[i]) /
                            (2 * model->total);
        measured->theta[i] += step;
        model->steps[i] = step;
        is_small = is_small && step <= STEP_MAX && step >= -STEP_MAX;
    }
    return is_small;
}

/* Sums of the marginal are known; those of next are afterwards. The cells of a marginal are disjoint, so that its sums
 * say by what the weights are scaled. */
static void update_by_marginal(sc_weight_model *model, const sc_weight_measured *measured,
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
    for (size_t i = 0; i < model->count; i++) {
        const sc_weight_measured *m = &model->list[i];
        const bool is_over = is_last && i + 1 == model->count;
        const sc_weight_measured *next = &model->list[i + 1 < model->count ? i + 1 : 0];
        if (is_over || next->numerators != NULL)
            next = NULL;
        if (m->numerators == NULL) {
            update_by_marginal(model, m, next);
            continue;
        }
        update_by_query(model, m);
        sweep(model, NULL, NULL, next);
    }
}

void sc_weight_model_update(sc_weight_model *model, unsigned passes)
{
    if (model->count > 0 && model->list[0].numerators == NULL)
        sweep(model, NULL, NULL, &model->list[0]);
    for (; passes > 0; passes--)
        update_all(model, passes == 1);
    rebuild(model);
}
