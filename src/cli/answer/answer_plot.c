#include "cli/answer/answer_plot.h"

#include "cli/display/bar_plot.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/line_fold.h"

#include <stdio.h>
#include <string.h>

/* Longer numbers are shown rounded. */
#define NUMBER_CHARS 20

/* The label of a row, or its place; at most SC_BAR_NAME_CHARS columns. */
static void format_label(const sc_answer_row *row, size_t index,
                         char text[SC_BAR_NAME_BYTES])
{
    if (row->label == NULL) {
        snprintf(text, SC_BAR_NAME_BYTES, "%zu", index);
        return;
    }
    snprintf(text, SC_BAR_NAME_BYTES, "%s", row->label);
    sc_complaint_clean(text);
    text[sc_fitting_bytes(text, strlen(text), SC_BAR_NAME_CHARS)] = '\0';
}

static void format_value(const sc_answer_sheet *sheet, const sc_answer_row *row,
                         size_t index, char text[NUMBER_CHARS + 1])
{
    if (row->kind == SCRIM_ANSWER_BELOW)
        text[0] = '\0'; /* what is not shown has no number */
    else if (strlen(row->value) <= NUMBER_CHARS)
        snprintf(text, NUMBER_CHARS + 1, "%s", row->value);
    else
        snprintf(text, NUMBER_CHARS + 1, "%.6g",
                 scrim_answer_double(sheet->answer, index));
}

static void row_at(const void *context, size_t place, sc_bar_row *out)
{
    const sc_answer_sheet *sheet = context;
    const size_t index = sc_answer_row_index(sheet, place);
    sc_answer_row row;
    sc_answer_row_get(sheet, index, &row);
    format_label(&row, index, out->name);
    format_value(sheet, &row, index, out->number);
    out->value = out->number;
    out->has_bar = sc_answer_bar(sheet, index, true, &out->bar);
}

/* Some of the answers to queries, and of groups, may have a number. */
bool sc_answer_plot_is_possible(const sc_answer_sheet *sheet)
{
    const sc_answer_subject subject = sc_answer_subject_of(sheet->answer);
    const size_t count = scrim_answer_count(sheet->answer);
    bool has_number = subject == SCRIM_ANSWER_OF_NUMBERS && count > 0;
    for (size_t i = 0; subject == SCRIM_ANSWER_OF_QUERIES && !has_number && i < count;
         i++)
        has_number = scrim_answer_kind_at(sheet->answer, i) == SCRIM_ANSWER_ABOVE_VALUE;
    return has_number;
}

void sc_answer_plot_write(sc_output *output, const sc_answer_sheet *sheet,
                          const sc_terminal *terminal)
{
    sc_bar_plot_write(output,
                      &(sc_bar_plot){.count = sc_answer_row_count(sheet),
                                     .source = row_at,
                                     .context = sheet},
                      terminal);
}
