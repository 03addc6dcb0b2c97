#include "cli/answer/answer_plot.h"

#include "cli/terminal/complaint.h"
#include "cli/terminal/text_width.h"

#include <stdio.h>
#include <string.h>

/* Longer ones are cut, numbers shown rounded. */
#define LABEL_CHARS ((size_t)24)
#define LABEL_BYTES (4 * LABEL_CHARS + 1)
#define NUMBER_CHARS 20
/* Of a bar. */
#define CELLS_LEAST ((size_t)8)

typedef struct plot_layout {
    size_t rows;
    size_t label_width, value_width;
    sc_axis axis;
} plot_layout;

/* The label of a row, or its place; at most LABEL_CHARS characters. */
static void format_label(const sc_answer_row *row, size_t index, char text[LABEL_BYTES])
{
    if (row->label == NULL) {
        snprintf(text, LABEL_BYTES, "%zu", index);
        return;
    }
    size_t chars = 0, bytes = 0;
    for (; bytes + 1 < LABEL_BYTES && row->label[bytes] != '\0'; bytes++) {
        if (!sc_is_continuation(row->label[bytes]) && chars++ == LABEL_CHARS)
            break;
        text[bytes] = row->label[bytes];
    }
    text[bytes] = '\0';
    sc_complaint_clean(text);
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

static void choose_layout(const sc_answer_sheet *sheet, const sc_terminal *terminal,
                          plot_layout *out)
{
    sc_answer_row row;
    sc_error_bar bar;
    char text[LABEL_BYTES];
    size_t count = scrim_answer_count(sheet->answer);
    *out =
        (plot_layout){.rows = count < SC_ANSWER_PLOT_ROWS ? count : SC_ANSWER_PLOT_ROWS};
    sc_axis_init(&out->axis, 0);
    for (size_t index = 0; index < out->rows; index++) {
        sc_answer_row_get(sheet, index, &row);
        format_label(&row, index, text);
        sc_width_widen(&out->label_width, text);
        format_value(sheet, &row, index, text);
        sc_width_widen(&out->value_width, text);
        if (sc_answer_bar(sheet, index, true, &bar))
            sc_axis_widen(&out->axis, &bar);
    }
    const size_t used = out->label_width + out->value_width + 6;
    out->axis.cells =
        used + CELLS_LEAST < terminal->columns ? terminal->columns - used : CELLS_LEAST;
}

static void write_row(sc_output *output, const sc_answer_sheet *sheet, size_t index,
                      const plot_layout *layout, const sc_terminal *terminal)
{
    sc_answer_row row;
    sc_error_bar bar;
    char label[LABEL_BYTES], value[NUMBER_CHARS + 1];
    sc_answer_row_get(sheet, index, &row);
    format_label(&row, index, label);
    format_value(sheet, &row, index, value);
    sc_output_text(output, "  ");
    sc_output_repeat(output, " ", layout->label_width - sc_text_width(label));
    sc_output_format(output, "%s  ", label);
    if (sc_answer_bar(sheet, index, true, &bar))
        sc_error_bar_write(output, &layout->axis, &bar, terminal);
    else
        sc_output_repeat(output, " ", layout->axis.cells);
    sc_output_format(output, "  %*s\n", (int)layout->value_width, value);
}

/* Of answers to queries, and of groups, some may have a number. */
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
    plot_layout layout;
    size_t count = scrim_answer_count(sheet->answer);
    choose_layout(sheet, terminal, &layout);
    for (size_t index = 0; index < layout.rows; index++)
        write_row(output, sheet, index, &layout, terminal);
    if (count > layout.rows)
        sc_output_format(output, "  and %zu more\n", count - layout.rows);
}
