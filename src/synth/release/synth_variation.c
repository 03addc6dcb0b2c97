#include "synth/release/synth_variation.h"

#include "base/memory.h"
#include "model/option_struct.h"

#include <math.h>
#include <stddef.h>

#define RATE_UNIT 0x1p-32
/* Room for the rounding of the quotients. */
#define OUTWARDS 1e-12

typedef struct making {
    const sc_released_report *of;
    const sc_synth_released *released;
    double share; /* of beta, for a statement */
    sc_variation_total total;
    sc_query_entry *out;
} making;

static scrim_status count_rows(const making *m, size_t i, scrim_error *error)
{
    const sc_synth_columns *columns = &m->released->columns;
    const sc_linear_query *query = &m->of->options->queries[i];
    const size_t cells = (size_t)sc_clique_cells(columns, query->clique);
    int64_t *counts = sc_allocate(cells, sizeof *counts);
    if (counts == NULL)
        return sc_no_memory(error, "a report");
    sc_synth_rows_count(m->of->rows, columns, query->clique, counts);
    m->out[i] = (sc_query_entry){0, SC_REPORT_MODEL, {0, 1}};
    for (size_t k = 0; k < cells; k++)
        m->out[i].rows += query->numerators[k] != 0 ? (uint64_t)counts[k] : 0;
    sc_free(counts);
    return SCRIM_OK;
}

/* The range of the share in the data, given that its count is within a radius of a centre. */
static void bound(const making *m, size_t i, double centre, double radius,
                  sc_report_kind kind)
{
    const double share = (double)m->out[i].rows / (double)m->of->rows->count;
    const double least = m->total.total - m->total.slack;
    const double low = fmax(centre - radius, 0) / (m->total.total + m->total.slack);
    const double high = least > 0 ? fmin((centre + radius) / least, 1) : 1;
    m->out[i].kind = kind;
    m->out[i].difference.lower = fmax(fmax(low - share, share - high) - OUTWARDS, 0);
    m->out[i].difference.upper = fmin(fmax(high - share, share - low) + OUTWARDS, 1);
}

/* The noise is at most this in size, except with the share of beta that a statement gets. */
static double noise_upper(const making *m, const sc_synth_step *step)
{
    const sc_cell_noise noise = {step->noise == SC_SYNTH_LAPLACE,
                                 (double)step->scale_64ths / 64};
    return sc_variation_slack_upper(&noise, m->share);
}

static void bound_measured(const making *m)
{
    for (size_t i = 1; i < m->released->count; i++) {
        const sc_synth_step *step = &m->released->steps[i];
        bound(m, (size_t)step->query, (double)step->counts[0], noise_upper(m, step),
              SC_REPORT_MEASURED);
    }
}

/* Candidates of the last round that were never measured. */
static scrim_status bound_others(const making *m, scrim_error *error)
{
    sc_synth_released before = *m->released;
    const sc_released_options *options = m->of->options;
    const sc_synth_step *last = &before.steps[before.count - 1];
    sc_weight_model *model = NULL;
    int64_t answer = 0;
    before.count--;
    before.last_passes = 0;
    scrim_status status = sc_released_weights(&before, options, &model, error);
    if (status == SCRIM_OK)
        status =
            sc_weight_model_answer(model, &options->queries[last->query], &answer, error);
    const sc_selection_round round = {.candidates = last->candidates,
                                      .h = (double)last->rate * RATE_UNIT,
                                      .chosen_weight = 1,
                                      .chosen_upper =
                                          fabs((double)last->counts[0] - (double)answer) +
                                          noise_upper(m, last)};
    const double upper = sc_selection_upper(&round, 1, 0, m->share);
    for (size_t i = 0; status == SCRIM_OK && i < options->query_count; i++) {
        if (m->out[i].kind != SC_REPORT_MODEL)
            continue;
        status = sc_weight_model_answer(model, &options->queries[i], &answer, error);
        bound(m, i, (double)answer, upper, SC_REPORT_SELECTION);
    }
    sc_weight_model_free(model);
    return status;
}

scrim_status sc_query_report_make(const sc_released_report *of, sc_query_entry *out,
                                  scrim_error *error)
{
    const sc_synth_released *released = of->released;
    making m = {.of = of, .released = released, .out = out};
    const size_t count = of->options->query_count;
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; status == SCRIM_OK && i < count; i++)
        status = count_rows(&m, i, error);
    if (status != SCRIM_OK || count == 0 || released->method != SC_SYNTH_MWEM)
        return status;
    m.share = of->beta / (double)(released->count + 1);
    m.total.total = (double)released->total;
    m.total.slack = noise_upper(&m, &released->steps[0]);
    bound_measured(&m);
    return released->count - 1 < count ? bound_others(&m, error) : SCRIM_OK;
}

#define WAYS 3

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
        return sc_no_memory(error, "a report");
    for (size_t i = 0; i < r->report.count; i++)
        if ((r->names[i] = name_of(record, r->report.entries[i].clique, &r->arena)) ==
            NULL)
            return sc_no_memory(error, "a report");
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
    return r->queries == NULL ? sc_no_memory(error, "a report")
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
    SC_REQUIRE(error, "release out", release, out);
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
        return sc_no_memory(error, "a report");
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
