#include "cli/answer/series_plot.h"

#include "cli/answer/result_plot.h"
#include "cli/display/bar_plot.h"
#include "cli/display/canvas.h"
#include "cli/display/chart.h"
#include "cli/display/number_view.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/line_fold.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Keys of a column that are drawn at most. */
#define SC_SERIES_PANELS 6

typedef struct panel_rows {
    const sc_series_panels *panels;
    const sc_series_panel *panel;
    size_t windows; /* width of the widest */
} panel_rows;

static void row_at(const void *context, size_t index, sc_bar_row *out)
{
    const panel_rows *rows = context;
    const scrim_series_step *step = &rows->panels->sheet->steps[index];
    const sc_series_point *point = &rows->panel->points[index];
    char window[SC_SERIES_WINDOW_BYTES];
    sc_series_window_name(step, window);
    snprintf(out->name, sizeof out->name, "%4" PRIu64 "  %-*.64s", step->number,
             (int)rows->windows, window);
    out->has_bar = isfinite(point->value);
    out->bar =
        (sc_error_bar){.low = point->low, .value = point->value, .high = point->high};
    out->value = out->number;
    if (!out->has_bar)
        out->value = "not shown";
    else if (rows->panel->is_date)
        sc_date_view_format(point->value, out->number);
    else
        sc_bound_format_exact(point->value, out->number);
}

/* Why a series has no pictures, if it has no pictures. */
static const char *sc_series_nothing(const sc_series_panels *panels)
{
    if (panels->sheet->count == 0)
        return "no release yet";
    return panels->columns == 0 ? "no numeric column to draw"
                                : "no release has shown a key yet";
}

void sc_series_plot_write(sc_output *output, const sc_series_panels *panels,
                          const sc_terminal *terminal)
{
    panel_rows rows = {.panels = panels};
    for (size_t i = 0; i < panels->sheet->count; i++) {
        char window[SC_SERIES_WINDOW_BYTES];
        sc_series_window_name(&panels->sheet->steps[i], window);
        sc_width_widen(&rows.windows, window);
    }
    if (panels->count == 0)
        sc_output_format(output, "  %s\n", sc_series_nothing(panels));
    for (size_t i = 0; i < panels->count; i++) {
        const sc_series_panel *panel = rows.panel = &panels->list[i];
        sc_output_format(output, "%s  %s%s%s\n", i > 0 ? "\n" : "", panel->column,
                         panel->name[0] == '\0' ? "" : " of ", panel->name);
        sc_bar_plot_write(output,
                          &(sc_bar_plot){.count = panels->sheet->count,
                                         .source = row_at,
                                         .context = &rows,
                                         .has_ends = true,
                                         .is_date = panel->is_date},
                          terminal);
    }
    if (panels->keys > SC_SERIES_PANELS)
        sc_output_format(output, "\n  the %d largest of %zu keys\n", SC_SERIES_PANELS,
                         panels->keys);
}

/* Chooses the keys of a series that are drawn, and sets their points. */
typedef struct place {
    char name[SC_SERIES_NAME_BYTES];
    size_t index; /* of the release */
    sc_series_point point;
} place;

static int compare_places(const void *a, const void *b)
{
    const place *x = a, *y = b;
    const int order = strcmp(x->name, y->name);
    return order != 0 ? order : (x->index > y->index) - (x->index < y->index);
}

static size_t fill_places(const sc_series_sheet *sheet, size_t column, place *places)
{
    size_t count = 0;
    for (size_t i = 0; i < sheet->count; i++)
        for (size_t row = 0; row < scrim_result_rows(sheet->results[i], 0); row++) {
            const sc_result_bars bars = {.result = sheet->results[i], .column = column};
            place *p = &places[count++];
            sc_error_bar bar;
            (void)sc_result_bar(&bars, row, &bar);
            p->index = i;
            if (sheet->facts.known_keys[0] != '\0')
                sc_result_row_name(sheet->results[i], 0, row, p->name, sizeof p->name);
            p->point = (sc_series_point){.number = (double)sheet->steps[i].number,
                                         .low = bar.low,
                                         .value = bar.has_no_value ? HUGE_VAL : bar.value,
                                         .high = bar.high};
        }
    qsort(places, count, sizeof *places, compare_places);
    return count;
}

/* Into the panels of a column from the first on, which are in decreasing order of totals, where it
 * belongs there. */
static bool offer(sc_series_panels *panels, size_t first, const place *from, size_t count)
{
    sc_series_panel panel = {.total = 0};
    const size_t releases = panels->sheet->count, end = first + SC_SERIES_PANELS;
    for (size_t i = 0; i < count; i++)
        panel.total += isfinite(from[i].point.value) ? from[i].point.value : 0;
    size_t at = panels->count;
    while (at > first && panels->list[at - 1].total < panel.total)
        at--;
    if (at == end)
        return true;
    memcpy(panel.name, from[0].name, sizeof panel.name);
    panel.points = calloc(releases, sizeof *panel.points);
    if (panel.points == NULL)
        return false;
    for (size_t i = 0; i < releases; i++)
        panel.points[i].value = HUGE_VAL;
    for (size_t i = 0; i < count; i++)
        panel.points[from[i].index] = from[i].point;
    if (panels->count == end)
        free(panels->list[--panels->count].points);
    memmove(&panels->list[at + 1], &panels->list[at],
            (panels->count - at) * sizeof *panels->list);
    panels->list[at] = panel;
    panels->count++;
    return true;
}

/* The panels of a column, behind those that there are. */
static bool add_column(sc_series_panels *panels, size_t column, place *places)
{
    const scrim_result_column *of =
        scrim_result_column_at(panels->sheet->results[0], 0, column);
    const size_t first = panels->count,
                 count = fill_places(panels->sheet, column, places);
    bool is_done = true;
    panels->columns++;
    panels->keys = 0;
    for (size_t from = 0, to; is_done && from < count; from = to) {
        for (to = from + 1;
             to < count && strcmp(places[to].name, places[from].name) == 0;)
            to++;
        is_done = offer(panels, first, places + from, to - from);
        panels->keys++;
    }
    for (size_t i = first; i < panels->count; i++) {
        panels->list[i].column = of->name;
        panels->list[i].is_date = of->kind == SCRIM_OUTPUT_DATE_VALUE ||
                                  of->kind == SCRIM_OUTPUT_TIMESTAMP_VALUE;
    }
    return is_done;
}

scrim_status sc_series_panels_make(const sc_series_sheet *sheet, sc_series_panels *out,
                                   scrim_error *error)
{
    const size_t columns =
        sheet->count == 0 ? 0 : scrim_result_columns(sheet->results[0], 0);
    size_t rows = 1;
    for (size_t i = 0; i < sheet->count; i++)
        rows += scrim_result_rows(sheet->results[i], 0);
    place *places = calloc(rows, sizeof *places);
    *out = (sc_series_panels){
        .sheet = sheet,
        .list = calloc(columns * SC_SERIES_PANELS + 1, sizeof *out->list)};
    bool is_done = places != NULL && out->list != NULL;
    for (size_t i = 0; is_done && i < columns; i++)
        if (sc_result_has_interval(scrim_result_column_at(sheet->results[0], 0, i)))
            is_done = add_column(out, i, places);
    free(places);
    if (is_done)
        return SCRIM_OK;
    sc_series_panels_clear(out);
    return sc_out_of_memory(error, "the plot");
}

void sc_series_panels_clear(sc_series_panels *panels)
{
    for (size_t i = 0; panels->list != NULL && i < panels->count; i++)
        free(panels->list[i].points);
    free(panels->list);
    memset(panels, 0, sizeof *panels);
}

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

/* The x axis counts releases. Windows of dates have the day at which they begin. */
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

/* The y axis begins at 0 unless values are below. Dates have no natural 0. */
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
