#include "cli/report/report_values.h"

#include "cli/answer/sheet_note.h"
#include "cli/terminal/complaint.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PLACE_BYTES 24

/* What the texts lie in. */
struct sc_report_memory {
    scrim_result *result;
    scrim_vault_release release;
    scrim_measurement *measurement;
    scrim_answer *answer;
    sc_sheet_note note;
    char (*ends)[SCRIM_ANSWER_BYTES]; /* two a value */
    char (*places)[PLACE_BYTES];
    size_t *rows; /* that are shown; NULL: all */
};

static scrim_status no_memory(scrim_error *error)
{
    return sc_out_of_memory(error, "what was released");
}

static bool make_sheet(sc_report_sheet *sheet, size_t columns, size_t rows)
{
    sheet->columns = calloc(columns + 1, sizeof *sheet->columns);
    sheet->cells = calloc(columns * rows + 1, sizeof *sheet->cells);
    sheet->column_count = columns;
    sheet->row_count = rows;
    return sheet->columns != NULL && sheet->cells != NULL;
}

static bool make_sheets(sc_report_values *values, size_t count)
{
    values->sheets = calloc(count + 1, sizeof *values->sheets);
    values->count = values->sheets == NULL ? 0 : count;
    return values->sheets != NULL;
}

/* Of a query. */

static bool fill_sheet(const scrim_result *result, size_t statement,
                       sc_report_sheet *sheet)
{
    const size_t columns = scrim_result_columns(result, statement);
    if (!make_sheet(sheet, columns, scrim_result_rows(result, statement)))
        return false;
    for (size_t i = 0; i < columns; i++) {
        const scrim_result_column *column = scrim_result_column_at(result, statement, i);
        const bool is_date = column->kind == SCRIM_OUTPUT_DATE_VALUE ||
                             column->kind == SCRIM_OUTPUT_TIMESTAMP_VALUE;
        sheet->columns[i] = (sc_report_column){
            column->name, column->kind == SCRIM_OUTPUT_VALUE || is_date, is_date,
            column->is_certain != 0};
        for (size_t row = 0; row < sheet->row_count; row++) {
            const scrim_result_cell *cell =
                scrim_result_cell_at(result, statement, row, i);
            sheet->cells[row * columns + i] =
                (sc_report_cell){cell->is_null ? "NULL" : cell->value, cell->low,
                                 cell->high, cell->is_open};
        }
    }
    return true;
}

static scrim_status read_query(sc_report_values *out, scrim_error *error)
{
    const struct sc_report_memory *memory = out->memory;
    scrim_result_facts facts;
    scrim_result_describe(memory->result, &facts);
    out->confidence = facts.confidence;
    if (!make_sheets(out, facts.statements))
        return no_memory(error);
    for (size_t i = 0; i < out->count; i++)
        if (!fill_sheet(memory->result, i, &out->sheets[i]))
            return no_memory(error);
    return SCRIM_OK;
}

/* Of a measurement. */

static scrim_status read_answer(struct sc_report_memory *memory, scrim_error *error)
{
    const scrim_vault_release *release = &memory->release;
    SC_TRY(scrim_measurement_parse(scrim_synth_compared(release->measurement),
                                   &memory->measurement, error));
    SC_TRY(scrim_answer_parse(memory->measurement, release->answer, release->id,
                              &memory->answer, error));
    return sc_sheet_note_parse(release->note, &memory->note, error);
}

/* Its label, or which one it is. */
static const char *name_of(const sc_answer_row *row, size_t row_index,
                           char place[PLACE_BYTES])
{
    if (row->label != NULL && row->label != row->number)
        return row->label;
    if (row->label != NULL)
        snprintf(place, PLACE_BYTES, "%s", row->label);
    else
        snprintf(place, PLACE_BYTES, "%zu", row_index + 1);
    return place;
}

static void fill_answer(struct sc_report_memory *memory, const sc_answer_sheet *answer,
                        sc_report_sheet *sheet)
{
    sc_answer_row row;
    for (size_t i = 0; i < sheet->row_count; i++) {
        char *low = memory->ends[2 * i], *high = memory->ends[2 * i + 1];
        sc_answer_row_get(answer, sc_answer_row_index(answer, i), &row);
        sheet->cells[2 * i].text = name_of(&row, i, memory->places[i]);
        sheet->cells[2 * i + 1].text = row.value;
        if (row.has_interval) {
            memcpy(low, row.low, sizeof row.low);
            memcpy(high, row.high, sizeof row.high);
            sheet->cells[2 * i + 1].low = low;
            sheet->cells[2 * i + 1].high = high;
            sheet->columns[1].is_number = true;
        }
    }
}

static scrim_status make_rows(sc_report_values *out, const sc_answer_sheet *answer,
                              scrim_error *error)
{
    struct sc_report_memory *memory = out->memory;
    const sc_sheet_note *note = &memory->note;
    const size_t count = sc_answer_row_count(answer);
    memory->ends = calloc(2 * count + 1, sizeof *memory->ends);
    memory->places = calloc(count + 1, sizeof *memory->places);
    if (memory->ends == NULL || memory->places == NULL || !make_sheets(out, 1) ||
        !make_sheet(&out->sheets[0], 2, count))
        return no_memory(error);
    out->sheets[0].columns[0].name =
        note->label_name != NULL ? note->label_name : "place";
    out->sheets[0].columns[1].name = note->name != NULL ? note->name : "value";
    fill_answer(memory, answer, &out->sheets[0]);
    if (out->sheets[0].columns[1].is_number)
        out->confidence = note->confidence;
    return SCRIM_OK;
}

static scrim_status read_run(sc_report_values *out, scrim_error *error)
{
    struct sc_report_memory *memory = out->memory;
    const sc_sheet_note *note = &memory->note;
    scrim_certificate certificate = {.form = SCRIM_CERTIFICATE_NONE};
    SC_TRY(read_answer(memory, error));
    const size_t count = scrim_answer_count(memory->answer);
    if (scrim_measurement_certify(memory->measurement, note->confidence,
                                  note->count > 0 ? note->count : count, &certificate,
                                  NULL) != SCRIM_OK)
        certificate = (scrim_certificate){.form = SCRIM_CERTIFICATE_NONE};
    sc_answer_sheet answer = {.answer = memory->answer,
                              .certificate = &certificate,
                              .source = memory->measurement,
                              .labels = note->labels,
                              .label_count = note->label_count};
    SC_TRY(sc_answer_rows_new(&answer, &memory->rows, &answer.row_count, error));
    answer.rows = memory->rows;
    return make_rows(out, &answer, error);
}

/* Either. */

static scrim_status begin(sc_report_values *out, scrim_error *error)
{
    memset(out, 0, sizeof *out);
    out->confidence = "";
    out->memory = calloc(1, sizeof *out->memory);
    return out->memory == NULL ? no_memory(error) : SCRIM_OK;
}

/* Synthetic rows and bodies are no values of their own. */
static scrim_status fill(sc_report_values *out, bool is_synth, scrim_status status,
                         scrim_error *error)
{
    if (status == SCRIM_OK && !is_synth)
        status =
            out->memory->result != NULL ? read_query(out, error) : read_run(out, error);
    if (status != SCRIM_OK)
        sc_report_values_clear(out);
    return status;
}

scrim_status sc_report_values_read(scrim_vault *vault, uint64_t id, sc_report_values *out,
                                   scrim_error *error)
{
    scrim_status status = begin(out, error);
    if (status == SCRIM_OK)
        status = scrim_vault_replay(vault, id, &out->memory->release, error);
    if (status == SCRIM_OK && strncmp(out->memory->release.measurement, "query ", 6) == 0)
        status = scrim_query_replay(vault, id, NULL, &out->memory->result, error);
    return fill(out,
                status == SCRIM_OK &&
                    (scrim_synth_is_measurement(out->memory->release.measurement) ||
                     scrim_body_is_measurement(out->memory->release.measurement)),
                status, error);
}

scrim_status sc_report_values_of(const scrim_label *label, sc_report_values *out,
                                 scrim_error *error)
{
    const char *kind = scrim_label_get(label, "release.kind");
    scrim_status status = begin(out, error);
    if (status == SCRIM_OK)
        status = kind != NULL && strcmp(kind, "query") == 0
                     ? scrim_label_result(label, &out->memory->result, error)
                     : scrim_label_release(label, &out->memory->release, error);
    return fill(out,
                kind != NULL && (strcmp(kind, "synthetic") == 0 ||
                                 strcmp(kind, "floating body") == 0),
                status, error);
}

void sc_report_values_clear(sc_report_values *values)
{
    struct sc_report_memory *memory = values->memory;
    for (size_t i = 0; i < values->count; i++) {
        free(values->sheets[i].columns);
        free(values->sheets[i].cells);
    }
    free(values->sheets);
    if (memory != NULL) {
        sc_sheet_note_clear(&memory->note);
        scrim_answer_free(memory->answer);
        scrim_measurement_free(memory->measurement);
        scrim_vault_release_clear(&memory->release);
        scrim_result_free(memory->result);
        free(memory->ends);
        free(memory->places);
        free(memory->rows);
        free(memory);
    }
    memset(values, 0, sizeof *values);
}
