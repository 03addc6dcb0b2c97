#include "cli/answer/result_writer.h"

#include "cli/answer/charge_note.h"
#include "cli/answer/release_note.h"
#include "cli/answer/result_plot.h"
#include "cli/terminal/complaint.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool sc_result_has_chance(const scrim_result *result)
{
    scrim_result_facts facts;
    scrim_result_describe(result, &facts);
    for (size_t s = 0; s < facts.statements; s++)
        for (size_t i = 0; i < scrim_result_columns(result, s); i++) {
            const scrim_result_column *column = scrim_result_column_at(result, s, i);
            if (sc_result_has_interval(column) && !column->is_certain)
                return true;
        }
    return false;
}

/* Columns. */

static unsigned kind_of(scrim_output_kind kind)
{
    switch (kind) {
    case SCRIM_OUTPUT_TEXT:
        return SC_KIND_KEY | SC_KEYED;
    case SCRIM_OUTPUT_DATE:
    case SCRIM_OUTPUT_TIMESTAMP:
        return SC_KIND_TEXT | SC_KEYED;
    case SCRIM_OUTPUT_BOOL:
        return SC_KIND_WORD | SC_KEYED;
    case SCRIM_OUTPUT_NUMBER:
        return SC_KIND_DECIMAL | SC_UNDER | SC_KEYED;
    case SCRIM_OUTPUT_VALUE:
        return SC_KIND_DECIMAL | SC_NULLABLE | SC_VALUE | SC_TOGETHER;
    case SCRIM_OUTPUT_DATE_VALUE:
    case SCRIM_OUTPUT_TIMESTAMP_VALUE:
        break;
    }
    return SC_KIND_TEXT | SC_NULLABLE | SC_VALUE | SC_TOGETHER;
}

static scrim_status make_columns(sc_result_rows *rows, const sc_listing_column *lead,
                                 size_t lead_count, size_t more, scrim_error *error)
{
    memset(rows, 0, sizeof *rows);
    rows->columns = calloc(lead_count + 3 * more + 1, sizeof *rows->columns);
    rows->cells = calloc(lead_count + 3 * more + 1, sizeof *rows->cells);
    rows->names = calloc(2 * more + 1, sizeof *rows->names);
    if (rows->columns == NULL || rows->cells == NULL || rows->names == NULL) {
        sc_result_rows_clear(rows);
        return sc_out_of_memory(error, "the table");
    }
    for (size_t i = 0; i < lead_count; i++)
        rows->columns[i] = lead[i];
    rows->lead_count = rows->column_count = lead_count;
    return SCRIM_OK;
}

static void add_column(sc_result_rows *rows, const char *name, scrim_output_kind kind)
{
    static const char *const endings[] = {"_low", "_high"};
    const unsigned of = kind_of(kind);
    rows->columns[rows->column_count++] = (sc_listing_column){name, of};
    for (size_t i = 0; i < 2 && (of & SC_VALUE) != 0; i++) {
        char *text = rows->names[rows->name_count++];
        snprintf(text, SC_RESULT_NAME_BYTES, "%s%s", name, endings[i]);
        rows->columns[rows->column_count++] = (sc_listing_column){text, SC_BOUND};
    }
}

scrim_status sc_result_rows_init(sc_result_rows *rows, const sc_listing_column *lead,
                                 size_t lead_count, const scrim_result *result,
                                 size_t statement, scrim_error *error)
{
    const size_t count = result == NULL ? 0 : scrim_result_columns(result, statement);
    const scrim_status status = make_columns(rows, lead, lead_count, count, error);
    for (size_t i = 0; i < count && status == SCRIM_OK; i++) {
        const scrim_result_column *column = scrim_result_column_at(result, statement, i);
        add_column(rows, column->name, column->kind);
    }
    return status;
}

scrim_status sc_result_rows_init_plan(sc_result_rows *rows, const sc_listing_column *lead,
                                      size_t lead_count, const scrim_plan *plan,
                                      scrim_error *error)
{
    scrim_plan_statement facts;
    scrim_plan_output column;
    scrim_status status = scrim_plan_statement_at(plan, 0, &facts, error);
    if (status == SCRIM_OK)
        status = make_columns(rows, lead, lead_count, facts.outputs, error);
    if (status != SCRIM_OK)
        return status;
    for (size_t i = 0; status == SCRIM_OK && i < facts.outputs; i++) {
        status = scrim_plan_output_at(plan, 0, i, &column, error);
        if (status == SCRIM_OK)
            add_column(rows, column.name,
                       column.is_key ? SCRIM_OUTPUT_TEXT : SCRIM_OUTPUT_VALUE);
    }
    if (status != SCRIM_OK)
        sc_result_rows_clear(rows);
    return status;
}

/* A value outside of everything that is possible, or within it by chance alone, would be read as one. */
static bool is_unusable(const scrim_result_cell *cell)
{
    return cell->is_open && cell->value[0] != '\0';
}

bool sc_cell_is_outside(const scrim_result_cell *cell)
{
    return cell->is_beyond && !is_unusable(cell) &&
           strcmp(scrim_result_cell_text(cell), "no usable value") == 0;
}

sc_result_oddities sc_result_oddities_of(const scrim_result *result, bool has_ladders)
{
    sc_result_oddities found = {false, false, false};
    scrim_result_facts facts;
    scrim_result_describe(result, &facts);
    for (size_t s = 0; s < (has_ladders ? facts.statements : facts.asked); s++)
        for (size_t i = 0; i < scrim_result_columns(result, s); i++) {
            if (!sc_result_has_interval(scrim_result_column_at(result, s, i)))
                continue;
            for (size_t row = 0; row < scrim_result_rows(result, s); row++) {
                const scrim_result_cell *cell = scrim_result_cell_at(result, s, row, i);
                found.has_open = found.has_open || is_unusable(cell);
                const bool is_outside = sc_cell_is_outside(cell);
                found.has_outside = found.has_outside || is_outside;
                found.has_beyond = found.has_beyond || (cell->is_beyond && !is_outside);
            }
        }
    return found;
}

void sc_result_rows_add(sc_result_rows *rows, sc_listing *listing,
                        const scrim_result *result, size_t statement, size_t row)
{
    size_t at = rows->lead_count;
    for (size_t i = 0; i < scrim_result_columns(result, statement); i++) {
        const scrim_result_cell *cell = scrim_result_cell_at(result, statement, row, i);
        const bool is_value = (rows->columns[at].kind & SC_VALUE) != 0;
        if (!is_value) {
            const bool is_told = cell->is_all && listing->format == SCRIM_FORMAT_TABLE;
            rows->cells[at++] = is_told ? "(all)" : cell->is_null ? NULL : cell->value;
            continue;
        }
        const scrim_result_words words =
            listing->format == SCRIM_FORMAT_TABLE
                ? scrim_result_cell_words(cell)
                : (scrim_result_words){cell->value, cell->low, cell->high};
        rows->cells[at++] = words.value;
        rows->cells[at++] = words.low;
        rows->cells[at++] = words.high;
    }
    sc_listing_add(listing, rows->cells);
}

void sc_result_rows_clear(sc_result_rows *rows)
{
    free(rows->columns);
    free(rows->cells);
    free(rows->names);
    memset(rows, 0, sizeof *rows);
}

/* JSON. */

/* The certificates of the columns that have one, by their names. */
static void write_certificates(sc_json *json, const scrim_result *result,
                               size_t statement)
{
    size_t count = 0;
    for (size_t i = 0; i < scrim_result_columns(result, statement); i++) {
        const scrim_result_column *column = scrim_result_column_at(result, statement, i);
        if (column->certificate == NULL)
            continue;
        if (count++ == 0)
            sc_json_object(json, "certificates");
        sc_json_text(json, column->name, column->certificate);
    }
    if (count > 0)
        sc_json_end(json);
}

/* The columns whose intervals hold whatever the confidence. */
static void write_certain(sc_json *json, const scrim_result *result, size_t statement)
{
    size_t count = 0;
    for (size_t i = 0; i < scrim_result_columns(result, statement); i++) {
        const scrim_result_column *column = scrim_result_column_at(result, statement, i);
        if (!column->is_certain || !sc_result_has_interval(column))
            continue;
        if (count++ == 0)
            sc_json_array(json, "certain");
        sc_json_text(json, NULL, column->name);
    }
    if (count > 0)
        sc_json_end(json);
}

/* The object, but for its rows. */

void sc_result_head_json(sc_json *json, const scrim_result *result,
                         const sc_series_place *place)
{
    scrim_result_facts facts;
    scrim_result_describe(result, &facts);
    sc_json_object(json, NULL);
    sc_json_mark(json);
    sc_json_text(json, "dataset", facts.dataset);
    sc_json_count(json, "version", facts.version);
    if (strcmp(facts.unit, "row") != 0)
        sc_json_count(json, "max_total_rows", facts.max_total_rows);
    if (place != NULL)
        sc_series_place_json(json, place);
}

static void put_tail(sc_json *json, const scrim_result *result,
                     const scrim_vault_release *charge, bool is_repeated)
{
    scrim_result_facts facts;
    scrim_result_describe(result, &facts);
    sc_json_text(json, "confidence",
                 sc_result_has_chance(result) ? facts.confidence : "1");
    sc_cost_json(json, "cost", &facts.cost);
    sc_charged_json(json, "charged", charge);
    sc_json_truth(json, "repeated", is_repeated);
    if (facts.is_view)
        sc_json_truth(json, "view", true);
    sc_json_count(json, "release", facts.release);
}

void sc_result_tail_json(sc_json *json, const scrim_result *result,
                         const scrim_vault_release *charge, bool is_repeated)
{
    put_tail(json, result, charge, is_repeated);
    sc_json_end(json);
}

/* Rows. */

void sc_result_heading_write(sc_output *output, const scrim_result *result,
                             size_t statement)
{
    scrim_result_facts facts;
    scrim_result_describe(result, &facts);
    if (facts.statements == 1)
        return;
    if (statement >= facts.asked)
        sc_output_text(output, "ladder      ");
    else
        sc_output_format(output, "query %-6zu", statement + 1);
    sc_output_text(output, scrim_result_text(result, statement));
    sc_output_text(output, "\n");
}

/* In JSON lines a row of a batch begins with the number of its statement. */
static scrim_status write_rows(sc_listing *listing, const scrim_result *result,
                               size_t statement, bool is_batch, scrim_error *error)
{
    static const sc_listing_column number[] = {{"statement", SC_KIND_WORD}};
    const bool is_numbered = is_batch && listing->format == SCRIM_FORMAT_JSONL;
    const sc_result_bars bars = sc_result_bars_of(result, statement);
    char text[24];
    sc_result_rows rows;
    scrim_status status =
        sc_result_rows_init(&rows, number, is_numbered, result, statement, error);
    if (status != SCRIM_OK)
        return status;
    snprintf(text, sizeof text, "%zu", statement + 1);
    listing->columns = rows.columns;
    listing->column_count = rows.column_count;
    listing->bar = bars.has_any ? sc_result_bar : NULL;
    /* cppcheck-suppress autoVariables ; the listing is closed here */
    listing->bar_context = &bars;
    listing->bar_of = scrim_result_column_at(result, statement, bars.column)->name;
    if (is_numbered)
        rows.cells[0] = text;
    for (size_t row = 0; row < scrim_result_rows(result, statement); row++)
        sc_result_rows_add(&rows, listing, result, statement, row);
    status = sc_listing_close(listing, SCRIM_OK, error);
    sc_result_rows_clear(&rows);
    return status;
}

/* People whose rows were left out, where they were counted; shares are in percent. */
static void write_cut(sc_json *json, const scrim_result_cut *cut)
{
    if (cut == NULL)
        return;
    sc_json_object(json, "cut");
    sc_json_object(json, "units_percent");
    sc_json_decimal(json, "value", cut->people);
    sc_json_decimal(json, "low", cut->people_low);
    sc_json_decimal(json, "high", cut->people_high);
    sc_json_end(json);
    sc_json_object(json, "rows");
    sc_json_decimal(json, "low", cut->rows_low);
    sc_json_decimal(json, "high", cut->rows_high);
    sc_json_end(json);
    if (cut->rows_share_low[0] != '\0') {
        sc_json_object(json, "rows_percent");
        sc_json_decimal(json, "low", cut->rows_share_low);
        sc_json_decimal(json, "high", cut->rows_share_high);
        sc_json_end(json);
    }
    sc_json_text_if_any(json, "caution", cut->caution);
    sc_json_end(json);
}

/* A statement in JSON is a part of an object. */
static scrim_status write_json_statement(sc_json *json, const scrim_result *result,
                                         size_t statement, scrim_error *error)
{
    sc_listing listing = {
        .output = json->output, .format = SCRIM_FORMAT_JSON, .json = json};
    sc_json_text(json, "query", scrim_result_text(result, statement));
    sc_json_text_if_any(json, "kept", scrim_result_kept(result, statement));
    write_cut(json, scrim_result_cut_at(result, statement));
    const scrim_status status = write_rows(&listing, result, statement, false, error);
    write_certificates(json, result, statement);
    write_certain(json, result, statement);
    return status;
}

static scrim_status write_json(sc_output *output, const sc_shown_result *shown,
                               scrim_error *error)
{
    const scrim_result *result = shown->result;
    scrim_result_facts facts;
    scrim_status status = SCRIM_OK;
    sc_json json;
    sc_json_init(&json, output);
    scrim_result_describe(result, &facts);
    sc_result_head_json(&json, result, shown->place);
    if (facts.statements == 1) {
        status = write_json_statement(&json, result, 0, error);
    } else {
        sc_json_rows(&json, "statements");
        for (size_t i = 0; i < facts.statements && status == SCRIM_OK; i++) {
            sc_json_object(&json, NULL);
            status = write_json_statement(&json, result, i, error);
            sc_json_end(&json);
        }
        sc_json_end(&json);
    }
    put_tail(&json, result, shown->charge, shown->is_repeated);
    if (status == SCRIM_OK && shown->signing != NULL)
        return sc_signing_end(shown->signing, &json, error);
    sc_json_end(&json);
    return status;
}

bool sc_result_shows_ladders(sc_format format, const sc_terminal *terminal)
{
    return format != SCRIM_FORMAT_TABLE || terminal->rows_most == 0;
}

scrim_status sc_result_write(sc_output *output, const sc_shown_result *asked,
                             sc_format format, const sc_terminal *terminal,
                             scrim_error *error)
{
    const scrim_result *result = asked->result;
    scrim_result_facts facts;
    scrim_status status = SCRIM_OK;
    scrim_result_describe(result, &facts);
    if (format == SCRIM_FORMAT_JSON)
        return write_json(output, asked, error);
    const size_t shown =
        sc_result_shows_ladders(format, terminal) ? facts.statements : facts.asked;
    for (size_t i = 0; i < shown && status == SCRIM_OK; i++) {
        sc_listing listing = {
            .output = output, .format = format, .terminal = terminal, .is_marked = true};
        if (i > 0 && format != SCRIM_FORMAT_JSONL)
            sc_output_text(output, "\n");
        if (format == SCRIM_FORMAT_TABLE && shown > 1)
            sc_result_heading_write(output, result, i);
        (void)sc_listing_open(&listing);
        status = write_rows(&listing, result, i, facts.statements > 1, error);
    }
    return status;
}
