#include "cli/series/series_writer.h"

#include "cli/answer/charge_note.h"
#include "cli/answer/result_writer.h"
#include "cli/answer/series_place.h"
#include "cli/terminal/box.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/fold.h"
#include "cli/terminal/number_view.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* CSV. */

static scrim_status write_csv(sc_output *output, const sc_series_sheet *sheet,
                              scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    sc_output_text(output, "release,from,to,version,entry");
    if (sheet->count > 0) {
        sc_output_text(output, ",");
        sc_result_csv_names(output, sheet->results[0], 0);
    } else if (sheet->plan != NULL) {
        sc_output_text(output, ",");
        status = sc_plan_csv_names(output, sheet->plan, 0, error);
    }
    sc_output_text(output, "\n");
    for (size_t i = 0; i < sheet->count; i++) {
        const scrim_series_step *step = &sheet->steps[i];
        for (size_t row = 0; row < scrim_result_rows(sheet->results[i], 0); row++) {
            sc_output_format(output, "%" PRIu64 ",", step->number);
            sc_output_csv_text(output, step->low);
            sc_output_text(output, ",");
            sc_output_csv_text(output, step->high);
            sc_output_format(output, ",%" PRIu64 ",%" PRIu64 ",", step->version,
                             step->release);
            sc_result_csv_row(output, sheet->results[i], 0, row);
            sc_output_text(output, "\n");
        }
    }
    return status;
}

/* JSON. */

static void write_json_row(sc_output *output, const sc_series_sheet *sheet, size_t index,
                           size_t row)
{
    const scrim_series_step *step = &sheet->steps[index];
    sc_output_format(output, "{\"release\": %" PRIu64, step->number);
    if (step->low[0] != '\0') {
        sc_output_text(output, ", \"from\": ");
        sc_output_json_text(output, step->low);
        sc_output_text(output, ", \"to\": ");
        sc_output_json_text(output, step->high);
    }
    sc_output_format(output, ", \"version\": %" PRIu64 ", \"entry\": %" PRIu64 ", ",
                     step->version, step->release);
    sc_result_json_row(output, sheet->results[index], 0, row);
    sc_output_text(output, "}");
}

static void write_member(sc_output *output, const char *name, const char *value)
{
    sc_output_format(output, ", \"%s\": ", name);
    sc_output_json_text(output, value);
}

static void write_json_facts(sc_output *output, const sc_series_sheet *sheet,
                             const scrim_series_forecast *f)
{
    const scrim_series_facts *facts = &sheet->facts;
    sc_output_text(output, "\"series\": ");
    sc_output_json_text(output, facts->name);
    write_member(output, "dataset", facts->dataset);
    write_member(output, "query", facts->query);
    write_member(output, "epsilon", facts->epsilon);
    write_member(output, "delta", facts->delta);
    if (facts->window[0] != '\0')
        write_member(output, "window", facts->window);
    if (facts->known_keys[0] != '\0')
        write_member(output, "known_keys", facts->known_keys);
    sc_output_format(output,
                     ", \"releases\": %" PRIu64 ", \"made\": %" PRIu64
                     ", \"parallel\": %s, \"cost\": {\"unit\": ",
                     facts->releases, facts->made, facts->is_parallel ? "true" : "false");
    sc_output_json_text(output, facts->unit);
    write_member(output, "spent", facts->spent);
    write_member(output, "spent_delta", facts->spent_delta);
    if (f != NULL) {
        write_member(output, "to_come", f->total);
        write_member(output, "to_come_delta", f->total_delta);
        write_member(output, "left", f->left);
        write_member(output, "left_delta", f->left_delta);
    }
    sc_output_text(output, "}");
}

static void write_json(sc_output *output, const sc_series_sheet *sheet,
                       const scrim_series_forecast *forecast)
{
    bool is_first = true;
    sc_output_text(output, "{");
    write_json_facts(output, sheet, forecast);
    sc_output_text(output, ", \"rows\": [");
    for (size_t i = 0; i < sheet->count; i++)
        for (size_t row = 0; row < scrim_result_rows(sheet->results[i], 0); row++) {
            sc_output_text(output, is_first ? "\n" : ",\n");
            write_json_row(output, sheet, i, row);
            is_first = false;
        }
    sc_output_text(output, is_first ? "]}\n" : "\n]}\n");
}

static void write_jsonl(sc_output *output, const sc_series_sheet *sheet)
{
    for (size_t i = 0; i < sheet->count; i++)
        for (size_t row = 0; row < scrim_result_rows(sheet->results[i], 0); row++) {
            write_json_row(output, sheet, i, row);
            sc_output_text(output, "\n");
        }
}

/* A box. */

#define CELL_BYTES 256

typedef struct box_view {
    const sc_series_sheet *sheet;
    const char **names;
    char (*texts)[CELL_BYTES];
    const char **cells;
    size_t columns, rows;
} box_view;

static void put_value(const scrim_result_column *column, const scrim_result_cell *cell,
                      char text[CELL_BYTES])
{
    if (!sc_result_has_interval(column))
        snprintf(text, CELL_BYTES, "%s", cell->value);
    else
        snprintf(text, CELL_BYTES, "%s [%s, %s]",
                 cell->value[0] == '\0' ? "none" : cell->value, cell->low, cell->high);
    sc_complaint_clean(text);
}

static void fill_row(box_view *view, size_t at, size_t index, size_t row)
{
    const scrim_result *result = view->sheet->results[index];
    char(*texts)[CELL_BYTES] = view->texts + at * view->columns;
    char window[SC_SERIES_WINDOW_BYTES];
    sc_series_window_name(&view->sheet->steps[index], window);
    snprintf(texts[0], CELL_BYTES, "%" PRIu64, view->sheet->steps[index].number);
    snprintf(texts[1], CELL_BYTES, "%.255s", window);
    for (size_t i = 2; i < view->columns; i++)
        put_value(scrim_result_column_at(result, 0, i - 2),
                  scrim_result_cell_at(result, 0, row, i - 2), texts[i]);
}

static scrim_status make_box(box_view *view, scrim_error *error)
{
    const sc_series_sheet *sheet = view->sheet;
    view->columns =
        2 + (sheet->count == 0 ? 0 : scrim_result_columns(sheet->results[0], 0));
    for (size_t i = 0; i < sheet->count; i++)
        view->rows += scrim_result_rows(sheet->results[i], 0);
    const size_t cells = view->rows * view->columns + 1;
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers */
    view->names = calloc(view->columns, sizeof *view->names);
    view->texts = calloc(cells, sizeof *view->texts);
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers */
    view->cells = calloc(cells, sizeof *view->cells);
    if (view->names == NULL || view->texts == NULL || view->cells == NULL)
        return sc_complaint_fill(error, SCRIM_E_MEMORY, "no memory for the table");
    view->names[0] = "release";
    view->names[1] = sheet->facts.window[0] == '\0' ? "of" : sheet->facts.window;
    for (size_t i = 2; i < view->columns; i++)
        view->names[i] = scrim_result_column_at(sheet->results[0], 0, i - 2)->name;
    size_t at = 0;
    for (size_t i = 0; i < sheet->count; i++)
        for (size_t row = 0; row < scrim_result_rows(sheet->results[i], 0); row++)
            fill_row(view, at++, i, row);
    for (size_t i = 0; i < view->rows * view->columns; i++)
        view->cells[i] = view->texts[i];
    return SCRIM_OK;
}

static scrim_status write_table(sc_output *output, const sc_series_sheet *sheet,
                                const sc_terminal *terminal, scrim_error *error)
{
    box_view view = {.sheet = sheet};
    const scrim_status status = make_box(&view, error);
    if (status == SCRIM_OK) {
        const sc_box box = {view.names, view.columns, view.cells, view.rows};
        sc_box_write(output, &box, SCRIM_FORMAT_TABLE, terminal);
    }
    free(view.names);
    free(view.texts);
    free(view.cells);
    return status;
}

scrim_status sc_series_write(sc_output *output, const sc_series_sheet *sheet,
                             const scrim_series_forecast *forecast, sc_format format,
                             const sc_terminal *terminal, scrim_error *error)
{
    switch (format) {
    case SCRIM_FORMAT_TABLE:
        return write_table(output, sheet, terminal, error);
    case SCRIM_FORMAT_CSV:
        return write_csv(output, sheet, error);
    case SCRIM_FORMAT_JSON:
        write_json(output, sheet, forecast);
        break;
    case SCRIM_FORMAT_JSONL:
        write_jsonl(output, sheet);
        break;
    }
    return SCRIM_OK;
}

/* Words. */

static void write_numbers(sc_output *output, const char *unit, const char *amount,
                          const char *delta)
{
    char shown[SC_BOUND_BYTES], shown_delta[SC_BOUND_BYTES];
    sc_number_format_upper(amount, shown);
    sc_number_format_upper(delta, shown_delta);
    sc_output_format(output, "%s %s, delta %s", unit, shown, shown_delta);
}

static void write_facts(sc_output *output, const scrim_series_facts *facts)
{
    sc_output_format(output,
                     "series      %s of %s: %" PRIu64 " of %" PRIu64 " releases made, ",
                     facts->name, facts->dataset, facts->made, facts->releases);
    if (facts->window[0] == '\0')
        sc_output_text(output, "one a version\n");
    else
        sc_output_format(output, "one a window of %.128s\n", facts->window);
    sc_output_text(output, "query       ");
    sc_output_text(output, facts->query);
    sc_output_text(output, "\n");
    if (facts->known_keys[0] != '\0')
        sc_output_format(output, "keys        %s\n",
                         strcmp(facts->known_keys, "continue") == 0
                             ? "discovered ones are public once they were shown, and "
                               "always shown then"
                             : "discovered ones are selected anew in each release");
    sc_output_text(output, "spent       ");
    write_numbers(output, facts->unit, facts->spent, facts->spent_delta);
    sc_output_text(output, facts->is_parallel ? " (parallel composition: the most "
                                                "expensive window of each version)\n"
                                              : "\n");
}

static void write_to_come(sc_output *output, const scrim_series_forecast *f)
{
    char left[SC_BOUND_BYTES], left_delta[SC_BOUND_BYTES];
    sc_number_format_lower(f->left, left);
    sc_number_format_lower(f->left_delta, left_delta);
    sc_output_text(output, "to come     ");
    write_numbers(output, f->unit, f->total, f->total_delta);
    sc_output_format(output, " for %" PRIu64 " release%s, of %s and %s that are left%s\n",
                     f->remaining, f->remaining == 1 ? "" : "s", left, left_delta,
                     f->fits ? "" : ": not enough");
}

void sc_series_talk(sc_output *output, const sc_series_sheet *sheet,
                    const scrim_series_forecast *forecast, const char *vault,
                    unsigned columns)
{
    char where[SC_VAULT_WORDS_BYTES];
    const size_t begin = sc_fold_begin(output);
    write_facts(output, &sheet->facts);
    if (forecast != NULL)
        write_to_come(output, forecast);
    sc_vault_words(vault, where);
    if (sheet->count > 0)
        sc_series_next_talk(output, &sheet->facts, sheet->steps[sheet->count - 1].version,
                            where);
    sc_fold_end(output, begin, columns);
}
