#include "synth/model/synth_model.h"

#include "base/memory.h"
#include "synth/model/junction.h"
#include "synth/model/real_functions.h"
#include "synth/model/synth_state.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* The clique in sorted columns. */
static sc_clique synth_sorted(const sc_synth_model *model, sc_clique clique)
{
    sc_clique sorted = 0;
    for (; clique != 0; clique &= clique - 1)
        sorted |= sc_clique_of(model->sorted[sc_clique_first(clique)]);
    return sorted;
}

static sc_clique outer_of(const sc_synth_model *model, sc_clique clique)
{
    sc_clique outer = 0;
    for (; clique != 0; clique &= clique - 1)
        outer |= sc_clique_of(model->outer[sc_clique_first(clique)]);
    return outer;
}

/* The step of a column in the caller's table of a clique. */
static size_t outer_step(const sc_synth_model *model, sc_clique outer, size_t column)
{
    const sc_clique behind =
        column + 1 == SC_SYNTH_COLUMNS_MAX ? 0 : outer >> (column + 1) << (column + 1);
    return (size_t)sc_clique_cells(&model->given_columns, behind);
}

/* The caller's place of each cell of a sorted clique, in order: places[i] for the i-th sorted cell. */
static void synth_places(const sc_synth_model *model, sc_clique sorted, size_t *places)
{
    const sc_clique outer = outer_of(model, sorted);
    size_t filled = 1;
    places[0] = 0;
    /* From the first column to the last: each place becomes as many as the column has values, from the end. */
    for (sc_clique rest = sorted; rest != 0; rest &= rest - 1) {
        const size_t column = sc_clique_first(rest), size = model->columns.sizes[column];
        const size_t step = outer_step(model, outer, model->outer[column]);
        for (size_t i = filled; i-- > 0;)
            for (size_t u = size; u-- > 0;)
                places[i * size + u] = places[i] + u * step;
        filled *= size;
    }
}

/* The cliques of all that was added, in sorted columns. */
static void synth_cliques(const sc_synth_model *model, sc_triangulation *out)
{
    *out = model->cliques;
    for (size_t i = 0; i < out->count; i++)
        out->cliques[i] = synth_sorted(model, out->cliques[i]);
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
        return sc_no_memory(error, "a model");
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
    sc_synth_factor factor = {.clique = synth_sorted(model, clique)};
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
        return sc_no_memory(error, "a model");
    }
    synth_places(model, factor.clique, *places);
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
        status = sc_no_memory(error, "a model");
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
    const sc_clique sorted = synth_sorted(model, clique);
    const size_t cells = (size_t)sc_clique_cells(&model->columns, sorted);
    double *table = sc_allocate(cells, sizeof *table);
    size_t *places = sc_allocate(cells, sizeof *places);
    status = table == NULL || places == NULL
                 ? sc_no_memory(error, "a model")
                 : sc_junction_marginal(&model->junction, sorted, table, error);
    if (status == SCRIM_OK) {
        synth_places(model, sorted, places);
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
        return sc_no_memory(error, "a model");
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

const sc_synth_fit SC_SYNTH_FIT_MST = {500, 5};
const sc_synth_fit SC_SYNTH_FIT_AIM_ROUND = {60, 30};
const sc_synth_fit SC_SYNTH_FIT_AIM_LAST = {400, 30};

#define HALVINGS_MAX 25
/* A gain that is smaller relative to the misfit is rounding. */
#define ROUNDING 1e-12

/* Where a factor is multiplied in and its marginal read: in a factor of more columns, else in a clique of the
 * junction tree. Large tables are then walked through for few factors. */
typedef struct host {
    size_t factor; /* the number of factors: it is a clique */
    size_t clique;
    sc_table_fold fold;
} host;

/* A fit while it runs. Arrays of cells hold all factors, one behind the other. */
typedef struct fitting {
    const sc_synth_model *model;
    sc_junction junction;
    host *hosts;
    size_t *order;   /* factors by columns: hosts come later */
    size_t *offsets; /* of the cells of each factor */
    size_t cells;
    double *memory; /* of the arrays below */
    double *theta, *mu, *gradient, *trial_theta, *trial_mu, *sums;
} fitting;

static void fitting_clear(fitting *f)
{
    sc_junction_clear(&f->junction);
    sc_free(f->hosts);
    sc_free(f->order);
    sc_free(f->offsets);
    sc_free(f->memory);
}

static void sort_factors(fitting *f)
{
    const sc_synth_model *model = f->model;
    size_t filled = 0;
    for (unsigned columns = 1; columns <= SC_SYNTH_COLUMNS_MAX; columns++)
        for (size_t i = 0; i < model->count; i++)
            if (sc_clique_count(model->factors[i].clique) == columns)
                f->order[filled++] = i;
}

/* The smallest table that holds a factor, which stands at a place of the order. */
static void find_host(fitting *f, size_t place)
{
    const sc_synth_model *model = f->model;
    const sc_clique clique = model->factors[f->order[place]].clique;
    host *found = &f->hosts[f->order[place]];
    sc_clique columns = 0;
    found->factor = model->count;
    for (size_t later = place + 1; later < model->count; later++) {
        const size_t i = f->order[later];
        if (sc_clique_is_inside(clique, model->factors[i].clique) &&
            (found->factor == model->count ||
             model->factors[i].cells < model->factors[found->factor].cells))
            found->factor = i;
    }
    if (found->factor != model->count) {
        columns = model->factors[found->factor].clique;
    } else {
        found->clique = sc_junction_find(&f->junction, clique);
        columns = f->junction.list[found->clique].columns;
    }
    sc_table_fold_set(&model->columns, columns, clique, &found->fold);
}

static scrim_status allocate_arrays(fitting *f, scrim_error *error)
{
    const sc_synth_model *model = f->model;
    f->hosts = sc_allocate(model->count, sizeof *f->hosts);
    f->order = sc_allocate(model->count, sizeof *f->order);
    f->offsets = sc_allocate(model->count, sizeof *f->offsets);
    for (size_t i = 0; i < model->count && f->offsets != NULL; i++) {
        f->offsets[i] = f->cells;
        f->cells += model->factors[i].cells;
    }
    f->memory = sc_allocate(f->cells, 6 * sizeof *f->memory);
    if (f->hosts == NULL || f->order == NULL || f->offsets == NULL || f->memory == NULL)
        return sc_no_memory(error, "a model");
    f->theta = f->memory;
    f->mu = f->theta + f->cells;
    f->gradient = f->mu + f->cells;
    f->trial_theta = f->gradient + f->cells;
    f->trial_mu = f->trial_theta + f->cells;
    f->sums = f->trial_mu + f->cells;
    return SCRIM_OK;
}

static scrim_status fitting_init(fitting *f, const sc_synth_model *model,
                                 scrim_error *error)
{
    sc_triangulation cliques;
    *f = (fitting){.model = model};
    sc_junction_init(&f->junction);
    synth_cliques(model, &cliques);
    scrim_status status =
        sc_junction_build(&model->columns, &cliques, &f->junction, error);
    if (status == SCRIM_OK)
        status = allocate_arrays(f, error);
    if (status != SCRIM_OK)
        return status;
    sort_factors(f);
    for (size_t place = 0; place < model->count; place++)
        find_host(f, place);
    for (size_t i = 0; i < model->count; i++)
        memcpy(f->theta + f->offsets[i], model->factors[i].theta,
               model->factors[i].cells * sizeof *f->theta);
    return SCRIM_OK;
}

static double *table_of_host(fitting *f, const host *at, double *cells)
{
    return at->factor != f->model->count ? cells + f->offsets[at->factor]
                                         : f->junction.list[at->clique].table;
}

/* The marginals of log potentials theta. False where nothing is possible. */
static bool find_marginals(fitting *f, const double *theta, double *mu)
{
    for (size_t i = 0; i < f->junction.count; i++)
        memset(f->junction.list[i].table, 0, f->junction.list[i].cells * sizeof(double));
    memcpy(f->sums, theta, f->cells * sizeof *f->sums);
    for (size_t place = 0; place < f->model->count; place++) {
        const size_t i = f->order[place];
        sc_table_add(&f->hosts[i].fold, f->sums + f->offsets[i],
                     table_of_host(f, &f->hosts[i], f->sums));
    }
    if (!sc_junction_calibrate(&f->junction, f->model->total))
        return false;
    for (size_t place = f->model->count; place-- > 0;) {
        const size_t i = f->order[place];
        sc_table_sum(&f->hosts[i].fold, table_of_host(f, &f->hosts[i], mu),
                     mu + f->offsets[i]);
    }
    return true;
}

/* The misfit of marginals; gradient gets its derivatives and may be NULL. */
static double misfit_of(const fitting *f, const double *mu, double *gradient)
{
    double sum = 0;
    for (size_t i = 0; i < f->model->count; i++) {
        const sc_synth_factor *factor = &f->model->factors[i];
        const size_t offset = f->offsets[i];
        for (size_t u = 0; u < factor->cells && factor->measured != NULL; u++) {
            const double off = mu[offset + u] - factor->measured[u];
            const double slope = off * factor->precision[u];
            sum += off * slope / 2;
            if (gradient != NULL)
                gradient[offset + u] = slope;
        }
    }
    return sum;
}

/* 2 variance/N of the most precise measurement, of more than one column where there is any. */
static double first_step(const fitting *f)
{
    double best[2] = {0, 0};
    for (size_t i = 0; i < f->model->count; i++) {
        const sc_synth_factor *factor = &f->model->factors[i];
        double *of = &best[sc_clique_count(factor->clique) > 1];
        for (size_t u = 0; u < factor->cells && factor->measured != NULL; u++)
            *of = factor->precision[u] > *of ? factor->precision[u] : *of;
    }
    const double precision = best[1] > 0 ? best[1] : best[0];
    return precision > 0 ? 2 / (precision * f->model->total) : 0;
}

/* A step ahead, in trial_theta and trial_mu. */
typedef struct trial {
    bool is_possible; /* false: it goes so far that no cell has a weight left */
    double promised;  /* the gain, by the gradient */
    double misfit;
} trial;

static trial try_step(fitting *f, double step)
{
    trial out = {.promised = 0};
    for (size_t i = 0; i < f->cells; i++)
        f->trial_theta[i] = f->theta[i] - step * f->gradient[i];
    if (!find_marginals(f, f->trial_theta, f->trial_mu))
        return out;
    for (size_t i = 0; i < f->cells; i++)
        out.promised += f->gradient[i] * (f->mu[i] - f->trial_mu[i]);
    out.misfit = misfit_of(f, f->trial_mu, NULL);
    out.is_possible = out.misfit >= 0; /* a number */
    return out;
}

static void take_step(fitting *f)
{
    double *theta = f->theta, *mu = f->mu;
    f->theta = f->trial_theta;
    f->mu = f->trial_mu;
    f->trial_theta = theta;
    f->trial_mu = mu;
}

/* Mirror descent with backtracking; the misfit of the last theta, which always has marginals. */
static double descend(fitting *f, const sc_synth_fit *fit)
{
    double step = first_step(f);
    double misfit = misfit_of(f, f->mu, f->gradient);
    for (unsigned turn = 0; turn < fit->iterations && !sc_cancel_asks(f->model->cancel);
         turn++) {
        trial t = try_step(f, step);
        for (int halvings = 0;
             halvings < HALVINGS_MAX &&
             (!t.is_possible || misfit - t.misfit < t.promised / 2 - ROUNDING * misfit);
             halvings++) {
            step /= 2;
            t = try_step(f, step);
        }
        if (!t.is_possible) {
            (void)find_marginals(f, f->theta, f->mu); /* as before, in the junction too */
            break;
        }
        take_step(f);
        misfit = misfit_of(f, f->mu, f->gradient);
        step *= 1 + fit->growth_percent / 100.0;
    }
    return misfit;
}

/* The model takes over what was fitted. */
static void take_over(sc_synth_model *model, fitting *f, double misfit)
{
    for (size_t i = 0; i < model->count; i++)
        memcpy(model->factors[i].theta, f->theta + f->offsets[i],
               model->factors[i].cells * sizeof *f->theta);
    const sc_junction before = model->junction;
    model->junction = f->junction;
    f->junction = before;
    model->misfit = misfit;
}

static scrim_status run_fit(sc_synth_model *model, const sc_synth_fit *fit,
                            scrim_error *error)
{
    fitting f;
    scrim_status status = fitting_init(&f, model, error);
    if (status == SCRIM_OK && !find_marginals(&f, f.theta, f.mu))
        status = sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "columns",
                             "every row is declared impossible");
    if (status == SCRIM_OK) {
        const double misfit = descend(&f, fit);
        status = sc_cancel_check(model->cancel, error);
        if (status == SCRIM_OK)
            take_over(model, &f, misfit);
    }
    fitting_clear(&f);
    return status;
}

void sc_synth_model_watch(sc_synth_model *model, sc_cancel *cancel)
{
    model->cancel = cancel;
}

scrim_status sc_synth_model_fit(sc_synth_model *model, const sc_synth_fit *fit,
                                scrim_error *error)
{
    if (model->is_conditioned)
        return sc_fail(error, SCRIM_E_STATE,
                       "a model with given values cannot be fitted again");
    return run_fit(model, fit, error);
}

/* A factor that is not measured, with these weights; on success the last of the model. */
static scrim_status put_weights(sc_synth_model *model, size_t column,
                                const double *weights, scrim_error *error)
{
    const size_t size = model->given_columns.sizes[column];
    bool *is_impossible = sc_allocate(size, sizeof *is_impossible);
    if (is_impossible == NULL)
        return sc_no_memory(error, "a model");
    for (size_t u = 0; u < size; u++)
        is_impossible[u] = !(weights[u] >= DBL_MIN);
    const scrim_status status =
        sc_synth_model_forbid(model, sc_clique_of(column), is_impossible, error);
    sc_free(is_impossible);
    for (size_t u = 0; u < size && status == SCRIM_OK; u++)
        if (weights[u] >= DBL_MIN)
            model->factors[model->count - 1].theta[u] = sc_real_log(weights[u]);
    return status;
}

scrim_status sc_synth_model_given(sc_synth_model *model, size_t column,
                                  const double *weights, scrim_error *error)
{
    if (column >= model->given_columns.count)
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "columns",
                                 "there are %zu columns", model->given_columns.count);
    scrim_status status = put_weights(model, column, weights, error);
    if (status != SCRIM_OK)
        return status;
    const double misfit = model->misfit;
    status = run_fit(model, &(sc_synth_fit){0, 0}, error);
    if (status == SCRIM_OK)
        model->is_conditioned = true;
    else
        sc_free(model->factors[--model->count].theta);
    model->misfit = misfit;
    return status;
}
