#include "cli/display/canvas.h"
#include "cli/display/chart.h"
#include "cli/series/series_plot.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Two pictures beside each other below a heading. */
#define TOP 76
#define PANEL 190
#define LEFT 64
#define GAP 74
#define RIGHT 20
#define ABOVE 30 /* its name */
#define BELOW 34 /* labels */
#define NAME_CHARS 30
/* Dates that fit below a picture; and how much wider they are than numbers beside it. */
#define DATES 3
#define DATE 16

static const sc_chart_look look = {.style = SC_SVG_THIN,
                                   .reach_style =
                                       "stroke=\"" SC_ORANGE_HEX "\" stroke-width=\"2\"",
                                   .colour = SC_BLUE_HEX,
                                   .shape = SC_SVG_POINT,
                                   .cap = 4};

/* By release; windows of dates are told by the day that they begin at. */
static void choose_x(const sc_series_sheet *sheet, sc_chart_axis *x)
{
    const uint64_t releases = sheet->facts.releases;
    sc_chart_axis_init(x, NULL, false);
    x->low = 0.5;
    x->high = (double)releases + 0.5;
    if (sheet->count > 0 && strlen(sheet->steps[0].low) == strlen("2026-01-31") &&
        sheet->steps[0].low[4] == '-') {
        const uint64_t step = (releases + DATES - 1) / DATES;
        for (size_t i = 0; i < sheet->count; i++)
            if ((sheet->steps[i].number - 1) % step == 0)
                sc_chart_axis_add(x, (double)sheet->steps[i].number, sheet->steps[i].low);
        return;
    }
    const double step = fmax(1, sc_axis_step((double)releases, SC_AXIS_LABELS));
    sc_chart_axis_label(x, releases < 7 ? 1 : step, step);
}

/* From 0 unless there are values below; of dates no day is 0. */
static void choose_y(const sc_series_panel *panel, size_t count, sc_chart_axis *y)
{
    sc_chart_axis_init(y, NULL, false);
    y->is_date = panel->is_date;
    if (!y->is_date)
        sc_chart_axis_widen(y, 0);
    for (size_t i = 0; i < count; i++)
        if (isfinite(panel->points[i].value)) {
            sc_chart_axis_widen(y, panel->points[i].low);
            sc_chart_axis_widen(y, panel->points[i].high);
        }
    if (!(y->high > y->low))
        y->high = y->low + 1;
    const double step = sc_axis_step(y->high - y->low, SC_AXIS_LABELS),
                 whole = y->is_date ? fmax(1, ceil(step)) : step;
    sc_chart_axis_label(y, ceil(y->low / whole) * whole, whole);
}

static void write_panel(sc_output *output, const sc_series_panels *panels, size_t index)
{
    const sc_series_panel *panel = &panels->list[index];
    const sc_series_sheet *sheet = panels->sheet;
    const int half = (SC_SVG_WIDTH - LEFT - RIGHT - GAP) / 2;
    const int left = LEFT + (index % 2 == 0 ? 0 : half + GAP);
    const size_t row = index / 2;
    const double top = TOP + (double)row * PANEL;
    const sc_svg_field field = {.left = left + (panel->is_date ? DATE : 0),
                                .right = left + half,
                                .top = top + ABOVE,
                                .bottom = top + PANEL - BELOW};
    sc_chart chart = {.points = &panel->points->number,
                      .count = sheet->count,
                      .stride = sizeof *panel->points / sizeof panel->points->number,
                      .lines = {{.y = &panel->points->value,
                                 .look = &look,
                                 .low = &panel->points->low,
                                 .high = &panel->points->high}},
                      .line_count = 1};
    char title[2 * SC_SERIES_NAME_BYTES];
    const bool is_one = panels->columns == 1 && panel->name[0] != '\0';
    snprintf(title, sizeof title, "%.96s%s%s", is_one ? "" : panel->column,
             is_one || panel->name[0] == '\0' ? "" : " of ", panel->name);
    sc_output_format(output, "<text x=\"%d\" y=\"%.0f\" font-weight=\"bold\">", left,
                     top + ABOVE - 10);
    sc_markup_short(output, title, NAME_CHARS);
    sc_output_text(output, "</text>\n");
    choose_x(sheet, &chart.x);
    choose_y(panel, sheet->count, &chart.y);
    sc_chart_svg_write(output, &chart, &field);
}

/* The columns that are drawn, as "n, total". */
static void name_columns(const sc_series_panels *panels, char *text, size_t bytes)
{
    const char *last = NULL;
    size_t used =
        (size_t)snprintf(text, bytes, "%s", panels->columns == 0 ? "nothing" : "");
    for (size_t i = 0; i < panels->count && used < bytes; i++) {
        const char *column = panels->list[i].column;
        if (column != last)
            used += (size_t)snprintf(text + used, bytes - used, "%s%.100s",
                                     last == NULL ? "" : ", ", column);
        last = column;
    }
}

void sc_series_svg_write(sc_output *output, const sc_series_panels *panels)
{
    const scrim_series_facts *facts = &panels->sheet->facts;
    char title[200], summary[540], window[160], columns[300];
    name_columns(panels, columns, sizeof columns);
    snprintf(title, sizeof title, "%s of %s", facts->name, facts->dataset);
    snprintf(window, sizeof window,
             facts->window[0] == '\0' ? "version" : "window of %.128s", facts->window);
    snprintf(summary, sizeof summary, "%s by release, each of a %s%s", columns, window,
             panels->keys > SC_SERIES_PANELS ? "; the largest keys" : "");
    const sc_svg_heading heading = {.title = title, .summary = summary, .x = 20, .y = 26};
    const size_t rows = (panels->count + 1) / 2;
    sc_svg_open_headed(output, (int)(TOP + PANEL * (rows == 0 ? 1 : rows) + 10),
                       &heading);
    if (panels->count == 0)
        sc_output_format(output, "<text x=\"%d\" y=\"%d\">%s</text>\n", LEFT, TOP + ABOVE,
                         sc_series_nothing(panels));
    for (size_t i = 0; i < panels->count; i++)
        write_panel(output, panels, i);
    sc_svg_close(output);
}
