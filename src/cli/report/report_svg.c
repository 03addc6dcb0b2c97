#include "cli/report/report_svg.h"

#include "cli/report/report_view.h"
#include "cli/sheet/date_view.h"
#include "cli/sheet/markup.h"
#include "cli/sheet/number_view.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define WIDTH SC_REPORT_BARS_WIDTH
#define LEFT 180  /* names end here, */
#define RIGHT 570 /* and values begin behind this */
#define ROW 26
#define TOP 6
#define AXIS 30
#define NAME_CHARS 24
#define TICKS 5

#define DATE_TICKS 3

typedef struct scale {
    double low, high, step;
    bool is_date;
} scale;

static double view(const scale *s, const char *text)
{
    return s->is_date ? sc_date_view(text) : sc_number_view(text);
}

/* 1, 2 or 5 times a power of ten, so that about so many of them fit. */
static double nice_step(double range, int ticks)
{
    const double raw = range / ticks;
    const double power = pow(10, floor(log10(raw)));
    const double part = raw / power;
    return (part <= 1 ? 1 : part <= 2 ? 2 : part <= 5 ? 5 : 10) * power;
}

static const sc_report_cell *cell_at(const sc_report_sheet *sheet, size_t row,
                                     size_t column)
{
    return &sheet->cells[row * sheet->column_count + column];
}

static void widen(scale *s, double x)
{
    s->low = x < s->low ? x : s->low;
    s->high = x > s->high ? x : s->high;
}

static scale choose_scale(const sc_report_sheet *sheet, size_t column, size_t rows)
{
    scale s = {HUGE_VAL, -HUGE_VAL, 1, sheet->columns[column].is_date};
    for (size_t i = 0; i < rows; i++) {
        const sc_report_cell *cell = cell_at(sheet, i, column);
        if (!sc_report_is_empty(cell))
            widen(&s, view(&s, cell->text));
        if (cell->low != NULL) {
            widen(&s, view(&s, cell->low));
            widen(&s, view(&s, cell->high));
        }
    }
    /* 0 belongs to it where it is not far away; of dates no day does. */
    if (!s.is_date && s.low > 0 && s.low < 2 * (s.high - s.low))
        s.low = 0;
    if (!(s.high > s.low)) {
        const double around = s.low == 0 || s.is_date ? 1 : fabs(s.low) / 10;
        s.low -= around;
        s.high += around;
    }
    s.step = nice_step(s.high - s.low, s.is_date ? DATE_TICKS : TICKS);
    if (s.is_date && s.step < 1)
        s.step = 1;
    s.low = floor(s.low / s.step) * s.step;
    s.high = ceil(s.high / s.step) * s.step;
    return s;
}

static double place(const scale *s, double x)
{
    return LEFT + (x - s->low) / (s->high - s->low) * (RIGHT - LEFT - 16) + 8;
}

/* The keys of a row, one behind the other. */
static void write_name(sc_output *output, const sc_report_sheet *sheet, size_t row,
                       double y)
{
    bool is_first = true;
    sc_output_format(output, "<text class=\"name\" x=\"%d\" y=\"%.0f\">", LEFT - 10,
                     y + 5);
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

static void write_bar(sc_output *output, const scale *s, const sc_report_cell *cell,
                      double y)
{
    const double x = place(s, view(s, cell->text));
    if (!sc_report_is_empty(cell) && !s->is_date && s->low <= 0 && s->high >= 0) {
        const double zero = place(s, 0);
        sc_output_format(output,
                         "<rect class=\"fill\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" "
                         "height=\"14\"/>\n",
                         zero < x ? zero : x, y - 7, fabs(x - zero));
    }
    if (cell->low != NULL) {
        const double low = place(s, view(s, cell->low));
        const double high = place(s, view(s, cell->high));
        sc_output_format(output,
                         "<path class=\"%s\" d=\"M%.1f %.1fv10m0 -5H%.1fm0 -5v10\"/>\n",
                         cell->is_open ? "reach open" : "reach", low, y - 5, high);
    }
    if (!sc_report_is_empty(cell))
        sc_output_format(
            output, "<circle class=\"dot\" cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\"/>\n", x, y);
    sc_output_format(output, "<text class=\"value\" x=\"%d\" y=\"%.0f\">", RIGHT + 8,
                     y + 5);
    sc_markup_short(output, sc_report_is_empty(cell) ? "none" : cell->text, 14);
    sc_output_text(output, "</text>\n");
}

static void write_axis(sc_output *output, const scale *s, double bottom)
{
    const int count = (int)lround((s->high - s->low) / s->step);
    for (int i = 0; i <= count; i++) {
        const double value = s->low + i * s->step;
        const double x = place(s, value);
        char label[SC_DATE_VIEW_BYTES];
        if (s->is_date)
            sc_date_view_format(value, label);
        else
            snprintf(label, sizeof label, "%.6g",
                     fabs(value) < s->step / 1000 ? 0 : value);
        sc_output_format(output,
                         "<path class=\"grid\" d=\"M%.1f %dV%.1f\"/>\n"
                         "<text class=\"tick\" x=\"%.1f\" y=\"%.0f\">%s</text>\n",
                         x, TOP, bottom, x, bottom + 18, label);
    }
}

static size_t rows_of(const sc_report_sheet *sheet)
{
    return sheet->row_count < SC_REPORT_BARS ? sheet->row_count : SC_REPORT_BARS;
}

double sc_report_bars_height(const sc_report_sheet *sheet)
{
    return TOP + (double)rows_of(sheet) * ROW + AXIS;
}

void sc_report_bars_inside(sc_output *output, const sc_report_sheet *sheet, size_t column,
                           unsigned number)
{
    const size_t rows = rows_of(sheet);
    const scale s = choose_scale(sheet, column, rows);
    const double bottom = TOP + (double)rows * ROW;
    sc_output_format(output, "<title id=\"t%u\">", number);
    sc_markup_text(output, sheet->columns[column].name);
    sc_output_format(output,
                     "</title>\n<desc id=\"d%u\">a dot for each released value, and a "
                     "line as long as its interval; the table has the numbers</desc>\n",
                     number);
    write_axis(output, &s, bottom);
    for (size_t i = 0; i < rows; i++) {
        const double y = TOP + ((double)i + 0.5) * ROW;
        write_name(output, sheet, i, y);
        write_bar(output, &s, cell_at(sheet, i, column), y);
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
