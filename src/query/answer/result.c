#include "query/answer/result.h"

#include "data/value/unit_word.h"
#include "query/answer/cut_words.h"
#include "query/answer/result_sheet.h"
#include "query/language/key_text.h"
#include "query/plan/asked_bounds.h"
#include "query/plan/kept_words.h"

#include <string.h>

struct scrim_result {
    scrim_result_facts facts;
    sc_result_statement *statements;
    sc_arena arena;
};

/* Does the record have what the statement needs? */
static bool fits(const sc_sheet *s)
{
    if (s->record->number_count != s->statistics.number_count ||
        s->record->histogram_count != s->statistics.histogram_count)
        return false;
    for (size_t i = 0; i < s->record->part_count; i++)
        if (s->record->statistics[i] != SC_STATISTIC_NONE &&
            s->record->statistics[i] >= s->statistics.count)
            return false;
    return s->draws == 1 || sc_estimate_is_summed(s->query);
}

/* Which rows the answer is about, how many people were cut, and a caution that it may be many. */
static scrim_status say_kept(const sc_record *record, const sc_record_statement *from,
                             const sc_sheet *sheet, const sc_ratio *confidence,
                             sc_result_statement *out, scrim_error *error)
{
    const sc_kept_keys keys = sc_record_kept_keys(from);
    sc_kept_bounds kept = sc_record_kept_bounds(record, from, sheet->query->schema);
    const sc_bounds said = sc_record_said(from, sheet->query->schema);
    if (!sc_cut_words(
            &(sc_cut_request){record, from, sheet->query, &sheet->statistics, confidence},
            sheet->arena, &out->cut, &out->has_cut))
        return sc_sheet_no_memory(error);
    kept.cut = out->cut.words;
    out->kept = sc_kept_words(sheet->query, &sheet->statistics, &kept, keys, SC_KEPT_WAS,
                              sheet->arena);
    out->missing = sc_missing_words(
        sheet->query, &sheet->statistics, &said,
        from->keys_kind == SC_PLAN_PUBLIC_KEYS ? from->row_count : 0, keys, sheet->arena);
    /* Counted people say more than what bounds may do, which is needless to say where these did little. */
    if (out->has_cut && out->missing != NULL)
        out->missing = out->cut.caution;
    return out->kept == NULL || out->missing == NULL ? sc_sheet_no_memory(error)
                                                     : SCRIM_OK;
}

/* The largest bounds of all statements. */
static void note_bounds(const sc_record_statement *from, const sc_schema *schema,
                        scrim_result_facts *facts)
{
    const sc_bounds own = sc_record_bounds(from, schema);
    if (own.groups > facts->max_groups)
        facts->max_groups = own.groups;
    if (own.rows > facts->max_rows)
        facts->max_rows = own.rows;
    if (own.total > facts->max_total_rows)
        facts->max_total_rows = own.total;
}

/* The numbers of a statement and the mechanisms that they were drawn by. */
static scrim_status open_sheet(scrim_result *result, const sc_record *record,
                               const sc_record_statement *from, const sc_schema *schema,
                               const sc_ratio *confidence, sc_sheet *s,
                               scrim_error *error)
{
    *s = (sc_sheet){
        .arena = &result->arena, .record = from, .draws = sc_record_draws(record)};
    sc_refusal refusal = {.error = error};
    const sc_schema *bounded = NULL;
    scrim_status status = sc_record_query(record, from, schema, &result->arena, &s->query,
                                          &bounded, &refusal);
    if (status != SCRIM_OK)
        return status;
    const sc_schema *own = s->query->schema;
    const sc_bounds bounds = sc_record_bounds(from, own);
    note_bounds(from, bounded, &result->facts);
    s->max_rows = bounds.rows;
    const sc_statistics_plan plan = {
        bounds, sc_plan_rows_are_units(own, &bounds, from->keys_kind), from->cells,
        from->clamps, from->disjoint};
    status = sc_statistics_of(s->query, &plan, &result->arena, &s->statistics, error);
    /* Cells or clamped sums that the statement cannot have. */
    if (status == SCRIM_E_PARAM &&
        (from->cells > 0 || from->clamps || from->disjoint != 0))
        status = sc_sheet_unreadable(error);
    if (status == SCRIM_OK && !fits(s))
        status = sc_sheet_unreadable(error);
    return status == SCRIM_OK ? sc_sheet_prepare(s, confidence, error) : status;
}

static scrim_status make_statement(scrim_result *result, const sc_record *record,
                                   const sc_record_statement *from,
                                   const sc_schema *schema, const sc_ratio *confidence,
                                   sc_result_statement *out, scrim_error *error)
{
    sc_sheet s;
    scrim_status status = open_sheet(result, record, from, schema, confidence, &s, error);
    if (status == SCRIM_OK)
        status = say_kept(record, from, &s, confidence, out, error);
    if (status == SCRIM_OK)
        status = sc_sheet_columns(&s, out, error);
    if (status == SCRIM_OK)
        status = sc_sheet_rows(&s, 1, out, error);
    sc_sheet_clear(&s);
    return status;
}

/* The statement that tells which rows all sets are about: the source, or where it is not released the first one, which has
 * counted who is cut. */
static size_t place_of_source(const sc_record *record)
{
    for (size_t i = 0; i < record->statement_count; i++)
        if (record->statements[i].rows_of == 0)
            return i;
    return 0;
}

/* All sets of keys of a question are one statement, whose rows are those of all. */
static scrim_status make_sets(scrim_result *result, const sc_record *record,
                              const sc_schema *schema, const sc_ratio *confidence,
                              sc_result_statement *out, scrim_error *error)
{
    const size_t count = record->statement_count, source = place_of_source(record);
    sc_sheet *sheets = sc_arena_allocate(&result->arena, count, sizeof *sheets);
    scrim_status status = sheets == NULL ? sc_sheet_no_memory(error) : SCRIM_OK;
    size_t opened = 0;
    for (; status == SCRIM_OK && opened < count; opened++)
        status = open_sheet(result, record, &record->statements[opened], schema,
                            confidence, &sheets[opened], error);
    if (status == SCRIM_OK)
        status = say_kept(record, &record->statements[source], &sheets[source],
                          confidence, out, error);
    if (status == SCRIM_OK && sheets[0].query->is_consistent)
        status = sc_sheets_make_consistent(sheets, count, confidence, error);
    if (status == SCRIM_OK)
        status = sc_sheet_columns(&sheets[source], out, error);
    if (status == SCRIM_OK)
        status = sc_sheet_rows(sheets, count, out, error);
    for (size_t i = 0; i < opened; i++)
        sc_sheet_clear(&sheets[i]);
    return status;
}

/* The whole. */

static bool put_word(char to[SCRIM_NUMBER_BYTES], sc_text word)
{
    if (word.bytes >= SCRIM_NUMBER_BYTES)
        return false;
    if (word.bytes > 0)
        memcpy(to, word.start, word.bytes);
    to[word.bytes] = '\0';
    return true;
}

static scrim_status make_facts(scrim_result *result, const sc_record *record,
                               const sc_schema *schema, const sc_ratio *confidence,
                               const sc_result_origin *origin, scrim_error *error)
{
    scrim_result_facts *facts = &result->facts;
    char text[SC_RATIO_TEXT_BYTES];
    const size_t length = sc_ratio_format(confidence, text, sizeof text);
    facts->release = origin->release;
    facts->time = origin->time;
    facts->is_repeated = origin->is_repeated;
    facts->is_view = origin->is_view;
    facts->version = record->version;
    const bool has_sets = record->statements[0].set > 0;
    facts->statements = has_sets ? 1 : record->statement_count;
    facts->asked = has_sets ? 1 : sc_record_asked(record);
    facts->dataset =
        sc_arena_copy(&result->arena, record->dataset.start, record->dataset.bytes);
    facts->confidence = sc_arena_copy(&result->arena, text, length);
    facts->unit_words = sc_unit_word(schema->unit, true);
    facts->unit =
        schema->unit.bytes == 0
            ? "row"
            : sc_arena_copy(&result->arena, schema->unit.start, schema->unit.bytes);
    facts->cost.neighbours = schema->neighbours;
    if (!put_word(facts->cost.epsilon, record->cost_epsilon) ||
        !put_word(facts->cost.delta, record->cost_delta) ||
        !put_word(facts->cost.rho, record->cost_rho))
        return sc_sheet_unreadable(error);
    result->statements = sc_arena_allocate(&result->arena, record->statement_count,
                                           sizeof *result->statements);
    return facts->dataset == NULL || facts->confidence == NULL || facts->unit == NULL ||
                   result->statements == NULL
               ? sc_sheet_no_memory(error)
               : SCRIM_OK;
}

static scrim_status parse_confidence(sc_text text, sc_ratio *out, scrim_error *error)
{
    const scrim_status status = sc_ratio_parse(text, out, error);
    if (status == SCRIM_OK &&
        (sc_ratio_sign(out) <= 0 || sc_ratio_compare_int64(out, 1) >= 0))
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "confidence",
                                 "above 0 and below 1");
    return status;
}

static scrim_status make_result(scrim_result *result, sc_text text, const sc_ratio *asked,
                                const sc_result_origin *origin, scrim_error *error)
{
    const sc_schema *schema = NULL;
    sc_record record;
    const char *copy = sc_arena_copy(&result->arena, text.start, text.bytes);
    if (copy == NULL)
        return sc_sheet_no_memory(error);
    SC_OWN(sc_ratio, recorded);
    scrim_status status =
        sc_record_read((sc_text){copy, text.bytes}, &result->arena, &record, error);
    if (status == SCRIM_OK)
        status = parse_confidence(record.confidence, &recorded, error);
    const sc_ratio *confidence = asked == NULL ? &recorded : asked;
    if (status == SCRIM_OK)
        status = sc_record_schema(&record, &schema, error);
    if (status == SCRIM_OK)
        status = make_facts(result, &record, schema, confidence, origin, error);
    if (status == SCRIM_OK && record.statements[0].set > 0)
        status =
            make_sets(result, &record, schema, confidence, &result->statements[0], error);
    for (size_t i = 0; status == SCRIM_OK && record.statements[0].set == 0 &&
                       i < record.statement_count;
         i++)
        status = make_statement(result, &record, &record.statements[i], schema,
                                confidence, &result->statements[i], error);
    sc_schema_free(schema);
    return status;
}

scrim_status sc_result_new(sc_text record, const char *confidence,
                           const sc_result_origin *origin, scrim_result **out,
                           scrim_error *error)
{
    sc_ratio asked;
    sc_ratio_init(&asked);
    scrim_result *result = NULL;
    scrim_status status = confidence == NULL
                              ? SCRIM_OK
                              : parse_confidence(sc_text_of(confidence), &asked, error);
    if (status != SCRIM_OK)
        goto done;
    result = sc_allocate(1, sizeof *result);
    if (result == NULL) {
        status = sc_sheet_no_memory(error);
        goto done;
    }
    sc_arena_init(&result->arena);
    status =
        make_result(result, record, confidence == NULL ? NULL : &asked, origin, error);
    if (status == SCRIM_OK)
        *out = result;
    else if (status != SCRIM_E_MEMORY)
        status = sc_sheet_unreadable(error);
    if (status != SCRIM_OK)
        scrim_result_free(result);
done:
    sc_ratio_clear(&asked);
    return status;
}

void scrim_result_free(scrim_result *result)
{
    if (result == NULL)
        return;
    sc_arena_clear(&result->arena);
    sc_free(result);
}

void scrim_result_describe(const scrim_result *result, scrim_result_facts *out)
{
    *out = result->facts;
}

/* NULL past the last. */
static const sc_result_statement *statement_of(const scrim_result *result,
                                               size_t statement)
{
    return statement < result->facts.statements ? &result->statements[statement] : NULL;
}

const char *scrim_result_text(const scrim_result *result, size_t statement)
{
    const sc_result_statement *s = statement_of(result, statement);
    return s == NULL ? NULL : s->text;
}

const char *scrim_result_kept(const scrim_result *result, size_t statement)
{
    const sc_result_statement *s = statement_of(result, statement);
    return s == NULL ? NULL : s->kept;
}

const char *scrim_result_missing(const scrim_result *result, size_t statement)
{
    const sc_result_statement *s = statement_of(result, statement);
    return s == NULL ? NULL : s->missing;
}

const scrim_result_cut *scrim_result_cut_at(const scrim_result *result, size_t statement)
{
    const sc_result_statement *s = statement_of(result, statement);
    return s != NULL && s->has_cut ? &s->cut : NULL;
}

size_t scrim_result_columns(const scrim_result *result, size_t statement)
{
    const sc_result_statement *s = statement_of(result, statement);
    return s == NULL ? 0 : s->column_count;
}

size_t scrim_result_rows(const scrim_result *result, size_t statement)
{
    const sc_result_statement *s = statement_of(result, statement);
    return s == NULL ? 0 : s->row_count;
}

const scrim_result_column *scrim_result_column_at(const scrim_result *result,
                                                  size_t statement, size_t column)
{
    return column < scrim_result_columns(result, statement)
               ? &result->statements[statement].columns[column]
               : NULL;
}

const scrim_result_cell *scrim_result_next_cell_at(const scrim_result *result,
                                                   size_t statement, size_t column)
{
    return column < scrim_result_columns(result, statement) &&
                   result->statements[statement].next != NULL
               ? &result->statements[statement].next[column]
               : NULL;
}

const scrim_result_cell *scrim_result_cell_at(const scrim_result *result,
                                              size_t statement, size_t row, size_t column)
{
    return row < scrim_result_rows(result, statement) &&
                   column < scrim_result_columns(result, statement)
               ? &result->statements[statement].rows[row][column]
               : NULL;
}

/* Beyond 0 by more than its interval is wide: all that is possible of the interval is 0. */
static bool is_outside(const scrim_result_cell *cell)
{
    if (!cell->is_beyond)
        return false;
    const char *end = cell->value[0] == '-' ? cell->high : cell->low;
    return end[0] != '\0' && end[strspn(end, "0.")] == '\0';
}

/* A value outside of everything that is possible, or within it by chance alone, would be read as one. */
bool sc_result_is_unusable(const scrim_result_cell *cell)
{
    const bool has_value = cell->value != NULL && cell->value[0] != '\0';
    return (cell->is_open && has_value) || is_outside(cell);
}

scrim_result_words scrim_result_cell_words(const scrim_result_cell *cell)
{
    if (cell == NULL)
        return (scrim_result_words){"", "", ""};
    if (sc_result_is_unusable(cell))
        return (scrim_result_words){"no usable value", "", ""};
    if (!cell->is_beyond)
        return (scrim_result_words){cell->value, cell->low, cell->high};
    return cell->value[0] == '-' ? (scrim_result_words){"about 0", "0", cell->high}
                                 : (scrim_result_words){"about 0", cell->low, "0"};
}

const char *scrim_result_cell_text(const scrim_result_cell *cell)
{
    return scrim_result_cell_words(cell).value;
}
