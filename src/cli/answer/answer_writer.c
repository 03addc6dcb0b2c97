#include "cli/answer/answer_writer.h"

#include "cli/answer/answer_table.h"
#include "cli/answer/charge_note.h"
#include "cli/answer/frequency_list.h"
#include "cli/answer/release_note.h"

#include <inttypes.h>

#ifdef SCRIM_TESTING
#define NOT_PRIVATE "\"not_private\": true, "
#else
#define NOT_PRIVATE ""
#endif

/* CSV. */

static void write_csv(sc_output *output, const sc_answer_sheet *sheet,
                      const sc_answer_columns *columns)
{
    for (size_t i = 0; i < columns->count; i++) {
        sc_output_text(output, i > 0 ? "," : "");
        sc_output_csv_text(output, columns->names[i]);
    }
    sc_output_text(output, "\n");
    sc_answer_row row;
    for (size_t index = 0; index < scrim_answer_count(sheet->answer); index++) {
        sc_answer_row_get(sheet, index, &row);
        for (size_t i = 0; i < columns->count; i++) {
            sc_output_text(output, i > 0 ? "," : "");
            sc_output_csv_text(output, sc_answer_cell(&row, columns->kinds[i]));
        }
        sc_output_text(output, "\n");
    }
    if (!scrim_answer_has_halted(sheet->answer))
        return;
    for (size_t i = 0; i < columns->count; i++) {
        sc_output_text(output, i > 0 ? "," : "");
        if (columns->kinds[i] == SCRIM_COLUMN_ANSWER)
            sc_output_text(output, "halted");
    }
    sc_output_text(output, "\n");
}

/* JSON. */

/* A number with its interval; where nothing is said, the same members without them. */
static void write_json_none(sc_output *output, const char *name)
{
    sc_output_json_text(output, name);
    sc_output_text(output, ": {\"value\": null, \"low\": null, \"high\": null}");
}

static void write_json_value(sc_output *output, const char *name,
                             const sc_answer_row *row)
{
    if (row->kind == SCRIM_ANSWER_NONE) {
        write_json_none(output, name);
        return;
    }
    sc_output_json_text(output, name);
    sc_output_text(output, ": {\"value\": ");
    sc_output_json_number(output, row->value);
    if (row->has_interval) {
        sc_output_text(output, ", \"low\": ");
        sc_output_json_number(output, row->low);
        sc_output_text(output, ", \"high\": ");
        sc_output_json_number(output, row->high);
    }
    sc_output_text(output, "}");
}

static void write_json_row(sc_output *output, const sc_answer_columns *columns,
                           const sc_answer_row *row)
{
    const char *between = "";
    for (size_t i = 0; i < columns->count; i++) {
        const char *cell = sc_answer_cell(row, columns->kinds[i]);
        sc_answer_column kind = columns->kinds[i];
        if (kind == SCRIM_COLUMN_LOW || kind == SCRIM_COLUMN_HIGH ||
            (kind == SCRIM_COLUMN_VALUE && cell[0] == '\0' &&
             row->kind != SCRIM_ANSWER_NONE))
            continue; /* with the value, or no value at all */
        sc_output_text(output, between);
        between = ", ";
        if (kind == SCRIM_COLUMN_VALUE) {
            write_json_value(output, columns->names[i], row);
            continue;
        }
        sc_output_json_text(output, columns->names[i]);
        sc_output_text(output, ": ");
        if (kind == SCRIM_COLUMN_INDEX)
            sc_output_json_number(output, cell);
        else
            sc_output_json_text(output, cell);
    }
}

void sc_answer_json_open(sc_output *output, const sc_answer_sheet *sheet)
{
    sc_output_text(output, "{" NOT_PRIVATE "\"measurement\": ");
    sc_output_json_text(output, sheet->measurement);
    sc_output_text(output, ", \"rows\": [\n");
}

void sc_answer_json_close(sc_output *output, const sc_answer_sheet *sheet)
{
    sc_output_text(output, "], ");
    if (sc_answer_subject_of(sheet->answer) == SCRIM_ANSWER_OF_QUERIES)
        sc_output_format(output, "\"halted\": %s, ",
                         scrim_answer_has_halted(sheet->answer) ? "true" : "false");
    sc_frequency_json_write(output, sheet);
    sc_output_text(output, "\"cost\": ");
    sc_cost_json_write(output, scrim_answer_cost(sheet->answer));
    sc_output_text(output, ", \"certificate\": ");
    sc_certificate_json_write(output, sheet->certificate);
    if (sheet->charge != NULL) {
        sc_output_text(output, ", \"dataset\": ");
        sc_output_json_text(output, sheet->charge->dataset);
        sc_output_format(
            output, ", \"version\": %" PRIu64 ", \"charged\": ", sheet->charge->version);
        sc_charged_json_write(output, sheet->charge);
    }
    if (sheet->charge != NULL)
        sc_output_format(output, ", \"release\": %" PRIu64 "}\n", sheet->charge->id);
    else
        sc_output_text(output, ", \"release\": null}\n"); /* no vault has it */
}

static void write_json(sc_output *output, const sc_answer_sheet *sheet,
                       const sc_answer_columns *columns)
{
    size_t count = scrim_answer_count(sheet->answer);
    sc_answer_row row;
    sc_answer_json_open(output, sheet);
    for (size_t index = 0; index < count; index++) {
        sc_answer_row_get(sheet, index, &row);
        sc_output_text(output, "{");
        write_json_row(output, columns, &row);
        sc_output_text(output, index + 1 < count ? "},\n" : "}\n");
    }
    sc_answer_json_close(output, sheet);
}

static void write_jsonl(sc_output *output, const sc_answer_sheet *sheet,
                        const sc_answer_columns *columns)
{
    sc_answer_row row;
    for (size_t index = 0; index < scrim_answer_count(sheet->answer); index++) {
        sc_answer_row_get(sheet, index, &row);
        sc_output_text(output, "{" NOT_PRIVATE);
        write_json_row(output, columns, &row);
        sc_output_text(output, "}\n");
    }
    if (scrim_answer_has_halted(sheet->answer))
        sc_output_text(output, "{" NOT_PRIVATE "\"answer\": \"halted\"}\n");
}

scrim_status sc_answer_write(sc_output *output, const sc_answer_sheet *sheet,
                             sc_format format, const sc_terminal *terminal,
                             scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    sc_answer_columns columns;
    sc_answer_columns_get(sheet, &columns);
    switch (format) {
    case SCRIM_FORMAT_TABLE:
        status = sc_answer_table_write(output, sheet, &columns, terminal, error);
        if (status == SCRIM_OK)
            sc_frequency_table_write(output, sheet, terminal);
        break;
    case SCRIM_FORMAT_CSV:
        write_csv(output, sheet, &columns);
        break;
    case SCRIM_FORMAT_JSON:
        write_json(output, sheet, &columns);
        break;
    case SCRIM_FORMAT_JSONL:
        write_jsonl(output, sheet, &columns);
        break;
    }
    return status;
}
