#include "synth/model/synth_model.h"

#include "base/memory.h"
#include "synth/model/junction_marginal.h"
#include "synth/model/real_functions.h"
#include "synth/model/rounded_count.h"
#include "synth/model/simplex_fit.h"
#include "synth/model/synth_state.h"

#include <math.h>
#include <string.h>

static scrim_status no_memory(scrim_error *error)
{
    return sc_fail(error, SCRIM_E_MEMORY, "out of memory for a model");
}

/* Sorts columns by size, and by index where sizes are equal. */
static void sort_columns(sc_synth_model *model, const sc_synth_columns *columns)
{
    model->given_columns = *columns;
    model->columns.count = columns->count;
    for (size_t i = 0; i < columns->count; i++) {
        size_t place = 0;
        for (size_t j = 0; j < columns->count; j++)
            if (columns->sizes[j] < columns->sizes[i] ||
                (columns->sizes[j] == columns->sizes[i] && j < i))
                place++;
        model->outer[place] = i;
        model->sorted[i] = place;
        model->columns.sizes[place] = columns->sizes[i];
    }
}

scrim_status sc_synth_model_new(const sc_synth_columns *columns, int64_t total,
                                sc_synth_model **out, scrim_error *error)
{
    scrim_status status = sc_synth_columns_check(columns, error);
    if (status != SCRIM_OK)
        return status;
    if (total < 1 || total > SC_SYNTH_COUNT_MAX)
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "total",
                                 "it must be at least 1 and at most 1099511627776");
    sc_synth_model *model = sc_allocate(1, sizeof *model);
    if (model == NULL)
        return no_memory(error);
    model->total = (double)total;
    sort_columns(model, columns);
    sc_triangulate(columns, &model->graph, &model->cliques);
    status = sc_synth_model_fit(model, &(sc_synth_fit){0, 0}, error);
    if (status == SCRIM_OK)
        *out = model;
    else
        sc_synth_model_free(model);
    return status;
}

static void clear_factor(sc_synth_factor *factor)
{
    sc_free(factor->theta);
    sc_free(factor->measured);
    sc_free(factor->precision);
}

void sc_synth_model_free(sc_synth_model *model)
{
    if (model == NULL)
        return;
    for (size_t i = 0; i < model->count; i++)
        clear_factor(&model->factors[i]);
    sc_free(model->factors);
    sc_junction_clear(&model->junction);
    sc_free(model);
}

/* Checks a clique of the caller's. */
static scrim_status check_clique(const sc_synth_model *model, sc_clique clique,
                                 scrim_error *error)
{
    if (clique == 0 ||
        !sc_clique_is_inside(clique, sc_synth_columns_all(&model->given_columns)))
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "columns",
                                 "a marginal must have at least 1 column of the model");
    if (sc_clique_cells(&model->given_columns, clique) > SC_SYNTH_CELLS_MAX)
        return sc_fail_parameter(error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE, "columns",
                                 "a marginal may have at most %llu cells",
                                 (unsigned long long)SC_SYNTH_CELLS_MAX);
    return SCRIM_OK;
}

/* A factor whose tables are empty yet, and the caller's place of each of its cells. */
static scrim_status begin_factor(const sc_synth_model *model, sc_clique clique,
                                 bool is_measured, sc_synth_factor *out, size_t **places,
                                 scrim_error *error)
{
    const scrim_status status = check_clique(model, clique, error);
    if (status != SCRIM_OK)
        return status;
    sc_synth_factor factor = {.clique = sc_synth_sorted(model, clique)};
    factor.cells = (size_t)sc_clique_cells(&model->columns, factor.clique);
    *places = sc_allocate(factor.cells, sizeof **places);
    factor.theta = sc_allocate(factor.cells, sizeof *factor.theta);
    if (is_measured) {
        factor.measured = sc_allocate(factor.cells, sizeof *factor.measured);
        factor.precision = sc_allocate(factor.cells, sizeof *factor.precision);
    }
    if (*places == NULL || factor.theta == NULL ||
        (is_measured && (factor.measured == NULL || factor.precision == NULL))) {
        clear_factor(&factor);
        sc_free(*places);
        return no_memory(error);
    }
    sc_synth_places(model, factor.clique, *places);
    *out = factor;
    return SCRIM_OK;
}

static sc_synth_factor *find_measured(sc_synth_model *model, sc_clique clique)
{
    for (size_t i = 0; i < model->count; i++)
        if (model->factors[i].clique == clique && model->factors[i].measured != NULL)
            return &model->factors[i];
    return NULL;
}

/* By inverse variance; the log potentials stay. */
static void merge(sc_synth_factor *into, const sc_synth_factor *from)
{
    for (size_t i = 0; i < into->cells; i++) {
        const double precision = into->precision[i] + from->precision[i];
        into->measured[i] = (into->measured[i] * into->precision[i] +
                             from->measured[i] * from->precision[i]) /
                            precision;
        into->precision[i] = precision;
    }
}

/* A one-way marginal begins at its projection, cells of 0 at a thousandth of their even share. */
static scrim_status begin_one_way(const sc_synth_model *model, sc_synth_factor *factor,
                                  scrim_error *error)
{
    const double least = model->total / (1000 * (double)factor->cells);
    const scrim_status status = sc_simplex_fit(factor->measured, factor->cells,
                                               model->total, factor->theta, error);
    for (size_t i = 0; i < factor->cells && status == SCRIM_OK; i++)
        factor->theta[i] =
            sc_real_log(factor->theta[i] > least ? factor->theta[i] : least);
    return status;
}

/* Takes the factor over, or clears it. */
static scrim_status put_factor(sc_synth_model *model, sc_synth_factor *factor,
                               sc_clique clique, scrim_error *error)
{
    sc_synth_factor *before =
        factor->measured == NULL ? NULL : find_measured(model, factor->clique);
    scrim_status status = SCRIM_OK;
    if (before == NULL && factor->measured != NULL && sc_clique_count(clique) == 1)
        status = begin_one_way(model, factor, error);
    if (status == SCRIM_OK && before == NULL &&
        !sc_make_room(&model->factors, model->count, &model->capacity,
                      sizeof *model->factors))
        status = no_memory(error);
    if (status == SCRIM_OK && before == NULL) {
        model->factors[model->count++] = *factor;
        sc_clique_graph_add(&model->graph, clique);
        sc_triangulate(&model->given_columns, &model->graph, &model->cliques);
        return SCRIM_OK;
    }
    if (status == SCRIM_OK)
        merge(before, factor);
    clear_factor(factor);
    return status;
}

scrim_status sc_synth_model_measure(sc_synth_model *model, sc_clique clique,
                                    const int64_t *counts, const uint32_t *members,
                                    uint64_t variance_64ths, scrim_error *error)
{
    sc_synth_factor factor;
    size_t *places;
    if (variance_64ths == 0)
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "variance",
                                 "it must be above 0");
    const scrim_status status =
        begin_factor(model, clique, true, &factor, &places, error);
    if (status != SCRIM_OK)
        return status;
    const double precision = 64 / (double)variance_64ths;
    for (size_t i = 0; i < factor.cells; i++) {
        const uint32_t sum_of = members == NULL ? 1 : members[places[i]];
        factor.measured[i] = (double)counts[places[i]];
        factor.precision[i] = precision / (double)(sum_of == 0 ? 1 : sum_of);
    }
    sc_free(places);
    return put_factor(model, &factor, clique, error);
}

scrim_status sc_synth_model_forbid(sc_synth_model *model, sc_clique clique,
                                   const bool *is_impossible, scrim_error *error)
{
    sc_synth_factor factor;
    size_t *places;
    const scrim_status status =
        begin_factor(model, clique, false, &factor, &places, error);
    if (status != SCRIM_OK)
        return status;
    for (size_t i = 0; i < factor.cells; i++)
        factor.theta[i] = is_impossible[places[i]] ? -(double)INFINITY : 0;
    sc_free(places);
    return put_factor(model, &factor, clique, error);
}

double sc_synth_model_misfit(const sc_synth_model *model)
{
    return model->misfit;
}

scrim_status sc_synth_model_marginal(const sc_synth_model *model, sc_clique clique,
                                     double *out, scrim_error *error)
{
    scrim_status status = check_clique(model, clique, error);
    if (status != SCRIM_OK)
        return status;
    const sc_clique sorted = sc_synth_sorted(model, clique);
    const size_t cells = (size_t)sc_clique_cells(&model->columns, sorted);
    double *table = sc_allocate(cells, sizeof *table);
    size_t *places = sc_allocate(cells, sizeof *places);
    status = table == NULL || places == NULL
                 ? no_memory(error)
                 : sc_junction_marginal(&model->junction, sorted, table, error);
    if (status == SCRIM_OK) {
        sc_synth_places(model, sorted, places);
        for (size_t i = 0; i < cells; i++)
            out[places[i]] = table[i];
    }
    sc_free(table);
    sc_free(places);
    return status;
}

scrim_status sc_synth_model_counts(const sc_synth_model *model, sc_clique clique,
                                   int64_t *out, scrim_error *error)
{
    scrim_status status = check_clique(model, clique, error);
    if (status != SCRIM_OK)
        return status;
    const size_t cells = (size_t)sc_clique_cells(&model->given_columns, clique);
    double *table = sc_allocate(cells, sizeof *table);
    if (table == NULL)
        return no_memory(error);
    status = sc_synth_model_marginal(model, clique, table, error);
    for (size_t i = 0; i < cells && status == SCRIM_OK; i++)
        out[i] = sc_rounded_count(table[i]);
    sc_free(table);
    return status;
}

uint64_t sc_synth_model_cells(const sc_synth_model *model)
{
    return model->cliques.cells;
}

uint64_t sc_synth_model_cells_after(const sc_synth_model *model, sc_clique clique)
{
    sc_clique_graph graph = model->graph;
    sc_triangulation cliques;
    if (sc_synth_model_holds(model, clique))
        return model->cliques.cells;
    sc_clique_graph_add(&graph, clique);
    sc_triangulate(&model->given_columns, &graph, &cliques);
    return cliques.cells;
}

bool sc_synth_model_holds(const sc_synth_model *model, sc_clique clique)
{
    return sc_triangulation_holds(&model->cliques, clique);
}
