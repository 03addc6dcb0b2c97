#include "cli/release/report_svg.h"

#include "cli/display/canvas.h"
#include "cli/display/chart.h"
#include "cli/display/number_view.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/file_writer.h"
#include "cli/terminal/owner.h"
#include "cli/terminal/terminal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The contents of that drawing, for a larger one, and its size. */
#define SC_REPORT_BARS_WIDTH 680

#define WIDTH SC_REPORT_BARS_WIDTH
#define LEFT 180  /* names end here, */
#define RIGHT 570 /* and values begin behind this */
#define ROW 26
#define TOP 6
#define AXIS 30
#define NAME_CHARS 24
#define LONG_NAME 16 /* bytes of one that is smaller on a phone, and of a value */
#define LONG_VALUE 8
#define LONG_AXIS                                                                        \
    36 /* bytes of labels, with their distances; of longer ones a phone shows every other */
#define TICKS 5

#define DATE_TICKS 3

static double view(const sc_chart_axis *axis, const char *text)
{
    return axis->is_date ? sc_date_view(text) : sc_number_view(text);
}

static const sc_report_cell *cell_at(const sc_report_sheet *sheet, size_t row,
                                     size_t column)
{
    return &sheet->cells[row * sheet->column_count + column];
}

static sc_chart_axis choose_axis(const sc_report_sheet *sheet, size_t column, size_t rows)
{
    sc_chart_axis axis;
    sc_chart_axis_init(&axis, NULL, false);
    axis.is_date = sheet->columns[column].is_date;
    for (size_t i = 0; i < rows; i++) {
        const sc_report_cell *cell = cell_at(sheet, i, column);
        if (!sc_report_is_empty(cell))
            sc_chart_axis_widen(&axis, view(&axis, cell->text));
        if (cell->is_open)
            continue;
        if (cell->low != NULL && cell->low[0] != '\0')
            sc_chart_axis_widen(&axis, view(&axis, cell->low));
        if (cell->low != NULL && cell->high[0] != '\0')
            sc_chart_axis_widen(&axis, view(&axis, cell->high));
    }
    /* No row has a value that can be shown. */
    if (!(axis.low <= axis.high)) {
        axis.low = 0;
        axis.high = 1;
        return axis;
    }
    /* 0 belongs to it where it is not far away; of dates no day does. */
    if (!axis.is_date && axis.low > 0 && axis.low < 2 * (axis.high - axis.low))
        axis.low = 0;
    if (!(axis.high > axis.low)) {
        const double around = axis.low == 0 || axis.is_date ? 1 : fabs(axis.low) / 10;
        axis.low -= around;
        axis.high += around;
    }
    double step = sc_axis_step(axis.high - axis.low, axis.is_date ? DATE_TICKS : TICKS);
    if (axis.is_date && step < 1)
        step = 1;
    axis.low = floor(axis.low / step) * step;
    axis.high = ceil(axis.high / step) * step;
    sc_chart_axis_label(&axis, axis.low, step);
    return axis;
}

static double place(const sc_chart_axis *axis, double x)
{
    return LEFT + sc_chart_part(axis, x) * (RIGHT - LEFT - 16) + 8;
}

/* The keys of a row, one behind the other. */
static void write_name(sc_output *output, const sc_report_sheet *sheet, size_t row,
                       double y)
{
    bool is_first = true;
    size_t bytes = 0;
    for (size_t i = 0; i < sheet->column_count; i++) {
        const sc_report_cell *cell = cell_at(sheet, row, i);
        if (cell->low == NULL && !sheet->columns[i].is_number)
            bytes += strlen(cell->text) + 2;
    }
    sc_output_format(output, "<text class=\"name%s\" x=\"%d\" y=\"%.0f\">",
                     bytes > LONG_NAME ? " long" : "", LEFT - 10, y + 5);
    for (size_t i = 0; i < sheet->column_count; i++) {
        const sc_report_cell *cell = cell_at(sheet, row, i);
        if (cell->low != NULL || sheet->columns[i].is_number)
            continue;
        if (!is_first)
            sc_output_text(output, ", ");
        sc_markup_short(output, cell->text, NAME_CHARS);
        is_first = false;
    }
    sc_output_text(output, is_first ? "all</text>\n" : "</text>\n");
}

/* The number beside its bar, or the words of the table in place of it. */
static void write_value(sc_output *output, const sc_report_cell *cell, double y)
{
    const bool is_words = cell->is_beyond || cell->is_outside || sc_report_is_empty(cell);
    const char *text = cell->is_beyond               ? "about 0"
                       : sc_report_is_unusable(cell) ? "no usable value"
                       : sc_report_is_empty(cell)    ? "no value"
                                                     : cell->text;
    const char *class = is_words ? " words" : strlen(text) > LONG_VALUE ? " long" : "";
    /* The longest words are as wide as their place, on a phone too. */
    sc_output_format(output, "<text class=\"value%s\" x=\"%d\" y=\"%.0f\"%s>", class,
                     RIGHT + 8, y + 5,
                     sc_report_is_unusable(cell)
                         ? " textLength=\"98\" lengthAdjust=\"spacingAndGlyphs\""
                         : "");
    sc_markup_short(output, text, 16);
    sc_output_text(output, "</text>\n");
}

static void write_bar(sc_output *output, const sc_chart_axis *axis,
                      const sc_report_cell *cell, double y)
{
    const double x = place(axis, view(axis, cell->text));
    if (!sc_report_is_empty(cell) && !axis->is_date && axis->low <= 0 &&
        axis->high >= 0) {
        const double zero = place(axis, 0);
        sc_output_format(output,
                         "<rect class=\"fill\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" "
                         "height=\"14\"/>\n",
                         zero < x ? zero : x, y - 7, fabs(x - zero));
    }
    /* An end that is missing is that of the axis. */
    if (cell->low != NULL && !cell->is_outside && !cell->is_open) {
        const double low =
            place(axis, cell->low[0] == '\0' ? axis->low : view(axis, cell->low));
        const double high =
            place(axis, cell->high[0] == '\0' ? axis->high : view(axis, cell->high));
        sc_output_format(
            output, "<path class=\"reach\" d=\"M%.1f %.1fv10m0 -5H%.1fm0 -5v10\"/>\n",
            low, y - 5, high);
    }
    if (!sc_report_is_empty(cell))
        sc_output_format(
            output, "<circle class=\"dot\" cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\"/>\n", x, y);
    write_value(output, cell, y);
}

static void write_axis(sc_output *output, const sc_chart_axis *axis, double bottom)
{
    size_t bytes = 0;
    for (size_t i = 0; i < axis->label_count; i++)
        bytes += strlen(axis->labels[i].text) + 2;
    for (size_t i = 0; i < axis->label_count; i++) {
        const double x = place(axis, axis->labels[i].at);
        const bool is_more = bytes > LONG_AXIS && i % 2 == 1;
        sc_output_format(output,
                         "<path class=\"grid\" d=\"M%.1f %dV%.1f\"/>\n"
                         "<text class=\"tick%s\" x=\"%.1f\" y=\"%.0f\">%s</text>\n",
                         x, TOP, bottom, is_more ? " more" : "", x, bottom + 18,
                         axis->labels[i].text);
    }
}

static size_t rows_of(const sc_report_sheet *sheet)
{
    return sheet->row_count < SC_REPORT_BARS ? sheet->row_count : SC_REPORT_BARS;
}

static double sc_report_bars_height(const sc_report_sheet *sheet)
{
    return TOP + (double)rows_of(sheet) * ROW + AXIS;
}

static void sc_report_bars_inside(sc_output *output, const sc_report_sheet *sheet,
                                  size_t column, unsigned number)
{
    const size_t rows = rows_of(sheet);
    const sc_chart_axis axis = choose_axis(sheet, column, rows);
    const double bottom = TOP + (double)rows * ROW;
    sc_output_format(output, "<title id=\"t%u\">", number);
    sc_markup_text(output, sheet->columns[column].name);
    sc_output_format(output,
                     "</title>\n<desc id=\"d%u\">a dot for each released value, and a "
                     "line as long as its interval; the table has the numbers</desc>\n",
                     number);
    write_axis(output, &axis, bottom);
    for (size_t i = 0; i < rows; i++) {
        const double y = TOP + ((double)i + 0.5) * ROW;
        write_name(output, sheet, i, y);
        write_bar(output, &axis, cell_at(sheet, i, column), y);
    }
}

void sc_report_bars_write(sc_output *output, const sc_report_sheet *sheet, size_t column,
                          unsigned number)
{
    sc_output_format(output,
                     "<svg viewBox=\"0 0 %d %.0f\" role=\"img\" "
                     "aria-labelledby=\"t%u d%u\">\n",
                     WIDTH, sc_report_bars_height(sheet), number, number);
    sc_report_bars_inside(output, sheet, column, number);
    sc_output_text(output, "</svg>\n");
}

/* The budget. */

static void write_part(sc_output *output, const char *class, double from, double to)
{
    sc_output_format(output,
                     "<rect class=\"%s\" x=\"%.1f\" y=\"4\" width=\"%.1f\" "
                     "height=\"22\"/>\n",
                     class, from * WIDTH, (to - from) * WIDTH);
}

static double part_of(const scrim_label *label, const char *key, double total)
{
    const double part = total > 0 ? sc_number_view(sc_report_get(label, key)) / total : 0;
    return part < 1 ? part : 1;
}

void sc_report_budget_write(sc_output *output, const scrim_label *label)
{
    const double total = sc_number_view(sc_report_get(label, "cost.budget"));
    const double spent = part_of(label, "cost.spent", total);
    const double own = part_of(label, "cost.charged", total);
    const double others = spent > own ? spent - own : 0;
    char line[SC_REPORT_LINE_BYTES];
    sc_report_budget(label, line);
    sc_output_format(output,
                     "<svg viewBox=\"0 0 %d 30\" role=\"img\" aria-labelledby=\"tb "
                     "db\">\n<title id=\"tb\">the budget of the population</title>\n"
                     "<desc id=\"db\">",
                     WIDTH);
    sc_markup_text(output, line);
    sc_output_text(output, "</desc>\n");
    write_part(output, "left", 0, 1);
    write_part(output, "others", 0, others);
    write_part(output, "own", others, others + own > 1 ? 1 : others + own);
    sc_output_text(output, "</svg>\n");
}

#define MARGIN 20
#define TITLE 40   /* what was asked, */
#define HEADING 30 /* and above each picture the name of its column */
#define TITLE_CHARS 90
#define LARGE_CHARS 56 /* of one that is larger on a phone */

static bool is_drawn(const sc_report_sheet *sheet, size_t column)
{
    return sheet->columns[column].is_number && sheet->row_count > 0;
}

static double height_of(const sc_report_values *values)
{
    double height = MARGIN + TITLE;
    for (size_t i = 0; i < values->count; i++)
        for (size_t k = 0; k < values->sheets[i].column_count; k++)
            if (is_drawn(&values->sheets[i], k))
                height += HEADING + sc_report_bars_height(&values->sheets[i]);
    return height;
}

static void write_opening(sc_output *output, const char *title,
                          const sc_report_values *values)
{
    const int width = SC_REPORT_BARS_WIDTH + 2 * MARGIN;
    const int height = (int)height_of(values);
    sc_svg_open(output, width, height, title);
    sc_output_format(
        output,
        "<rect class=\"paper\" width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>\n"
        "<text class=\"%s\" x=\"%d\" y=\"28\" font-size=\"15\">",
        width, height, strlen(title) > LARGE_CHARS ? "long" : "title", MARGIN);
    sc_markup_short(output, title, TITLE_CHARS);
    sc_output_text(output, "</text>\n");
}

static void write_heading(sc_output *output, const sc_report_sheet *sheet, size_t column,
                          const char *confidence)
{
    sc_output_text(output, "<text class=\"heading\" x=\"0\" y=\"20\">");
    sc_markup_text(output, sheet->columns[column].name);
    if (sheet->columns[column].is_certain) {
        sc_output_text(output, ", intervals hold with certainty");
    } else if (confidence[0] != '\0') {
        sc_output_text(output, ", intervals at confidence ");
        sc_markup_text(output, confidence);
    }
    if (sheet->row_count > SC_REPORT_BARS)
        sc_output_format(output, ", the first %d rows of %zu", SC_REPORT_BARS,
                         sheet->row_count);
    sc_output_text(output, "</text>\n");
}

void sc_answer_svg_write(sc_output *output, const char *title,
                         const sc_report_values *values)
{
    double y = TITLE;
    unsigned number = 0;
    write_opening(output, title, values);
    for (size_t i = 0; i < values->count; i++) {
        const sc_report_sheet *sheet = &values->sheets[i];
        for (size_t k = 0; k < sheet->column_count; k++) {
            if (!is_drawn(sheet, k))
                continue;
            sc_output_format(output, "<g transform=\"translate(%d %.0f)\">\n", MARGIN, y);
            write_heading(output, sheet, k, values->confidence);
            sc_output_format(output, "<g transform=\"translate(0 %d)\">\n", HEADING);
            sc_report_bars_inside(output, sheet, k, ++number);
            sc_output_text(output, "</g>\n</g>\n");
            y += HEADING + sc_report_bars_height(sheet);
        }
    }
    sc_svg_close(output);
}

typedef struct drawing {
    const char *title;
    const sc_report_values *values;
} drawing;

static void write_drawing(const void *context, sc_output *output)
{
    const drawing *d = context;
    sc_answer_svg_write(output, d->title, d->values);
}

scrim_status sc_answer_svg_file(scrim_vault *vault, uint64_t release, const char *title,
                                const char *path, scrim_error *error)
{
    SC_OWNED(sc_report_values_clear) sc_report_values values = {0};
    SC_TRY(sc_report_values_read(vault, release, &values, error));
    return sc_file_write("--svg", path, write_drawing, &(drawing){title, &values}, error);
}
