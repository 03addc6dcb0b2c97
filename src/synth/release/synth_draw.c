/* The model of a release, and rows of values from it: post-processing, in doubles. */
#include "synth/release/synth_draw.h"

#include "base/text_copy.h"
#include "data/value/unit_word.h"
#include "model/option_struct.h"
#include "synth/model/synth_rows.h"

#include <stdio.h>
#include <string.h>

/* Releases. */

static void copy_number(sc_text from, char to[SCRIM_NUMBER_BYTES])
{
    sc_text_sink sink;
    sc_text_sink_init(&sink, to, SCRIM_NUMBER_BYTES);
    sc_text_put(&sink, from);
}

scrim_status sc_synth_release_new(const char *text, uint64_t id, uint64_t time,
                                  bool is_repeated, scrim_synth_release **out,
                                  scrim_error *error)
{
    scrim_synth_release *r = sc_allocate(1, sizeof *r);
    if (r == NULL)
        return sc_no_memory(error, "synthetic rows");
    r->id = id;
    r->time = time;
    r->is_repeated = is_repeated;
    scrim_status status = sc_synth_record_read(text, &r->record, error);
    if (status == SCRIM_OK && (r->dataset = sc_text_copy(r->record.dataset)) == NULL)
        status = sc_no_memory(error, "synthetic rows");
    if (status == SCRIM_OK) {
        r->cost.neighbours = r->record.released.neighbours;
        copy_number(r->record.epsilon, r->cost.epsilon);
        copy_number(r->record.delta, r->cost.delta);
        copy_number(r->record.rho, r->cost.rho);
        *out = r;
    } else {
        scrim_synth_release_free(r);
    }
    return status;
}

void scrim_synth_release_free(scrim_synth_release *r)
{
    if (r == NULL)
        return;
    sc_synth_record_clear(&r->record);
    sc_free(r->dataset);
    sc_free(r);
}

void scrim_synth_release_describe(const scrim_synth_release *r, scrim_synth_released *out)
{
    const sc_synth_released *released = &r->record.released;
    const sc_schema *schema = r->record.schema;
    const sc_bounds bounds = sc_bounds_normal(&schema->bounds, 0);
    const bool has_units = schema->unit.bytes > 0;
    *out = (scrim_synth_released){.release = r->id,
                                  .time = r->time,
                                  .is_repeated = r->is_repeated,
                                  .dataset = r->dataset,
                                  .method = sc_synth_method_name(released->method),
                                  .version = r->record.version,
                                  .cost = r->cost,
                                  .unit_word = sc_unit_word(schema->unit, false),
                                  .unit_words = sc_unit_word(schema->unit, true),
                                  .max_rows = released->rows,
                                  .max_distinct = has_units ? bounds.groups : 1,
                                  .max_alike = has_units ? bounds.rows : 1,
                                  .rows = (uint64_t)released->total,
                                  .column_count = r->record.domain.count,
                                  .marginal_count = released->count,
                                  .refines = r->record.refines,
                                  .query_count = r->record.domain.query_count};
}

int scrim_synth_release_column_at(const scrim_synth_release *r, size_t index,
                                  scrim_synth_column *out)
{
    const sc_synth_domain *d = &r->record.domain;
    if (index >= d->count)
        return 0;
    sc_synth_domain_describe(d, index, r->record.names, r->record.cuts, out);
    return 1;
}

/* Rows. */

struct scrim_synth_rows {
    const scrim_synth_release *release;
    bool has_unit;
    char unit[SC_COLUMN_NAME_BYTES + 1];
    sc_synth_rows codes;
    int64_t *values[SC_SYNTH_PLAN_COLUMNS]; /* of columns in bins */
};

/* One drawing. */
typedef struct drawing {
    const scrim_synth_release *release;
    sc_hash_key key;
    bool *is_allowed[SC_SYNTH_PLAN_COLUMNS]; /* by category; NULL: every one is */
    double *weights[SC_SYNTH_PLAN_COLUMNS];  /* of categories among the rare ones */
    sc_recoding recoding;
    sc_arena arena;
    sc_cancel *cancel;
} drawing;

/* The coins of a release are a function of what was released. */
sc_hash_key sc_synth_release_key(const scrim_synth_release *release)
{
    static const sc_hash_key first = {1, 2}, second = {3, 4};
    const char *text = release->record.text;
    const size_t bytes = strlen(text);
    return (sc_hash_key){sc_hash(&first, text, bytes), sc_hash(&second, text, bytes)};
}

/* Is it a value of a column whose categories the run selects? Then only the release can tell. */
static bool is_open(const scrim_synth *s, sc_text given)
{
    sc_text name, value;
    const size_t column = sc_text_split(given, '=', &name, &value)
                              ? sc_synth_domain_find(&s->domain, sc_text_trim(name))
                              : SIZE_MAX;
    return column != SIZE_MAX && sc_coded_is_open(&s->domain.columns[column]);
}

scrim_status scrim_synth_check_rows(const scrim_synth *s,
                                    const scrim_synth_row_options *options,
                                    scrim_error *error)
{
    SC_REQUIRE(error, "synth", s);
    scrim_synth_row_options given;
    size_t column = 0;
    uint32_t code = 0;
    scrim_status status =
        sc_option_struct_copy(options, offsetof(scrim_synth_row_options, is_cancelled),
                              &given, sizeof given, error);
    if (status == SCRIM_OK && given.rows > SC_SYNTH_ROWS_MAX)
        status = sc_fail_for(error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE, "rows",
                             "at most 2147483648 rows");
    for (size_t i = 0; status == SCRIM_OK && i < given.given_count; i++)
        if (!is_open(s, sc_text_of(given.given[i])))
            status = sc_synth_domain_read(&s->domain, "given", sc_text_of(given.given[i]),
                                          &column, &code, error);
    return status;
}

static scrim_status read_given(drawing *d, const scrim_synth_row_options *options,
                               scrim_error *error)
{
    const sc_synth_domain *domain = &d->release->record.domain;
    for (size_t i = 0; i < options->given_count; i++) {
        size_t column = 0;
        uint32_t code = 0;
        const scrim_status status = sc_synth_domain_read(
            domain, "given", sc_text_of(options->given[i]), &column, &code, error);
        if (status != SCRIM_OK)
            return status;
        if (d->is_allowed[column] == NULL)
            d->is_allowed[column] =
                sc_arena_allocate(&d->arena, sc_coded_size(&domain->columns[column]), 1);
        if (d->is_allowed[column] == NULL)
            return sc_no_memory(error, "synthetic rows");
        d->is_allowed[column][code] = true;
    }
    return SCRIM_OK;
}

/* A NULL that the model leaves out is wanted where it is asked for. */
static bool is_wanted(const drawing *d, size_t column, uint32_t category)
{
    const sc_synth_released *released = &d->release->record.released;
    if (d->is_allowed[column] != NULL)
        return d->is_allowed[column][category];
    return (released->absent & sc_clique_of(column)) == 0 ||
           category != released->columns.sizes[column] - 1;
}

/* Rare categories get rows in proportion to what was measured of each, where that is above 0. */
static scrim_status weigh(drawing *d, scrim_error *error)
{
    const sc_synth_released *released = &d->release->record.released;
    for (size_t i = 0; i < released->columns.count; i++) {
        const uint32_t size = released->columns.sizes[i];
        double *weights = sc_arena_allocate(&d->arena, size, sizeof *weights), sum = 0;
        if (weights == NULL)
            return sc_no_memory(error, "synthetic rows");
        for (uint32_t u = d->recoding.list[i].kept; u < size; u++) {
            const uint32_t category = d->recoding.list[i].sorted[u];
            const int64_t count = released->steps[i].counts[category];
            if (count > 0 && is_wanted(d, i, category))
                sum += weights[category] = (double)count;
        }
        for (uint32_t u = 0; sum <= 0 && u < size; u++)
            weights[u] = is_wanted(d, i, u) ? 1 : 0;
        d->weights[i] = weights;
    }
    return SCRIM_OK;
}

static scrim_status condition(const drawing *d, sc_synth_model *model, scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; status == SCRIM_OK && i < d->recoding.count; i++) {
        const sc_recoded *column = &d->recoding.list[i];
        if (d->is_allowed[i] == NULL)
            continue;
        double *weights = sc_allocate((size_t)column->size + 1, sizeof *weights);
        if (weights == NULL)
            return sc_no_memory(error, "synthetic rows");
        sc_recoded_given(column, d->is_allowed[i], weights);
        status = sc_synth_model_given(model, i, weights, error);
        sc_free(weights);
    }
    if (status == SCRIM_E_PARAM)
        status = sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "given",
                             "the model has no row with these values");
    return status;
}

static scrim_status draw_model(drawing *d, uint64_t count, sc_synth_rows *out,
                               scrim_error *error)
{
    const sc_synth_record *record = &d->release->record;
    sc_released_options options = sc_synth_record_options(record);
    options.cancel = d->cancel;
    sc_synth_model *model = NULL;
    scrim_status status =
        sc_released_model(&record->released, &options, &d->recoding, &model, error);
    if (status == SCRIM_OK)
        status = weigh(d, error);
    if (status == SCRIM_OK)
        status = condition(d, model, error);
    if (status == SCRIM_OK)
        status = sc_synth_rows_draw(model, count, &d->key, out, error);
    if (status == SCRIM_OK)
        status = sc_synth_rows_undo(out, &d->recoding, (const double *const *)d->weights,
                                    &d->key, error);
    sc_synth_model_free(model);
    return status;
}

static scrim_status draw_weights(const drawing *d, uint64_t count, sc_synth_rows *out,
                                 scrim_error *error)
{
    const sc_synth_record *record = &d->release->record;
    sc_released_options options = sc_synth_record_options(record);
    options.cancel = d->cancel;
    sc_weight_model *model = NULL;
    scrim_status status = sc_released_weights(&record->released, &options, &model, error);
    for (size_t i = 0; status == SCRIM_OK && i < record->domain.count; i++)
        if (d->is_allowed[i] != NULL)
            status = sc_weight_model_given(model, i, d->is_allowed[i], error);
    if (status == SCRIM_OK)
        status = sc_synth_rows_draw_weights(model, count, &d->key, out, error);
    sc_weight_model_free(model);
    return status;
}

static scrim_status undo_bins(const drawing *d, scrim_synth_rows *rows,
                              scrim_error *error)
{
    const sc_synth_domain *domain = &d->release->record.domain;
    for (size_t i = 0; i < domain->count; i++) {
        const sc_coded_column *c = &domain->columns[i];
        if (c->is_listed)
            continue;
        rows->values[i] = sc_allocate((size_t)rows->codes.count, sizeof *rows->values[i]);
        if (rows->values[i] == NULL)
            return sc_no_memory(error, "synthetic rows");
        sc_bin_values(c->edges, rows->codes.codes[i], rows->codes.count, &d->key, i,
                      rows->values[i]);
    }
    return SCRIM_OK;
}

static void set_unit(const sc_schema *schema, scrim_synth_rows *rows)
{
    sc_text_sink sink;
    sc_text_sink_init(&sink, rows->unit, sizeof rows->unit);
    sc_text_put(&sink, schema->unit);
    rows->has_unit = schema->unit.bytes > 0;
}

scrim_status scrim_synth_draw(const scrim_synth_release *release,
                              const scrim_synth_row_options *options,
                              scrim_synth_rows **out, scrim_error *error)
{
    SC_REQUIRE(error, "release out", release, out);
    scrim_synth_row_options given = {.size = sizeof given};
    drawing d = {.release = release, .key = sc_synth_release_key(release)};
    const sc_synth_released *released = &release->record.released;
    scrim_status status =
        options == NULL
            ? SCRIM_OK
            : sc_option_struct_copy(options,
                                    offsetof(scrim_synth_row_options, is_cancelled),
                                    &given, sizeof given, error);
    const uint64_t count = given.rows == 0 ? (uint64_t)released->total : given.rows;
    sc_cancel cancel = {.is_cancelled = given.is_cancelled, .context = given.context};
    if (status != SCRIM_OK)
        return status;
    d.cancel = &cancel;
    scrim_synth_rows *rows = sc_allocate(1, sizeof *rows);
    if (rows == NULL)
        return sc_no_memory(error, "synthetic rows");
    sc_arena_init(&d.arena);
    sc_recoding_init(&d.recoding);
    sc_synth_rows_init(&rows->codes);
    rows->release = release;
    set_unit(release->record.schema, rows);
    status = read_given(&d, &given, error);
    if (status == SCRIM_OK)
        status = sc_released_has_weights(released)
                     ? draw_weights(&d, count, &rows->codes, error)
                     : draw_model(&d, count, &rows->codes, error);
    if (status == SCRIM_OK)
        status = undo_bins(&d, rows, error);
    sc_recoding_clear(&d.recoding);
    sc_arena_clear(&d.arena);
    if (status == SCRIM_OK)
        *out = rows;
    else
        scrim_synth_rows_free(rows);
    return status;
}

void scrim_synth_rows_free(scrim_synth_rows *rows)
{
    if (rows == NULL)
        return;
    for (size_t i = 0; i < SC_SYNTH_PLAN_COLUMNS; i++)
        sc_free(rows->values[i]);
    sc_synth_rows_clear(&rows->codes);
    sc_free(rows);
}

const int64_t *sc_synth_rows_values(const scrim_synth_rows *rows, size_t column)
{
    return rows->values[column];
}

const sc_synth_rows *sc_synth_rows_codes(const scrim_synth_rows *rows)
{
    return &rows->codes;
}

uint64_t scrim_synth_row_count(const scrim_synth_rows *rows)
{
    return rows->codes.count;
}

size_t scrim_synth_row_columns(const scrim_synth_rows *rows)
{
    return rows->release->record.domain.count + (rows->has_unit ? 1 : 0);
}

const char *scrim_synth_row_name(const scrim_synth_rows *rows, size_t column)
{
    if (column >= scrim_synth_row_columns(rows))
        return NULL;
    if (rows->has_unit && column == 0)
        return rows->unit;
    return rows->release->record.names[column - (rows->has_unit ? 1 : 0)];
}

int scrim_synth_cell(const scrim_synth_rows *rows, uint64_t row, size_t column,
                     char text[SCRIM_SYNTH_CELL_BYTES])
{
    text[0] = '\0';
    if (row >= rows->codes.count || column >= scrim_synth_row_columns(rows))
        return 0;
    if (rows->has_unit && column == 0) {
        (void)sc_int128_format((sc_int128)row + 1, text);
        return 1;
    }
    const size_t place = column - (rows->has_unit ? 1 : 0);
    const sc_coded_column *c = &rows->release->record.domain.columns[place];
    const uint32_t code = rows->codes.codes[place][row];
    if (code >= c->count)
        return 0;
    if (c->is_listed)
        (void)sc_coded_format(c, code, text, SCRIM_SYNTH_CELL_BYTES);
    else
        (void)sc_column_format(c->column, rows->values[place][row], text,
                               SCRIM_SYNTH_CELL_BYTES);
    return 1;
}
