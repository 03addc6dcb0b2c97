#include "cli/answer/answer_show.h"

#include "cli/answer/answer_plot.h"
#include "cli/answer/answer_writer.h"
#include "cli/answer/charge_note.h"
#include "cli/answer/release_note.h"
#include "cli/answer/statistic_list.h"
#include "cli/display/signed_file.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/owner.h"

#include <stdlib.h>
#include <unistd.h>

scrim_status sc_answer_style_read(const sc_options *options, sc_answer_style *out,
                                  scrim_error *error)
{
    out->plot = sc_options_has(options, SCRIM_OPTION_PLOT);
    out->vault = options->value[SCRIM_OPTION_VAULT];
    out->statistics = options->value[SCRIM_OPTION_STATISTIC];
    out->quiet = sc_options_has(options, SCRIM_OPTION_QUIET);
    out->is_verbose = sc_options_has(options, SCRIM_OPTION_VERBOSE);
    return sc_options_screen(options, &out->terminal, &out->format, error);
}

scrim_status sc_answer_style_out(const sc_options *options, sc_answer_style *style,
                                 scrim_error *error)
{
    const char *path = options->value[SCRIM_OPTION_OUT];
    if (path == NULL)
        return SCRIM_OK;
    SC_TRY(sc_options_format(options, SCRIM_FORMAT_CSV, &style->format, error));
    style->out = path;
    return sc_signed_file_check("--out", path, style->format, error);
}

/* The plot, where it is not shown in place of the answer, and the note. */
static scrim_status write_talk(sc_output *talk, const sc_answer_style *style,
                               const sc_answer_sheet *sheet,
                               const scrim_measurement *measurement,
                               const scrim_budget *left, bool plots, scrim_error *error)
{
    sc_terminal beside;
    char where[SC_VAULT_WORDS_BYTES];
    sc_terminal_look(STDERR_FILENO, &beside);
    sc_output_init_screen(talk, STDERR_FILENO, SCRIM_FORMAT_TABLE);
    if (plots)
        sc_answer_plot_write(talk, sheet, &beside);
    if (!style->quiet && style->format != SCRIM_FORMAT_JSON)
        sc_release_note_write(talk, measurement, scrim_answer_cost(sheet->answer),
                              sheet->certificate, beside.columns);
    sc_vault_words(style->vault, where);
    if (!style->quiet && sheet->charge != NULL)
        sc_charge_note_write(talk, sheet->charge,
                             style->is_replay ? ", earlier; nothing now" : "", left,
                             where);
    return sc_output_finish(talk, error);
}

static scrim_status show_rows(const sc_answer_style *style, const sc_answer_sheet *sheet,
                              const scrim_measurement *measurement,
                              const scrim_budget *left, scrim_error *error)
{
    bool plots = style->plot && sc_answer_plot_is_possible(sheet);
    bool in_place = plots && style->terminal.is_terminal && style->statistics == NULL;
    SC_FREED sc_output *output = malloc(sizeof *output);
    if (output == NULL)
        return sc_complaint_fill(error, SCRIM_E_MEMORY,
                                 "out of memory to show the answer");
    sc_output_init_screen(output, STDOUT_FILENO, style->format);
    if (style->statistics != NULL)
        SC_TRY(sc_statistic_list_write(output, measurement, sheet, style->statistics,
                                       style->format, &style->terminal, error));
    else if (in_place)
        sc_answer_plot_write(output, sheet, &style->terminal);
    else
        SC_TRY(sc_answer_write(output, sheet, style->format, &style->terminal, error));
    SC_TRY(sc_output_finish(output, error));
    return write_talk(output, style, sheet, measurement, left, plots && !in_place, error);
}

scrim_status sc_answer_show(const sc_answer_style *style, const sc_answer_sheet *sheet,
                            const scrim_measurement *measurement,
                            const scrim_budget *left, scrim_error *error)
{
    SC_FREED size_t *rows = NULL;
    sc_answer_sheet shown = *sheet;
    SC_TRY(sc_answer_rows_new(sheet, &rows, &shown.row_count, error));
    shown.rows = rows;
    return show_rows(style, &shown, measurement, left, error);
}
