#include "query/answer/ask.h"
#include "query/answer/cut_words.h"
#include "query/estimate/bar_answer.h"
#include "query/label/label_joins.h"
#include "query/label/label_part.h"
#include "query/plan/asked_bounds.h"
#include "query/plan/kept_words.h"
#include "query/plan/plan_measure.h"
#include "query/plan/plan_sets.h"
#include "query/plan/plan_spread.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static bool copy_word(sc_text word, char out[SCRIM_NUMBER_BYTES])
{
    if (word.bytes >= SCRIM_NUMBER_BYTES)
        return false;
    if (word.bytes > 0)
        memcpy(out, word.start, word.bytes);
    out[word.bytes] = '\0';
    return true;
}

static scrim_status read_parts(sc_label_maker *m, scrim_error *error)
{
    const sc_record *record = &m->record;
    size_t count = 0;
    for (size_t i = m->hidden; i < record->statement_count; i++)
        count += record->statements[i].part_count + (record->statements[i].cut.count > 0);
    m->parts = sc_arena_allocate(&m->arena, count, sizeof *m->parts);
    if (m->parts == NULL)
        return sc_label_no_memory(error);
    for (size_t i = m->hidden; i < record->statement_count; i++) {
        const sc_record_statement *s = &record->statements[i];
        for (size_t k = 0; k < s->part_count; k++) {
            const char *line = sc_arena_copy(&m->arena, s->measurements[k].start,
                                             s->measurements[k].bytes);
            if (line == NULL)
                return sc_label_no_memory(error);
            m->parts[m->part_count++] = (sc_claim_part){line, s->copies[k]};
        }
        if (s->cut.count == 0)
            continue;
        const char *line =
            sc_arena_copy(&m->arena, s->cut.measurement.start, s->cut.measurement.bytes);
        if (line == NULL)
            return sc_label_no_memory(error);
        m->parts[m->part_count++] = (sc_claim_part){line, 1};
    }
    return SCRIM_OK;
}

/* Do facts of its label follow from the answer? */
static bool has_more_than_values(const sc_record *record)
{
    bool has = record->finds_bounds;
    for (size_t i = 0; i < record->statement_count; i++)
        has = has || record->statements[i].cut.count > 0;
    return has;
}

scrim_status sc_label_query_read(sc_label_maker *m, scrim_error *error)
{
    char *text = sc_charged_record_text(&m->source->release);
    if (text == NULL)
        return sc_label_no_memory(error);
    const char *copy = sc_arena_copy(&m->arena, text, strlen(text));
    sc_free(text);
    if (copy == NULL)
        return sc_label_no_memory(error);
    scrim_status status = sc_record_read(sc_text_of(copy), &m->arena, &m->record, error);
    if (status == SCRIM_OK)
        status = sc_record_schema(&m->record, &m->schema, error);
    if (status == SCRIM_OK && (!copy_word(m->record.cost_epsilon, m->epsilon) ||
                               !copy_word(m->record.cost_delta, m->delta) ||
                               !copy_word(m->record.cost_rho, m->rho)))
        status = sc_label_unreadable(error);
    m->is_withheld =
        m->is_withheld && status == SCRIM_OK && has_more_than_values(&m->record);
    if (m->is_withheld && m->record.finds_bounds)
        m->hidden = sc_record_asked(&m->record);
    if (status == SCRIM_OK)
        status = read_parts(m, error);
    return status;
}

/* The questions that are hidden are one, as they were charged. */
size_t sc_label_question(const sc_label_maker *m, size_t statement)
{
    const size_t merged = m->hidden > 1 ? m->hidden - 1 : 0;
    return statement > merged ? statement + 1 - merged : merged > 0 ? 1 : statement + 1;
}

/* Mechanisms. */

/* A statement as a plan has it, as far as the record tells. */
static scrim_status read_statement(sc_label_maker *m, const sc_record_statement *from,
                                   sc_planned_statement *out, scrim_error *error)
{
    sc_refusal refusal = {.error = error};
    *out = (sc_planned_statement){.keys_kind = from->keys_kind};
    const sc_schema *bounded = NULL;
    scrim_status status = sc_record_query(&m->record, from, m->schema, &m->arena,
                                          &out->query, &bounded, &refusal);
    if (status == SCRIM_OK) {
        const sc_schema *schema = out->query->schema;
        out->said = sc_record_said(from, schema);
        out->bounds = sc_record_bounds(from, schema);
        const sc_statistics_plan plan = {
            out->bounds, sc_plan_rows_are_units(schema, &out->bounds, from->keys_kind),
            from->cells, from->clamps, from->disjoint};
        status = sc_statistics_of(out->query, &plan, &m->arena, &out->statistics, error);
    }
    for (size_t i = 0; status == SCRIM_OK && i < from->part_count; i++)
        if (from->statistics[i] != SC_STATISTIC_NONE &&
            from->statistics[i] >= out->statistics.count)
            status = sc_label_unreadable(error);
    return status;
}

/* s is NULL where people who were cut are counted. */
static scrim_status put_mechanism(sc_label_maker *m, size_t number, size_t statement,
                                  const sc_planned_statement *s, size_t statistic,
                                  const sc_claim_part *from, scrim_error *error)
{
    scrim_measurement *measurement = NULL;
    char key[SC_LABEL_KEY_BYTES], what[SC_PLAN_WHAT_BYTES], text[SC_SHOWN_THREE_BYTES];
    const scrim_status status = scrim_measurement_parse(from->line, &measurement, error);
    if (status != SCRIM_OK)
        return status;
    const sc_drawn_part part = {.statistic = statistic, .measurement = measurement};
    if (s == NULL) {
        snprintf(what, sizeof what, "people cut");
        sc_plan_put_selection_deviation(measurement, text);
    } else {
        sc_plan_what(s, statistic, what);
        sc_plan_put_deviation(s, &part, text);
    }
    sc_label_put_number(m->label, sc_label_key(key, "mechanism", number, "question"),
                        sc_label_question(m, statement));
    sc_label_put(m->label, sc_label_key(key, "mechanism", number, "what"),
                 sc_text_of(what));
    sc_label_put(m->label, sc_label_key(key, "mechanism", number, "line"),
                 sc_text_of(from->line));
    sc_label_put_number(m->label, sc_label_key(key, "mechanism", number, "copies"),
                        from->copies);
    if (text[0] != '\0')
        sc_label_put(m->label, sc_label_key(key, "mechanism", number, "deviation"),
                     sc_text_of(text));
    if (m->record.is_running)
        sc_label_put_number(m->label, sc_label_key(key, "mechanism", number, "draws"),
                            sc_record_draws(&m->record));
    sc_label_put_kept(m, number, measurement);
    scrim_measurement_free(measurement);
    return SCRIM_OK;
}

/* Columns that are read, each once. */

static bool is_read(const sc_planned_statement *statements, size_t count, size_t column)
{
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < statements[i].query->read_count; k++)
            if (statements[i].query->reads[k] == column)
                return true;
    return false;
}

static void put_columns(sc_label_maker *m, const sc_planned_statement *statements)
{
    size_t number = 0;
    for (size_t i = 0; i < m->schema->column_count; i++)
        if (is_read(statements, m->record.statement_count, i))
            sc_label_put_column(m, ++number, &m->schema->columns[i]);
}

/* Keys. */

static scrim_status put_keys(sc_label_maker *m, size_t number,
                             const sc_record_statement *s, const sc_query *query,
                             scrim_error *error)
{
    char key[SC_LABEL_KEY_BYTES];
    if (s->set > 0) {
        const char *words = sc_plan_set_words(query, &m->arena);
        if (words == NULL)
            return sc_label_no_memory(error);
        sc_label_put(m->label, sc_label_key(key, "keys", number, "set"),
                     sc_text_of(words));
    }
    static const char *const kinds[] = {[SC_PLAN_NO_KEYS] = "none",
                                        [SC_PLAN_PUBLIC_KEYS] = "public",
                                        [SC_PLAN_DISCOVERED] = SC_LABEL_PRIVATE_KEYS};
    static const char *const how[] = {
        [SC_PLAN_NO_KEYS] = "all rows form one group",
        [SC_PLAN_PUBLIC_KEYS] = "all keys were declared in advance; each is shown, even "
                                "if it has no rows",
        [SC_PLAN_DISCOVERED] = "keys were found in the data by partition selection, "
                               "which is charged; small groups are not shown"};
    static const char by_range[] =
        "all keys were declared in advance; each is shown, even if it has no rows; the "
        "first and the last key of a declared range also contain all values beyond it";
    sc_label_put(m->label, sc_label_key(key, "keys", number, "kind"),
                 sc_text_of(kinds[s->keys_kind]));
    sc_label_put(m->label, sc_label_key(key, "keys", number, "how"),
                 sc_text_of(s->uses_ranges ? by_range : how[s->keys_kind]));
    if (s->keys_kind == SC_PLAN_PUBLIC_KEYS)
        sc_label_put_number(m->label, sc_label_key(key, "keys", number, "count"),
                            s->row_count);
    return SCRIM_OK;
}

/* How many people were cut, in words; NULL where nobody was counted. */
static scrim_status read_cut(sc_label_maker *m, size_t place,
                             const sc_record_statement *record,
                             const sc_planned_statement *s, const char **words,
                             scrim_error *error)
{
    scrim_result_cut cut = {.words = NULL};
    bool is_there = false;
    m->cut[place] = "";
    SC_OWN(sc_ratio, confidence);
    SC_TRY(sc_ratio_parse(m->record.confidence, &confidence, error));
    if (!sc_cut_words(
            &(sc_cut_request){&m->record, record, s->query, &s->statistics, &confidence},
            &m->arena, &cut, &is_there))
        return sc_label_no_memory(error);
    if (!is_there)
        return SCRIM_OK;
    m->cut[place] = cut.caution;
    if (cut.caution[0] == '\0')
        m->missing[place] = "";
    *words = cut.words;
    return SCRIM_OK;
}

/* Which rows each question is about. */
static scrim_status put_kept(sc_label_maker *m, size_t place,
                             const sc_record_statement *record,
                             const sc_planned_statement *s, scrim_error *error)
{
    char key[SC_LABEL_KEY_BYTES];
    sc_kept_bounds kept = sc_record_kept_bounds(&m->record, record, s->query->schema);
    m->missing[place] =
        sc_missing_words(s->query, &s->statistics, &s->said,
                         record->keys_kind == SC_PLAN_PUBLIC_KEYS ? record->row_count : 0,
                         sc_record_kept_keys(record), &m->arena);
    if (m->missing[place] == NULL)
        return sc_label_no_memory(error);
    if (!m->is_withheld)
        SC_TRY(read_cut(m, place, record, s, &kept.cut, error));
    const char *words =
        sc_kept_words(s->query, &s->statistics, &kept, sc_record_kept_keys(record),
                      SC_KEPT_WAS, &m->arena);
    if (words == NULL)
        return sc_label_no_memory(error);
    if (words[0] != '\0')
        sc_label_put(m->label,
                     sc_label_key(key, "kept", sc_label_question(m, place), NULL),
                     sc_text_of(words));
    return SCRIM_OK;
}

/* Numbers that were computed from released ones. */

static void put_sentence(sc_label_maker *m, const char *list, size_t *number,
                         const char *text)
{
    char key[SC_LABEL_KEY_BYTES];
    sc_label_put(m->label, sc_label_key(key, list, ++*number, NULL), sc_text_of(text));
}

/* Is there an aggregate that is made of a histogram, or one that is not? */
static bool has_kind(const sc_label_maker *m, const sc_planned_statement *statements,
                     bool is_bars)
{
    for (size_t i = 0; i < m->record.statement_count; i++)
        for (size_t k = 0; k < statements[i].query->aggregate_count; k++)
            if ((statements[i].query->aggregates[k].kind->bars != NULL) == is_bars)
                return true;
    return false;
}

static void put_processing(sc_label_maker *m, const sc_planned_statement *statements)
{
    bool derives = false, computes = false, filters = false, orders = false,
         limits = false;
    size_t number = 0;
    for (size_t i = 0; i < m->record.statement_count; i++) {
        const sc_query *query = statements[i].query;
        for (size_t k = 0; k < query->aggregate_count; k++)
            derives |= (query->aggregates[k].kind->reads & SC_READS_CENTRED) != 0;
        for (size_t k = 0; k < query->output_count; k++)
            computes |= query->outputs[k].formula != NULL;
        filters |= query->having != NULL;
        orders |= query->order_count > 0;
        limits |= query->has_limit;
    }
    if (derives)
        put_sentence(m, "post-processing", &number,
                     "averages and variances are computed from noisy values and clamped "
                     "to the declared range");
    if (has_kind(m, statements, true))
        put_sentence(m, "post-processing", &number,
                     "MIN, MAX, RANGE, MODE, MAX_K and SUPPORT are computed from a "
                     "released histogram");
    if (computes)
        put_sentence(m, "post-processing", &number,
                     "arithmetic on aggregates uses their noisy values; its intervals "
                     "cover the noise of all of them together");
    if (m->record.statement_count > 0 && statements[0].query->is_consistent)
        put_sentence(m, "post-processing", &number,
                     "totals and their parts are made to add up, by weights that follow "
                     "from the noise alone; intervals cover the noise of all of them "
                     "together");
    if (filters)
        put_sentence(m, "post-processing", &number,
                     "HAVING filters groups by their released values");
    if (orders)
        put_sentence(m, "post-processing", &number, "ORDER BY sorts by released values");
    if (limits)
        put_sentence(m, "post-processing", &number, "LIMIT omits released rows");
    if (filters || limits)
        put_sentence(m, "post-processing", &number,
                     "intervals hold at their confidence before HAVING, ORDER BY ... "
                     "LIMIT or TOP select rows by their values");
    put_sentence(m, "post-processing", &number,
                 "values are rounded to the digits that the noise leaves, which are "
                 "public; interval ends are rounded outwards");
}

/* Are rows left out because of their keys? */
static bool has_listed(const sc_label_maker *m, const sc_planned_statement *statements)
{
    for (size_t i = 0; i < m->record.statement_count; i++)
        if (sc_query_listed_keys(statements[i].query,
                                 sc_record_kept_keys(&m->record.statements[i])) > 0)
            return true;
    return false;
}

/* Has a histogram noise that goes both ways, so that nothing of it is certain? */
static bool has_noisy_bars(const sc_label_maker *m,
                           const sc_planned_statement *statements)
{
    for (size_t i = m->hidden, part = 0; i < m->record.statement_count; i++) {
        const sc_record_statement *s = &m->record.statements[i];
        for (size_t k = 0; k < s->part_count; k++, part++) {
            scrim_measurement *measurement = NULL;
            if (s->statistics[k] == SC_STATISTIC_NONE ||
                statements[i].statistics.list[s->statistics[k]].kind !=
                    SC_STATISTIC_BARS ||
                scrim_measurement_parse(m->parts[part].line, &measurement, NULL) !=
                    SCRIM_OK)
                continue;
            const bool is_noisy = sc_bar_is_noisy(measurement);
            scrim_measurement_free(measurement);
            if (is_noisy)
                return true;
        }
        part += s->cut.count > 0;
    }
    return false;
}

static void put_accuracy(sc_label_maker *m, const sc_planned_statement *statements)
{
    if (has_kind(m, statements, false) || has_noisy_bars(m, statements)) {
        sc_label_put(m->label, "accuracy.confidence", m->record.confidence);
        sc_label_put(
            m->label, "accuracy.statement",
            sc_text_of("each interval contains the true value after contribution bounds "
                       "and clamping, with that probability"));
    } else {
        sc_label_put(m->label, "accuracy.statement",
                     sc_text_of("each value has a certificate and an interval that "
                                "always hold, after contribution bounds and clamping"));
    }
    sc_label_put(
        m->label, "accuracy.excludes",
        sc_text_of(has_listed(m, statements)
                       ? "bias from clamping, from rows that contribution bounds ignore, "
                         "from rows whose key is not a listed key, and from data that "
                         "were never collected"
                       : "bias from clamping, from rows that contribution bounds ignore, "
                         "and from data that were never collected"));
}

/* Certificates: of every column that is made of a histogram. */

static const sc_claim_part *part_of(const sc_label_maker *m, const sc_record_statement *s,
                                    size_t first, size_t statistic)
{
    for (size_t i = 0; i < s->part_count; i++)
        if (s->statistics[i] == statistic)
            return &m->parts[first + i];
    return NULL;
}

static bool has_certificate(const sc_query *query, const sc_query_output *output)
{
    if (output->is_key || output->formula != NULL)
        return false;
    const sc_aggregate *kind = query->aggregates[output->index].kind;
    return kind->bars != NULL && !(output->is_bucket && kind->shape == SC_SHAPE_COUNTS);
}

static scrim_status put_certificate(sc_label_maker *m, size_t number, size_t statement,
                                    const sc_planned_statement *s, size_t output,
                                    const sc_claim_part *part, scrim_error *error)
{
    const sc_record_statement *record = &m->record.statements[statement];
    const size_t aggregate = s->query->outputs[output].index;
    const sc_query_aggregate *a = &s->query->aggregates[aggregate];
    const size_t statistic = s->statistics.uses[aggregate].bars;
    scrim_measurement *measurement = NULL;
    char key[SC_LABEL_KEY_BYTES];
    sc_bar_view view;
    SC_OWN(sc_ratio, confidence);
    if (part == NULL || record->histogram_count != s->statistics.histogram_count)
        return sc_label_unreadable(error);
    scrim_status status = sc_ratio_parse(m->record.confidence, &confidence, error);
    if (status == SCRIM_OK)
        status = scrim_measurement_parse(part->line, &measurement, error);
    if (status != SCRIM_OK)
        return status;
    const sc_bar_source source = {
        .width = record->widths[s->statistics.list[statistic].histogram],
        .measurement = measurement,
        .confidence = &confidence,
        .max_rows = s->bounds.rows,
        .is_grouped = s->query->key_count > 0};
    const bool is_known = sc_bar_view_set(&s->statistics, statistic, &source, &view);
    scrim_measurement_free(measurement);
    if (!is_known)
        return sc_label_unreadable(error);
    const char *statement_text = sc_bar_certificate(a, &view, &m->arena);
    const char *flexible = sc_bar_flexible_text(a, &view, &m->arena);
    if (statement_text == NULL || flexible == NULL)
        return sc_label_no_memory(error);
    sc_label_put_number(m->label, sc_label_key(key, "certificate", number, "question"),
                        sc_label_question(m, statement));
    sc_label_put(m->label, sc_label_key(key, "certificate", number, "column"),
                 s->query->columns[output].name);
    sc_label_put(m->label, sc_label_key(key, "certificate", number, "statement"),
                 sc_text_of(statement_text));
    if (flexible[0] != '\0')
        sc_label_put(m->label, sc_label_key(key, "certificate", number, "flexible"),
                     sc_text_of(flexible));
    return SCRIM_OK;
}

static scrim_status put_certificates(sc_label_maker *m,
                                     const sc_planned_statement *statements,
                                     scrim_error *error)
{
    size_t number = 0, first = 0;
    scrim_status status = SCRIM_OK;
    for (size_t i = m->hidden; i < m->record.statement_count; i++) {
        const sc_record_statement *record = &m->record.statements[i];
        const sc_planned_statement *s = &statements[i];
        for (size_t k = 0; status == SCRIM_OK && k < s->query->output_count; k++) {
            const sc_query_output *output = &s->query->outputs[k];
            if (has_certificate(s->query, output))
                status = put_certificate(
                    m, ++number, i, s, k,
                    part_of(m, record, first, s->statistics.uses[output->index].bars),
                    error);
        }
        first += record->part_count + (record->cut.count > 0);
    }
    return status;
}

/* All of it. */

scrim_status sc_label_query_put(sc_label_maker *m, scrim_error *error)
{
    const sc_record *record = &m->record;
    size_t number = 0;
    scrim_status status = SCRIM_OK;
    sc_planned_statement *statements =
        sc_arena_allocate(&m->arena, record->statement_count, sizeof *statements);
    m->missing =
        sc_arena_allocate(&m->arena, record->statement_count, sizeof *m->missing);
    m->cut = sc_arena_allocate(&m->arena, record->statement_count, sizeof *m->cut);
    if (statements == NULL || m->missing == NULL || m->cut == NULL)
        return sc_label_no_memory(error);
    for (size_t i = 0; status == SCRIM_OK && i < record->statement_count; i++) {
        const sc_record_statement *s = &record->statements[i];
        m->missing[i] = m->cut[i] = "";
        status = read_statement(m, s, &statements[i], error);
        if (i < m->hidden)
            continue;
        for (size_t k = 0; status == SCRIM_OK && k < s->part_count; k++, number++)
            status = put_mechanism(m, number + 1, i, &statements[i], s->statistics[k],
                                   &m->parts[number], error);
        if (status == SCRIM_OK && s->cut.count > 0) {
            status = put_mechanism(m, number + 1, i, NULL, SC_STATISTIC_NONE,
                                   &m->parts[number], error);
            number++;
        }
    }
    if (status != SCRIM_OK)
        return status;
    if (m->hidden > 0)
        sc_label_put(m->label, "kept.1",
                     sc_text_of("the contribution bounds were found by this release"));
    put_columns(m, statements);
    SC_TRY(sc_label_put_joins(m, statements, error));
    for (size_t i = m->hidden > 1 ? m->hidden : 0; i < record->statement_count; i++)
        SC_TRY(put_keys(m, sc_label_question(m, i), &record->statements[i],
                        statements[i].query, error));
    for (size_t i = m->hidden; status == SCRIM_OK && i < record->statement_count; i++)
        status = put_kept(m, i, &record->statements[i], &statements[i], error);
    if (status != SCRIM_OK)
        return status;
    sc_label_put_unprotected(m);
    put_processing(m, statements);
    put_accuracy(m, statements);
    return put_certificates(m, statements, error);
}
