/* Chooses the keys of a series that are drawn, and sets their points. */
#include "cli/answer/result_plot.h"
#include "cli/series/series_plot.h"
#include "cli/terminal/complaint.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
    return sc_complaint_fill(error, SCRIM_E_MEMORY, "out of memory for the plot");
}

void sc_series_panels_clear(sc_series_panels *panels)
{
    for (size_t i = 0; panels->list != NULL && i < panels->count; i++)
        free(panels->list[i].points);
    free(panels->list);
    memset(panels, 0, sizeof *panels);
}
