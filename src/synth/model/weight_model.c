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

scrim_status sc_weight_model_measure(sc_weight_model *model, sc_clique clique,
                                     const int64_t *counts, scrim_error *error)
{
    const scrim_status status = check_clique(model, clique, error);
    if (status != SCRIM_OK)
        return status;
    sc_weight_measured measured = {.clique = clique};
    fold_onto(model, clique, &measured.fold);
    if (!allocate_answers(&measured, measured.fold.small)) {
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

/* The cells of a marginal are disjoint: one pass for their sums, one to multiply, and the sums say by what the weights
 * are scaled. */
static void update_by_marginal(sc_weight_model *model, const sc_weight_measured *measured)
{
    const size_t cells = measured->fold.small;
    bool is_small = true;
    double total = 0;
    sc_table_sum(&measured->fold, model->weights, measured->sums);
    for (size_t i = 0; i < cells; i++) {
        const double step =
            (measured->answers[i] - measured->sums[i]) / (2 * model->total);
        measured->theta[i] += step;
        model->steps[i] = step;
        is_small = is_small && step <= STEP_MAX && step >= -STEP_MAX;
    }
    if (!is_small) {
        rebuild(model);
        return;
    }
    sc_real_exp_all(model->steps, cells, 0);
    for (size_t i = 0; i < cells; i++)
        total += measured->sums[i] * model->steps[i];
    sc_table_rescale(model->steps, cells, total, model->total);
    sc_table_multiply(&measured->fold, model->steps, model->weights);
}

void sc_weight_model_update(sc_weight_model *model, unsigned passes)
{
    for (; passes > 0; passes--)
        for (size_t i = 0; i < model->count; i++)
            if (model->list[i].numerators != NULL)
                update_by_query(model, &model->list[i]);
            else
                update_by_marginal(model, &model->list[i]);
    rebuild(model);
}

void sc_weight_model_step(sc_weight_model *model, const uint32_t *numerators,
                          uint32_t den, int64_t step, uint64_t steps)
{
    const double by = (double)step / (double)steps;
    add_query(model, numerators, by, (double)den, model->logs);
    move(model, numerators, den, by);
}
