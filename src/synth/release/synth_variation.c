#include "synth/release/synth_variation.h"

#include "model/option_struct.h"

#include <stddef.h>

#define WAYS 3

static scrim_status no_memory(scrim_error *error)
{
    return sc_fail(error, SCRIM_E_MEMORY, "out of memory for a report");
}

const char *scrim_synth_basis_name(scrim_synth_basis basis)
{
    static const char *const names[] = {"", "measured", "inside", "selection", "model"};
    return names[basis];
}

/* "age,sex", in the arena; NULL without memory. */
static const char *name_of(const sc_synth_record *record, sc_clique clique,
                           sc_arena *arena)
{
    const size_t bytes = sc_clique_count(clique) * (SC_COLUMN_NAME_BYTES + 1) + 1;
    char *text = sc_arena_allocate(arena, bytes, 1);
    sc_text_sink sink;
    if (text == NULL)
        return NULL;
    sc_text_sink_init(&sink, text, bytes);
    for (sc_clique rest = clique; rest != 0; rest &= rest - 1) {
        sc_text_put(&sink, sc_text_of(rest == clique ? "" : ","));
        sc_text_put(&sink, sc_text_of(record->names[sc_clique_first(rest)]));
    }
    return text;
}

static scrim_status name_entries(scrim_synth_report *r, const sc_synth_record *record,
                                 scrim_error *error)
{
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers */
    r->names = sc_arena_allocate(&r->arena, r->report.count, sizeof *r->names);
    if (r->names == NULL)
        return no_memory(error);
    for (size_t i = 0; i < r->report.count; i++)
        if ((r->names[i] = name_of(record, r->report.entries[i].clique, &r->arena)) ==
            NULL)
            return no_memory(error);
    return SCRIM_OK;
}

static scrim_status of_model(const scrim_synth_release *release, uint64_t count,
                             sc_cancel *cancel, const sc_released_report *asked,
                             sc_synth_report *out, scrim_error *error)
{
    const sc_synth_record *record = &release->record;
    sc_released_report of = *asked;
    sc_released_options options = sc_synth_record_options(record);
    options.cancel = cancel;
    const sc_hash_key key = sc_synth_release_key(release);
    sc_recoding recoding;
    sc_synth_rows rows;
    sc_synth_model *model = NULL;
    sc_recoding_init(&recoding);
    sc_synth_rows_init(&rows);
    scrim_status status =
        sc_released_model(&record->released, &options, &recoding, &model, error);
    if (status == SCRIM_OK)
        status = sc_synth_rows_draw(model, count, &key, &rows, error);
    of.options = &options;
    of.recoding = &recoding;
    of.model = model;
    of.rows = &rows;
    if (status == SCRIM_OK)
        status = sc_released_report_make(&of, out, error);
    sc_synth_model_free(model);
    sc_synth_rows_clear(&rows);
    sc_recoding_clear(&recoding);
    return status;
}

static scrim_status report_queries(scrim_synth_report *r, const sc_released_report *of,
                                   const sc_synth_domain *domain, scrim_error *error)
{
    r->domain = domain;
    r->queries = sc_arena_allocate(&r->arena, domain->query_count, sizeof *r->queries);
    return r->queries == NULL ? no_memory(error)
                              : sc_query_report_make(of, r->queries, error);
}

static scrim_status of_weights(const scrim_synth_release *release, uint64_t count,
                               sc_cancel *cancel, const sc_released_report *asked,
                               scrim_synth_report *r, scrim_error *error)
{
    const sc_synth_record *record = &release->record;
    sc_released_report of = *asked;
    sc_released_options options = sc_synth_record_options(record);
    options.cancel = cancel;
    const sc_hash_key key = sc_synth_release_key(release);
    sc_synth_rows rows;
    sc_weight_model *model = NULL;
    sc_synth_rows_init(&rows);
    scrim_status status = sc_released_weights(&record->released, &options, &model, error);
    if (status == SCRIM_OK)
        status = sc_synth_rows_draw_weights(model, count, &key, &rows, error);
    of.options = &options;
    of.weights = model;
    of.rows = &rows;
    if (status == SCRIM_OK)
        status = sc_released_report_make(&of, &r->report, error);
    if (status == SCRIM_OK)
        status = report_queries(r, &of, &record->domain, error);
    sc_weight_model_free(model);
    sc_synth_rows_clear(&rows);
    return status;
}

/* 1 - confidence, rounded down. */
static scrim_status read_beta(const char *text, double *out, scrim_error *error)
{
    SC_OWN(sc_ratio, confidence, million);
    SC_OWN(sc_integer, parts);
    uint64_t millionths = 0;
    scrim_status status =
        sc_ratio_parse(sc_text_of(text == NULL ? "0.95" : text), &confidence, error);
    if (status != SCRIM_OK)
        return status;
    sc_ratio_set_int64(&million, 1000000);
    sc_ratio_mul(&confidence, &confidence, &million);
    sc_ratio_ceil(&confidence, &parts);
    if (sc_integer_sign(&parts) <= 0 || !sc_integer_get_uint64(&parts, &millionths) ||
        millionths >= 1000000)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "confidence",
                           "confidence must be above 0 and at most 0.999999");
    *out = (double)(1000000 - millionths) / 1000000;
    return SCRIM_OK;
}

static scrim_status fill(scrim_synth_report *r, const scrim_synth_release *release,
                         const scrim_synth_report_options *options, scrim_error *error)
{
    const sc_synth_released *released = &release->record.released;
    const uint64_t count = options->rows == 0 ? (uint64_t)released->total : options->rows;
    sc_cancel cancel = {.is_cancelled = options->is_cancelled,
                        .context = options->context};
    r->rows = count;
    sc_released_report of = {.released = released,
                             .ways = options->ways == 0 ? WAYS : options->ways};
    scrim_status status = of.ways > WAYS
                              ? sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE,
                                            "ways", "1, 2 or 3 columns together")
                              : read_beta(options->confidence, &of.beta, error);
    if (status == SCRIM_OK)
        status = sc_released_has_weights(released)
                     ? of_weights(release, count, &cancel, &of, r, error)
                     : of_model(release, count, &cancel, &of, &r->report, error);
    return status == SCRIM_OK ? name_entries(r, &release->record, error) : status;
}

scrim_status scrim_synth_report_new(const scrim_synth_release *release,
                                    const scrim_synth_report_options *options,
                                    scrim_synth_report **out, scrim_error *error)
{
    scrim_synth_report_options given = {.size = sizeof given};
    scrim_status status =
        options == NULL
            ? SCRIM_OK
            : sc_option_struct_copy(options,
                                    offsetof(scrim_synth_report_options, progress),
                                    &given, sizeof given, error);
    if (status != SCRIM_OK)
        return status;
    scrim_synth_report *r = sc_allocate(1, sizeof *r);
    if (r == NULL)
        return no_memory(error);
    sc_arena_init(&r->arena);
    sc_synth_report_init(&r->report);
    r->progress = given.progress;
    r->context = given.context;
    status = fill(r, release, &given, error);
    if (status == SCRIM_OK)
        *out = r;
    else
        scrim_synth_report_free(r);
    return status;
}

/* Progress. */

#define SHARES 1000

void sc_synth_report_tell(const scrim_synth_report *r, bool is_read, uint64_t done,
                          uint64_t total)
{
    const uint64_t before = is_read ? SHARES / 2 : 0;
    if (total > 0 && r->progress != NULL)
        r->progress(r->context,
                    before + (uint64_t)((sc_uint128)done * (SHARES / 2) / total), SHARES);
}

void scrim_synth_report_free(scrim_synth_report *r)
{
    if (r == NULL)
        return;
    sc_free_wiped(r->truth, r->truth == NULL ? 0 : r->report.count * sizeof *r->truth);
    sc_synth_report_clear(&r->report);
    sc_arena_clear(&r->arena);
    sc_free(r);
}

int scrim_synth_report_query_at(const scrim_synth_report *r, size_t index,
                                scrim_synth_query *out)
{
    if (r->domain == NULL || index >= r->domain->query_count)
        return 0;
    const sc_query_entry *entry = &r->queries[index];
    *out = (scrim_synth_query){.text = r->domain->query_texts[index],
                               .rows = entry->rows,
                               .share = (double)entry->rows / (double)r->rows,
                               .basis = (scrim_synth_basis)entry->kind,
                               .low = entry->difference.lower,
                               .high = entry->difference.upper};
    return 1;
}

int scrim_synth_report_at(const scrim_synth_report *r, size_t index,
                          scrim_synth_marginal *out)
{
    if (index >= r->report.count)
        return 0;
    const sc_report_entry *entry = &r->report.entries[index];
    *out = (scrim_synth_marginal){.columns = r->names[index],
                                  .ways = sc_clique_count(entry->clique),
                                  .basis = (scrim_synth_basis)entry->kind,
                                  .low = entry->variation.lower,
                                  .high = entry->variation.upper,
                                  .model = entry->from_model,
                                  .truth = r->truth == NULL ? -1 : r->truth[index]};
    return 1;
}
