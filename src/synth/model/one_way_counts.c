#include "synth/model/one_way_counts.h"

#include "base/checked.h"
#include "base/memory.h"
#include "synth/model/real_functions.h"

#include <string.h>

static void inverse_sizes(const sc_synth_columns *columns, sc_ratio *out)
{
    SC_OWN(sc_ratio, inverse);
    for (size_t i = 0; i < columns->count; i++) {
        sc_ratio_set_quotient(&inverse, 1, columns->sizes[i]);
        sc_ratio_add(out, out, &inverse);
    }
}

static void add_column(const int64_t *counts, uint32_t size, sc_ratio *sum)
{
    sc_int128 total = 0;
    for (uint32_t u = 0; u < size; u++)
        total += counts[u];
    SC_OWN(sc_ratio, mean, inverse);
    sc_ratio_set_int128(&mean, total);
    sc_ratio_set_quotient(&inverse, 1, size);
    sc_ratio_mul(&mean, &mean, &inverse);
    sc_ratio_add(sum, sum, &mean);
}

/* floor(T + 1/2), from 1 to the largest count. */
static int64_t round_total(const sc_ratio *total)
{
    SC_OWN(sc_ratio, shifted);
    SC_OWN(sc_integer, floor);
    sc_int128 value;
    sc_ratio_set_quotient(&shifted, 1, 2);
    sc_ratio_add(&shifted, &shifted, total);
    if (sc_ratio_compare_int64(&shifted, 1) < 0)
        return 1;
    if (sc_ratio_compare_int64(&shifted, SC_SYNTH_COUNT_MAX) >= 0)
        return SC_SYNTH_COUNT_MAX;
    sc_ratio_floor(&shifted, &floor);
    return sc_integer_get_int128(&floor, &value) ? (int64_t)value : SC_SYNTH_COUNT_MAX;
}

int64_t sc_noisy_total(const sc_synth_columns *columns, const int64_t *const *counts,
                       sc_ratio *exact)
{
    SC_OWN(sc_ratio, sum, inverses);
    for (size_t i = 0; i < columns->count; i++)
        add_column(counts[i], columns->sizes[i], &sum);
    inverse_sizes(columns, &inverses);
    sc_ratio_div(&sum, &sum, &inverses);
    if (exact != NULL)
        sc_ratio_set(exact, &sum);
    return round_total(&sum);
}

double sc_noisy_total_variance(const sc_synth_columns *columns)
{
    double inverses = 0;
    for (size_t i = 0; i < columns->count; i++)
        inverses += 1 / (double)columns->sizes[i];
    return 1 / inverses;
}

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
        return sc_no_memory(error, "a model");
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
        return sc_no_memory(error, "a model");
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

void sc_recoding_init(sc_recoding *recoding)
{
    memset(recoding, 0, sizeof *recoding);
}

void sc_recoding_clear(sc_recoding *recoding)
{
    for (size_t i = 0; i < recoding->count; i++) {
        sc_free(recoding->list[i].codes);
        sc_free(recoding->list[i].sorted);
    }
    sc_recoding_init(recoding);
}

/* Is the count at least 3 standard deviations above 0? y > 0 and y^2 >= 9 variance, in integers. */
static bool stands_out(int64_t count, uint64_t variance_64ths)
{
    return count > 0 && (sc_uint128)count * (uint64_t)count >=
                            ((sc_uint128)variance_64ths * 9 + 63) / 64;
}

/* Sorts categories that stand out from the noise first; the others share one code. counts is
 * NULL to keep all. */
static void sort_categories(sc_recoded *column, const int64_t *counts,
                            uint64_t variance_64ths)
{
    uint32_t place = 0;
    for (int turn = 0; turn < 2; turn++) {
        for (uint32_t u = 0; u < column->size; u++)
            if ((counts == NULL || stands_out(counts[u], variance_64ths)) == (turn == 0))
                column->sorted[place++] = u;
        if (turn == 0)
            column->kept = place;
    }
    for (uint32_t i = 0; i < column->size; i++)
        column->codes[column->sorted[i]] = i < column->kept ? i : column->kept;
}

static scrim_status fill(const sc_synth_columns *columns, const int64_t *const *counts,
                         uint64_t variance_64ths, sc_recoding *out, scrim_error *error)
{
    sc_recoding made;
    sc_recoding_init(&made);
    for (size_t i = 0; i < columns->count; i++) {
        sc_recoded *column = &made.list[made.count++];
        column->size = columns->sizes[i];
        column->codes = sc_allocate(column->size, sizeof *column->codes);
        column->sorted = sc_allocate(column->size, sizeof *column->sorted);
        if (column->codes == NULL || column->sorted == NULL) {
            sc_recoding_clear(&made);
            return sc_no_memory(error, "a model");
        }
        sort_categories(column, counts == NULL ? NULL : counts[i], variance_64ths);
    }
    sc_recoding_clear(out);
    *out = made;
    return SCRIM_OK;
}

scrim_status sc_recoding_compress(const sc_synth_columns *columns,
                                  const int64_t *const *counts, uint64_t variance_64ths,
                                  sc_recoding *out, scrim_error *error)
{
    return fill(columns, counts, variance_64ths, out, error);
}

scrim_status sc_recoding_keep_all(const sc_synth_columns *columns, sc_recoding *out,
                                  scrim_error *error)
{
    return fill(columns, NULL, 0, out, error);
}

void sc_recoding_columns(const sc_recoding *recoding, sc_synth_columns *out)
{
    out->count = recoding->count;
    for (size_t i = 0; i < recoding->count; i++) {
        const sc_recoded *column = &recoding->list[i];
        out->sizes[i] = column->kept + (column->kept < column->size ? 1 : 0);
    }
}

uint32_t sc_recoded_members(const sc_recoded *column, uint32_t code)
{
    return code < column->kept ? 1 : column->size - column->kept;
}

void sc_recoded_counts(const sc_recoded *column, const int64_t *counts, int64_t *out,
                       uint32_t *members)
{
    const uint32_t size = column->kept + (column->kept < column->size ? 1 : 0);
    for (uint32_t code = 0; code < size; code++) {
        out[code] = 0;
        members[code] = sc_recoded_members(column, code);
    }
    for (uint32_t u = 0; u < column->size; u++)
        out[column->codes[u]] += counts[u];
}

/* 3 sigma <= total/20, as integers: 60^2 variance <= total^2. */
static bool is_noise_small(uint64_t variance_64ths, int64_t total)
{
    return (sc_uint128)variance_64ths * 3600 <=
           (sc_uint128)(uint64_t)total * (uint64_t)total * 64;
}

sc_clique sc_absent_nulls(const sc_synth_columns *columns, sc_clique nullable,
                          const int64_t *const *counts, uint64_t variance_64ths,
                          int64_t total)
{
    sc_clique absent = 0;
    if (!is_noise_small(variance_64ths, total))
        return 0;
    for (sc_clique rest = nullable; rest != 0; rest &= rest - 1) {
        const size_t i = sc_clique_first(rest);
        const uint32_t last = columns->sizes[i] - 1;
        if (last > 0 && !stands_out(counts[i][last], variance_64ths))
            absent |= sc_clique_of(i);
    }
    return absent;
}

uint64_t sc_present_cells(const sc_synth_columns *columns, sc_clique absent,
                          sc_clique clique)
{
    sc_synth_columns present = *columns;
    for (sc_clique rest = absent & clique; rest != 0; rest &= rest - 1)
        present.sizes[sc_clique_first(rest)]--;
    return sc_clique_cells(&present, clique);
}
