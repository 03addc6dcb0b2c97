#include "synth/rounds/released_model.h"

#include "base/memory.h"

static scrim_status refuse(scrim_error *error)
{
    return sc_fail(error, SCRIM_E_CHECK, "this is not a synthetic release");
}

static scrim_status no_memory(scrim_error *error)
{
    return sc_fail(error, SCRIM_E_MEMORY, "out of memory for a synthetic model");
}

/* The first steps are the one-way marginals, in order. */
static bool has_columns(const sc_synth_released *r)
{
    if (r->count < r->columns.count)
        return false;
    for (size_t i = 0; i < r->columns.count; i++)
        if (r->steps[i].is_query || r->steps[i].clique != sc_clique_of(i) ||
            r->steps[i].cells != r->columns.sizes[i] ||
            r->steps[i].scale_64ths != r->steps[0].scale_64ths)
            return false;
    return true;
}

scrim_status sc_released_recoding(const sc_synth_released *r, sc_recoding *out,
                                  scrim_error *error)
{
    const int64_t *counts[SC_SYNTH_COLUMNS_MAX];
    if (!has_columns(r))
        return refuse(error);
    for (size_t i = 0; i < r->columns.count; i++)
        counts[i] = r->steps[i].counts;
    return r->is_compressed ? sc_recoding_compress(&r->columns, counts,
                                                   r->steps[0].scale_64ths, out, error)
                            : sc_recoding_keep_all(&r->columns, out, error);
}

/* A one-way marginal, whose rare categories are one cell. */
static scrim_status learn_column(sc_synth_model *model, const sc_synth_step *step,
                                 const sc_recoded *map, uint32_t size, scrim_error *error)
{
    int64_t *counts = sc_allocate(size, sizeof *counts);
    uint32_t *members = sc_allocate(size, sizeof *members);
    scrim_status status = SCRIM_OK;
    if (counts == NULL || members == NULL) {
        status = no_memory(error);
    } else {
        sc_recoded_counts(map, step->counts, counts, members);
        status = sc_synth_model_measure(model, step->clique, counts, members,
                                        step->scale_64ths, error);
    }
    sc_free(members);
    sc_free(counts);
    return status;
}

scrim_status sc_released_learn(const sc_synth_released *r, size_t step,
                               sc_synth_model *model, scrim_error *error)
{
    const sc_synth_step *s = &r->steps[step];
    return sc_synth_model_measure(model, s->clique, s->counts, NULL, s->scale_64ths,
                                  error);
}

static scrim_status learn(const sc_synth_released *r, size_t steps,
                          const sc_recoding *recoding, const sc_synth_columns *columns,
                          sc_synth_model *model, scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; status == SCRIM_OK && i < r->count; i++) {
        const sc_synth_step *step = &r->steps[i];
        if (i < columns->count)
            status =
                learn_column(model, step, &recoding->list[i], columns->sizes[i], error);
        else if (step->is_query || step->noise != SC_SYNTH_GAUSSIAN ||
                 step->cells != sc_clique_cells(columns, step->clique))
            status = refuse(error);
        else if (i < steps)
            status = sc_released_learn(r, i, model, error);
    }
    return status;
}

/* Structural zeros of recoded cells: a cell is impossible where all that it stands for is. */

static uint64_t recoded_cell(const sc_synth_columns *declared,
                             const sc_synth_columns *columns, const sc_recoding *recoding,
                             sc_clique clique, uint64_t cell)
{
    uint64_t out = 0, stride = 1;
    for (sc_clique rest = clique; rest != 0;) {
        const size_t i = 63 - (size_t)__builtin_clzll(rest); /* the last one is fastest */
        out += stride * recoding->list[i].codes[cell % declared->sizes[i]];
        stride *= columns->sizes[i];
        cell /= declared->sizes[i];
        rest &= ~sc_clique_of(i);
    }
    return out;
}

static scrim_status forbid(const sc_synth_released *r, const sc_recoding *recoding,
                           const sc_synth_columns *columns, const sc_synth_zero *zero,
                           sc_synth_model *model, scrim_error *error)
{
    const uint64_t cells = sc_clique_cells(columns, zero->clique);
    const uint64_t declared = sc_clique_cells(&r->columns, zero->clique);
    bool *is_impossible =
        cells > SC_SYNTH_CELLS_MAX ? NULL : sc_allocate((size_t)cells, 1);
    if (is_impossible == NULL)
        return no_memory(error);
    for (uint64_t i = 0; i < cells; i++)
        is_impossible[i] = true;
    for (uint64_t i = 0; i < declared; i++)
        if (!zero->is_impossible[i])
            is_impossible[recoded_cell(&r->columns, columns, recoding, zero->clique, i)] =
                false;
    const scrim_status status =
        sc_synth_model_forbid(model, zero->clique, is_impossible, error);
    sc_free(is_impossible);
    return status;
}

sc_clique sc_released_absent(const sc_synth_released *r, const sc_recoding *recoding)
{
    sc_clique found = 0;
    for (sc_clique rest = r->absent; rest != 0; rest &= rest - 1) {
        const size_t i = sc_clique_first(rest);
        const sc_recoded *map = &recoding->list[i];
        if (map->size > 1 && sc_recoded_members(map, map->codes[map->size - 1]) == 1)
            found |= sc_clique_of(i);
    }
    return found;
}

static scrim_status forbid_absent(const sc_synth_released *r, const sc_recoding *recoding,
                                  const sc_synth_columns *columns, sc_synth_model *model,
                                  scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    sc_clique rest = sc_released_absent(r, recoding);
    for (; status == SCRIM_OK && rest != 0; rest &= rest - 1) {
        const size_t i = sc_clique_first(rest);
        bool *is_impossible = sc_allocate(columns->sizes[i], 1);
        if (is_impossible == NULL)
            return no_memory(error);
        is_impossible[columns->sizes[i] - 1] = true;
        status = sc_synth_model_forbid(model, sc_clique_of(i), is_impossible, error);
        sc_free(is_impossible);
    }
    return status;
}

scrim_status sc_released_start(const sc_synth_released *r,
                               const sc_released_options *options, size_t steps,
                               sc_recoding *recoding, sc_synth_model **out,
                               scrim_error *error)
{
    sc_synth_columns columns;
    sc_synth_model *model = NULL;
    scrim_status status = r->method == SC_SYNTH_MST || r->method == SC_SYNTH_AIM
                              ? sc_released_recoding(r, recoding, error)
                              : refuse(error);
    if (status != SCRIM_OK)
        return status;
    sc_recoding_columns(recoding, &columns);
    status = sc_synth_model_new(&columns, r->total, &model, error);
    if (status == SCRIM_OK)
        sc_synth_model_watch(model, options->cancel);
    if (status == SCRIM_OK)
        status = forbid_absent(r, recoding, &columns, model, error);
    for (size_t i = 0; status == SCRIM_OK && i < options->zero_count; i++)
        status = forbid(r, recoding, &columns, &options->zeros[i], model, error);
    if (status == SCRIM_OK)
        status = learn(r, steps, recoding, &columns, model, error);
    if (status == SCRIM_OK)
        *out = model;
    else
        sc_synth_model_free(model);
    return status;
}

scrim_status sc_released_model(const sc_synth_released *r,
                               const sc_released_options *options, sc_recoding *recoding,
                               sc_synth_model **out, scrim_error *error)
{
    sc_synth_model *model = NULL;
    scrim_status status =
        sc_released_start(r, options, r->count, recoding, &model, error);
    if (status == SCRIM_OK)
        status = sc_synth_model_fit(model, &r->fit, error);
    if (status == SCRIM_OK)
        *out = model;
    else
        sc_synth_model_free(model);
    return status;
}

scrim_status sc_released_before_last(const sc_synth_released *r,
                                     const sc_released_options *options,
                                     sc_recoding *recoding, sc_synth_model **out,
                                     scrim_error *error)
{
    sc_synth_model *model = NULL;
    const size_t first = r->inherited > 0 ? r->inherited : r->columns.count;
    scrim_status status =
        r->method == SC_SYNTH_AIM
            ? sc_released_start(r, options, first, recoding, &model, error)
            : refuse(error);
    if (status == SCRIM_OK)
        status = sc_synth_model_fit(model, &r->round_fit, error);
    for (size_t i = first; status == SCRIM_OK && i + 1 < r->count; i++) {
        status = sc_released_learn(r, i, model, error);
        if (status == SCRIM_OK)
            status = sc_synth_model_fit(model, &r->round_fit, error);
    }
    if (status == SCRIM_OK)
        *out = model;
    else
        sc_synth_model_free(model);
    return status;
}

scrim_status sc_released_weights_start(const sc_synth_released *r,
                                       const sc_released_options *options,
                                       sc_weight_model **out, scrim_error *error)
{
    sc_weight_model *model = NULL;
    scrim_status status = r->method == SC_SYNTH_MWEM
                              ? sc_weight_model_new(&r->columns, r->total, &model, error)
                              : refuse(error);
    if (status == SCRIM_OK)
        sc_weight_model_watch(model, options->cancel);
    for (size_t i = 0; status == SCRIM_OK && i < options->zero_count; i++)
        status = sc_weight_model_forbid(model, options->zeros[i].clique,
                                        options->zeros[i].is_impossible, error);
    if (status == SCRIM_OK)
        *out = model;
    else
        sc_weight_model_free(model);
    return status;
}

/* The table that was selected; its rows are as many as the total. */
static scrim_status small_weights(const sc_synth_released *r, sc_weight_model **out,
                                  scrim_error *error)
{
    const sc_clique all = sc_synth_columns_all(&r->columns);
    const sc_synth_step *step = r->steps;
    int64_t sum = 0;
    bool is_table = r->count == 1 && !step->is_query && step->clique == all &&
                    step->cells == sc_clique_cells(&r->columns, all);
    for (size_t i = 0; is_table && i < step->cells; i++) {
        is_table = step->counts[i] >= 0 && step->counts[i] <= r->total;
        sum += step->counts[i];
    }
    if (!is_table || sum != r->total)
        return refuse(error);
    const scrim_status status = sc_weight_model_new(&r->columns, r->total, out, error);
    if (status == SCRIM_OK)
        sc_weight_model_set(*out, step->counts);
    return status;
}

/* What a round of MWEM measured. */
static scrim_status weigh(const sc_synth_released *r, const sc_released_options *options,
                          const sc_synth_step *step, sc_weight_model *model,
                          scrim_error *error)
{
    if (step->is_query != (options->query_count > 0) ||
        (step->is_query ? step->query >= options->query_count || step->cells != 1
                        : step->cells != sc_clique_cells(&r->columns, step->clique)))
        return refuse(error);
    return step->is_query
               ? sc_weight_model_measure_query(model, &options->queries[step->query],
                                               step->counts[0], error)
               : sc_weight_model_measure(model, step->clique, step->counts, error);
}

scrim_status sc_released_weights(const sc_synth_released *r,
                                 const sc_released_options *options,
                                 sc_weight_model **out, scrim_error *error)
{
    sc_weight_model *model = NULL;
    if (r->method == SC_SYNTH_SMALLDB)
        return small_weights(r, out, error);
    scrim_status status = sc_released_weights_start(r, options, &model, error);
    for (size_t i = 1; status == SCRIM_OK && i < r->count; i++) {
        status = weigh(r, options, &r->steps[i], model, error);
        if (status == SCRIM_OK)
            sc_weight_model_update(model, r->passes);
    }
    if (status == SCRIM_OK)
        sc_weight_model_update(model, r->last_passes);
    if (status == SCRIM_OK)
        status = sc_cancel_check(options->cancel, error);
    if (status == SCRIM_OK)
        *out = model;
    else
        sc_weight_model_free(model);
    return status;
}
