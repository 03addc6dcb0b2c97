#include "synth/model/one_way_model.h"

#include "base/memory.h"
#include "synth/model/rounded_count.h"
#include "synth/model/simplex_fit.h"

struct sc_one_way_model {
    size_t count;
    uint32_t sizes[SC_SYNTH_COLUMNS_MAX];
    double *fitted[SC_SYNTH_COLUMNS_MAX];
    double total;
};

void sc_one_way_model_free(sc_one_way_model *model)
{
    if (model == NULL)
        return;
    for (size_t i = 0; i < model->count; i++)
        sc_free(model->fitted[i]);
    sc_free(model);
}

static scrim_status fit_column(sc_one_way_model *model, size_t i, const int64_t *counts,
                               scrim_error *error)
{
    const size_t size = model->sizes[i];
    double *values = sc_allocate(size, sizeof *values);
    model->fitted[i] = sc_allocate(size, sizeof *values);
    if (values == NULL || model->fitted[i] == NULL) {
        sc_free(values);
        return sc_fail(error, SCRIM_E_MEMORY, "out of memory for a model");
    }
    for (size_t u = 0; u < size; u++)
        values[u] = (double)counts[u];
    const scrim_status status =
        sc_simplex_fit(values, size, model->total, model->fitted[i], error);
    sc_free(values);
    return status;
}

scrim_status sc_one_way_model_new(const sc_synth_columns *columns,
                                  const int64_t *const *counts, int64_t total,
                                  sc_one_way_model **out, scrim_error *error)
{
    sc_one_way_model *model = sc_allocate(1, sizeof *model);
    if (model == NULL)
        return sc_fail(error, SCRIM_E_MEMORY, "out of memory for a model");
    model->total = (double)total;
    model->count = columns->count;
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; i < columns->count && status == SCRIM_OK; i++) {
        model->sizes[i] = columns->sizes[i];
        status = fit_column(model, i, counts[i], error);
    }
    if (status == SCRIM_OK)
        *out = model;
    else
        sc_one_way_model_free(model);
    return status;
}

void sc_one_way_model_pair(const sc_one_way_model *model, size_t a, size_t b,
                           int64_t *out)
{
    for (size_t u = 0; u < model->sizes[a]; u++)
        for (size_t v = 0; v < model->sizes[b]; v++)
            *out++ = sc_rounded_count(model->fitted[a][u] * model->fitted[b][v] /
                                      model->total);
}
