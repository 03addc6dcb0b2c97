#include "cli/terminal/cell_sheet.h"

#include "cli/terminal/box.h"
#include "cli/terminal/complaint.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static scrim_status fail_memory(scrim_error *error)
{
    return sc_complaint_fill(error, SCRIM_E_MEMORY, "no memory for a table");
}

static scrim_status add_cell(sc_cell_sheet *s, const char *text, scrim_error *error)
{
    if (s->count == s->room) {
        const size_t room = 2 * s->room + 64;
        char **cells = realloc(s->cells, room * sizeof *cells);
        if (cells == NULL)
            return fail_memory(error);
        s->cells = cells;
        s->room = room;
    }
    s->cells[s->count] = strdup(text);
    if (s->cells[s->count] == NULL)
        return fail_memory(error);
    s->count++;
    return SCRIM_OK;
}

scrim_status sc_cell_sheet_add(sc_cell_sheet *sheet, const char *const *texts,
                               size_t count, scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; i < count && status == SCRIM_OK; i++)
        status = add_cell(sheet, texts[i], error);
    return status;
}

void sc_cell_sheet_clear(sc_cell_sheet *sheet)
{
    for (size_t i = 0; i < sheet->count; i++)
        free(sheet->cells[i]);
    free(sheet->cells);
    sheet->cells = NULL;
    sheet->count = sheet->room = 0;
}

static scrim_status find_format(const sc_options *options, const sc_terminal *terminal,
                                sc_format *out, scrim_error *error)
{
    return sc_options_format(
        options, terminal->is_terminal ? SCRIM_FORMAT_TABLE : SCRIM_FORMAT_CSV, out,
        error);
}

scrim_status sc_cell_sheet_is_table(const sc_options *options, bool *out,
                                    scrim_error *error)
{
    sc_format format;
    sc_terminal terminal;
    sc_terminal_look(STDOUT_FILENO, &terminal);
    const scrim_status status = find_format(options, &terminal, &format, error);
    *out = status == SCRIM_OK && format == SCRIM_FORMAT_TABLE;
    return status;
}

scrim_status sc_cell_sheet_write(const sc_cell_sheet *sheet, const sc_options *options,
                                 scrim_error *error)
{
    sc_format format;
    sc_terminal terminal;
    sc_terminal_look(STDOUT_FILENO, &terminal);
    scrim_status status = find_format(options, &terminal, &format, error);
    sc_output *output = status == SCRIM_OK ? malloc(sizeof *output) : NULL;
    if (status == SCRIM_OK && output == NULL)
        status = fail_memory(error);
    if (status != SCRIM_OK)
        return status;
    for (size_t i = 0; i < sheet->count && format == SCRIM_FORMAT_TABLE; i++)
        sc_complaint_clean(sheet->cells[i]);
    const sc_box box = {sheet->columns, sheet->column_count,
                        (const char *const *)sheet->cells,
                        sheet->count / sheet->column_count};
    sc_output_init(output, STDOUT_FILENO);
    if (sheet->heading != NULL && format == SCRIM_FORMAT_TABLE) {
        sc_output_text(output, sheet->heading);
        sc_output_text(output, "\n");
    }
    sc_box_write_numbers(output, &box, sheet->numbers, format, &terminal);
    status = sc_output_finish(output, error);
    free(output);
    return status;
}
