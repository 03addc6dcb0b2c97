#include "query/answer/result_sheet.h"

#include "mechanism/catalogue.h"
#include "query/estimate/range_choice.h"

scrim_status sc_sheet_no_memory(scrim_error *error)
{
    return sc_no_memory(error, "the answer of a query");
}

scrim_status sc_sheet_unreadable(scrim_error *error)
{
    return sc_fail(error, SCRIM_E_LEDGER,
                   "the answer is recorded in a form that this version cannot read");
}

/* Measurements. */

static const scrim_measurement *measurement_of(const sc_sheet *s, size_t statistic)
{
    const scrim_measurement *selection = NULL;
    if (statistic == SC_STATISTIC_NONE)
        return NULL;
    const size_t drawn = sc_statistic_drawn_with(&s->statistics, statistic);
    for (size_t i = 0; i < s->record->part_count; i++) {
        if (s->record->statistics[i] == drawn)
            return s->measurements[i];
        if (s->record->statistics[i] == SC_STATISTIC_NONE)
            selection = s->measurements[i];
    }
    /* The counts that the selection has shown. */
    return sc_statistic_is_units(&s->statistics.list[statistic]) ? selection : NULL;
}

/* A result is made of its record alone, whether it was just drawn or is shown again: this is the door
 * where the recorded lines become measurements. */
static scrim_status parse_measurements(sc_sheet *s, scrim_error *error)
{
    sc_arena *arena = s->arena;
    const size_t count = s->record->part_count;
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers */
    s->measurements = sc_arena_allocate(arena, count, sizeof *s->measurements);
    scrim_status status = s->measurements == NULL ? sc_sheet_no_memory(error) : SCRIM_OK;
    for (size_t i = 0; status == SCRIM_OK && i < count; i++) {
        const sc_text text = s->record->measurements[i];
        const char *line = sc_arena_copy(arena, text.start, text.bytes);
        if (line == NULL)
            return sc_sheet_no_memory(error);
        status = sc_catalogue_parse(sc_text_of(line), SC_PURPOSE_LAW, &s->measurements[i],
                                    error);
    }
    return status;
}

/* The buckets are those of the record, since the plan may have chosen them. */
static scrim_status make_views(sc_sheet *s, const sc_ratio *confidence,
                               scrim_error *error)
{
    s->views =
        sc_arena_allocate(s->arena, s->statistics.histogram_count, sizeof *s->views);
    if (s->views == NULL)
        return sc_sheet_no_memory(error);
    for (size_t i = 0; i < s->statistics.count; i++) {
        const sc_group_statistic *statistic = &s->statistics.list[i];
        if (statistic->kind != SC_STATISTIC_BARS)
            continue;
        const sc_bar_source source = {.width = s->record->widths[statistic->histogram],
                                      .measurement = measurement_of(s, i),
                                      .confidence = confidence,
                                      .max_rows = s->max_rows,
                                      .is_grouped = s->query->key_count > 0};
        if (source.measurement == NULL ||
            !sc_bar_view_set(&s->statistics, i, &source, &s->views[statistic->histogram]))
            return sc_sheet_unreadable(error);
    }
    return SCRIM_OK;
}

const sc_bar_view *sc_sheet_view(const sc_sheet *s, size_t aggregate)
{
    return &s->views[s->statistics.list[s->statistics.uses[aggregate].bars].histogram];
}

/* Was it drawn by a measurement of just these quantiles? */
static bool is_measured(const sc_group_statistic *statistic, const scrim_measurement *m)
{
    size_t count = 0;
    const sc_ratio *ps = m == NULL || strcmp(m->mechanism->entry.name, "quantile") != 0
                             ? NULL
                             : sc_parameters_items(&m->parameters, "p", &count);
    bool is_same = ps != NULL && count == statistic->count;
    SC_OWN(sc_ratio, p);
    for (size_t i = 0; is_same && i < count; i++) {
        sc_extent_value(
            (sc_value_step){statistic->p[i].numerator, statistic->p[i].denominator}, 1,
            &p);
        is_same = sc_ratio_compare(&p, &ps[i]) == 0;
    }
    return is_same;
}

/* With that of an aggregate at or before it that has the same noise. */
static void share_noise(const sc_sheet *s, size_t aggregate, sc_estimator *estimator)
{
    const sc_statistic_use *uses = s->statistics.uses;
    for (size_t i = 0; i <= aggregate; i++)
        if (uses[i].around != SC_STATISTIC_NONE && s->estimators[i] != estimator &&
            uses[i].around == uses[aggregate].around) {
            sc_estimator_share(estimator, s->estimators[i]);
            return;
        }
}

static scrim_status make_estimators(sc_sheet *s, const sc_ratio *confidence,
                                    scrim_error *error)
{
    const size_t count = s->query->aggregate_count;
    scrim_status status = make_views(s, confidence, error);
    if (status != SCRIM_OK)
        return status;
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers */
    s->estimators = sc_arena_allocate(s->arena, count, sizeof *s->estimators);
    if (s->estimators == NULL)
        return sc_sheet_no_memory(error);
    for (size_t i = 0; status == SCRIM_OK && i < count; i++) {
        const sc_statistic_use *use = &s->statistics.uses[i];
        if (use->bars != SC_STATISTIC_NONE)
            continue;
        if (use->quantiles != SC_STATISTIC_NONE &&
            !is_measured(&s->statistics.list[use->quantiles],
                         measurement_of(s, use->quantiles)))
            return sc_sheet_unreadable(error);
        sc_estimate_sources sources = sc_estimate_sources_of(use, s->drawn);
        sources.draws = s->draws;
        status = sc_estimator_new(
            &s->query->aggregates[i],
            use->sum == SC_STATISTIC_NONE ? NULL : &s->statistics.list[use->sum],
            &sources, confidence, &s->estimators[i], error);
        if (status == SCRIM_OK)
            share_noise(s, i, s->estimators[i]);
    }
    return status;
}

static scrim_status make_formulas(sc_sheet *s, const sc_ratio *confidence,
                                  scrim_error *error)
{
    const size_t count = s->query->output_count;
    scrim_status status = SCRIM_OK;
    s->formulas = sc_arena_allocate(s->arena, count, sizeof(sc_formula_estimator *));
    if (s->formulas == NULL)
        return sc_sheet_no_memory(error);
    for (size_t i = 0; status == SCRIM_OK && i < count; i++) {
        const sc_formula_setting setting = {.formula = s->query->outputs[i].formula,
                                            .query = s->query,
                                            .statistics = &s->statistics,
                                            .measurements = s->drawn};
        if (setting.formula == NULL)
            continue;
        status = sc_formula_estimator_new(&setting, confidence, &s->formulas[i], error);
        for (size_t k = 0;
             status == SCRIM_OK && k < sc_formula_apart_count(s->formulas[i]); k++) {
            const sc_formula_apart *apart = sc_formula_apart_at(s->formulas[i], k);
            if (apart->estimator != NULL)
                share_noise(s, apart->aggregate, apart->estimator);
        }
    }
    return status;
}

/* The mechanism that draws each statistic. */
static scrim_status list_drawn(sc_sheet *s, scrim_error *error)
{
    s->drawn = sc_arena_allocate(s->arena, s->statistics.count,
                                 sizeof(const scrim_measurement *));
    if (s->drawn == NULL)
        return sc_sheet_no_memory(error);
    for (size_t i = 0; i < s->statistics.count; i++)
        s->drawn[i] = measurement_of(s, i);
    return SCRIM_OK;
}

scrim_status sc_sheet_prepare(sc_sheet *s, const sc_ratio *confidence, scrim_error *error)
{
    scrim_status status = parse_measurements(s, error);
    if (status == SCRIM_OK)
        status = list_drawn(s, error);
    if (status == SCRIM_OK)
        status = make_estimators(s, confidence, error);
    return status == SCRIM_OK ? make_formulas(s, confidence, error) : status;
}

void sc_sheet_clear(sc_sheet *s)
{
    for (size_t i = 0;
         i < s->row_count && (i == 0 || s->rows[i].values != s->rows[0].values); i++)
        for (size_t k = 0; k < s->query->output_count; k++)
            sc_ratio_clear(&s->rows[i].values[k].number);
    for (size_t i = 0; s->estimators != NULL && i < s->query->aggregate_count; i++)
        sc_estimator_free(s->estimators[i]);
    for (size_t i = 0; s->formulas != NULL && i < s->query->output_count; i++)
        sc_formula_estimator_free(s->formulas[i]);
    for (size_t i = 0; s->measurements != NULL && i < s->record->part_count; i++)
        scrim_measurement_free(s->measurements[i]);
}

/* Columns. */

static scrim_output_kind kind_of(const sc_query *query, const sc_query_output *output,
                                 sc_type type)
{
    if (type == SC_TYPE_RUNG && output->is_key)
        type = query->keys[output->index].value->rung_type;
    if (!output->is_key && !output->is_bucket)
        return type == SC_TYPE_DATE        ? SCRIM_OUTPUT_DATE_VALUE
               : type == SC_TYPE_TIMESTAMP ? SCRIM_OUTPUT_TIMESTAMP_VALUE
                                           : SCRIM_OUTPUT_VALUE;
    switch (type) {
    case SC_TYPE_NONE:
    case SC_TYPE_NUMBER:
    case SC_TYPE_RUNG:
        return SCRIM_OUTPUT_NUMBER;
    case SC_TYPE_DATE:
        return SCRIM_OUTPUT_DATE;
    case SC_TYPE_TIMESTAMP:
        return SCRIM_OUTPUT_TIMESTAMP;
    case SC_TYPE_BOOL:
        return SCRIM_OUTPUT_BOOL;
    case SC_TYPE_TEXT:
        break;
    }
    return SCRIM_OUTPUT_TEXT;
}

/* Has a number no part of its own? Then it is what the selection of keys has shown. */
static bool is_shown_by_selection(const sc_sheet *s, size_t statistic)
{
    if (statistic == SC_STATISTIC_NONE)
        return false;
    const size_t drawn = sc_statistic_drawn_with(&s->statistics, statistic);
    for (size_t i = 0; i < s->record->part_count; i++)
        if (s->record->statistics[i] == drawn)
            return false;
    return true;
}

static bool may_be_none(const sc_sheet *s, size_t aggregate)
{
    const sc_statistic_use *use = &s->statistics.uses[aggregate];
    const scrim_measurement *m =
        measurement_of(s, use->sum == SC_STATISTIC_NONE ? use->rows : use->sum);
    return m != NULL && sc_range_may_be_none(m);
}

static const char *range_note(const sc_sheet *s, size_t aggregate)
{
    if (!s->query->aggregates[aggregate].with_range)
        return NULL;
    return may_be_none(s, aggregate) ? "intervals of WITH RANGE hold with certainty; now "
                                       "and then the noise hides one, whatever the data"
                                     : "intervals of WITH RANGE hold with certainty";
}

/* A record has no lists, so that a column with one is told from one without by the statement. */
static bool is_of_range(const sc_query_key *key)
{
    return key->column != NULL && key->column->type != SC_COLUMN_TEXT &&
           key->column->type != SC_COLUMN_BOOL;
}

/* Is a count of it what the selection of keys has shown? */
static bool is_at_threshold(const sc_sheet *s, const sc_query_output *output)
{
    bool is = false;
    for (size_t i = 0; i < s->query->aggregate_count; i++) {
        const sc_statistic_use *use = &s->statistics.uses[i];
        is |= sc_query_output_has(output, i) &&
              is_shown_by_selection(s, use->units != SC_STATISTIC_NONE ? use->units
                                                                       : use->rows);
    }
    return is;
}

/* A note that is true of every interval, that it is about the rows that were kept, is not said of each. */
static const char *note_of(const sc_sheet *s, size_t place)
{
    static const char at_threshold[] =
        "small groups are hidden; counts near the limit tend to be too large";
    const sc_query_output *output = &s->query->outputs[place];
    if (sc_query_output_is_grouping(output))
        return NULL;
    if (output->is_key)
        return s->record->uses_ranges && is_of_range(&s->query->keys[output->index])
                   ? "the first and the last key of a declared range also hold all "
                     "values beyond it"
                   : NULL;
    const char *note =
        output->formula == NULL ? s->query->aggregates[output->index].kind->note : NULL;
    if (note != NULL)
        return note;
    if (is_at_threshold(s, output))
        return at_threshold;
    return output->formula != NULL ? sc_formula_note(s->formulas[place])
                                   : range_note(s, output->index);
}

/* One certificate for each aggregate: of the two columns of a histogram, the second has it. */
static scrim_status set_certificate(sc_sheet *s, size_t output, scrim_result_column *out,
                                    scrim_error *error)
{
    const sc_query_output *own = &s->query->outputs[output];
    const sc_query_aggregate *a =
        own->is_key || own->formula != NULL ? NULL : &s->query->aggregates[own->index];
    if (a == NULL || a->kind->bars == NULL ||
        (own->is_bucket && a->kind->shape == SC_SHAPE_COUNTS))
        return SCRIM_OK;
    out->certificate = sc_bar_certificate(a, sc_sheet_view(s, own->index), s->arena);
    out->in_short = sc_bar_short_text(a, sc_sheet_view(s, own->index), s->arena);
    return out->certificate == NULL || out->in_short == NULL ? sc_sheet_no_memory(error)
                                                             : SCRIM_OK;
}

scrim_status sc_sheet_columns(sc_sheet *s, sc_result_statement *out, scrim_error *error)
{
    sc_arena *arena = s->arena;
    out->column_count = s->query->output_count;
    out->columns = sc_arena_allocate(arena, out->column_count, sizeof *out->columns);
    out->text = sc_arena_copy(arena, s->record->text.start, s->record->text.bytes);
    if (out->columns == NULL || out->text == NULL)
        return sc_sheet_no_memory(error);
    for (size_t i = 0; i < out->column_count; i++) {
        const sc_released_output *column = &s->query->columns[i];
        scrim_result_column *shown = &out->columns[i];
        shown->name = sc_arena_copy(arena, column->name.start, column->name.bytes);
        shown->kind = kind_of(s->query, &s->query->outputs[i], column->type);
        shown->note = note_of(s, i);
        if (shown->name == NULL)
            return sc_sheet_no_memory(error);
        const scrim_status status = set_certificate(s, i, shown, error);
        if (status != SCRIM_OK)
            return status;
        const sc_query_output *own = &s->query->outputs[i];
        shown->is_certain =
            own->formula != NULL
                ? sc_formula_is_certain(s->formulas[i])
                : (shown->certificate != NULL &&
                   !sc_sheet_view(s, own->index)->is_noisy) ||
                      (!own->is_key && s->query->aggregates[own->index].with_range);
    }
    return SCRIM_OK;
}
