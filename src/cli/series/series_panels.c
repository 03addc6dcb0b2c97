/* Which keys of a series are drawn, and their points. */
#include "cli/answer/result_plot.h"
#include "cli/series/series_plot.h"
#include "cli/sheet/number_view.h"
#include "cli/terminal/complaint.h"

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

/* The first column that can be drawn; SIZE_MAX: none. */
static size_t find_column(const sc_series_sheet *sheet)
{
    for (size_t i = 0; sheet->count > 0 && i < scrim_result_columns(sheet->results[0], 0);
         i++)
        if (scrim_result_column_at(sheet->results[0], 0, i)->kind == SCRIM_OUTPUT_VALUE)
            return i;
    return SIZE_MAX;
}

static size_t fill_places(const sc_series_sheet *sheet, size_t column, place *places)
{
    size_t count = 0;
    for (size_t i = 0; i < sheet->count; i++)
        for (size_t row = 0; row < scrim_result_rows(sheet->results[i], 0); row++) {
            const scrim_result_cell *cell =
                scrim_result_cell_at(sheet->results[i], 0, row, column);
            place *p = &places[count++];
            p->index = i;
            if (sheet->facts.known_keys[0] != '\0')
                sc_result_row_name(sheet->results[i], 0, row, p->name, sizeof p->name);
            p->point = (sc_series_point){.is_there = cell->value[0] != '\0',
                                         .low = sc_number_view(cell->low),
                                         .value = sc_number_view(cell->value),
                                         .high = sc_number_view(cell->high)};
        }
    qsort(places, count, sizeof *places, compare_places);
    return count;
}

/* Into the list, which is in decreasing order of totals, where it belongs there. */
static bool offer(sc_series_panels *panels, const place *from, size_t count,
                  size_t releases)
{
    sc_series_panel panel = {.total = 0};
    for (size_t i = 0; i < count; i++)
        panel.total += from[i].point.value;
    size_t at = panels->count;
    while (at > 0 && panels->list[at - 1].total < panel.total)
        at--;
    if (at == SC_SERIES_PANELS)
        return true;
    memcpy(panel.name, from[0].name, sizeof panel.name);
    panel.points = calloc(releases, sizeof *panel.points);
    if (panel.points == NULL)
        return false;
    for (size_t i = 0; i < count; i++)
        panel.points[from[i].index] = from[i].point;
    if (panels->count == SC_SERIES_PANELS)
        free(panels->list[--panels->count].points);
    memmove(&panels->list[at + 1], &panels->list[at],
            (panels->count - at) * sizeof panels->list[0]);
    panels->list[at] = panel;
    panels->count++;
    return true;
}

scrim_status sc_series_panels_make(const sc_series_sheet *sheet, sc_series_panels *out,
                                   scrim_error *error)
{
    const size_t column = find_column(sheet);
    size_t rows = 0;
    bool is_done = true;
    memset(out, 0, sizeof *out);
    out->sheet = sheet;
    if (column == SIZE_MAX)
        return SCRIM_OK;
    out->column = scrim_result_column_at(sheet->results[0], 0, column)->name;
    for (size_t i = 0; i < sheet->count; i++)
        rows += scrim_result_rows(sheet->results[i], 0);
    place *places = calloc(rows + 1, sizeof *places);
    if (places == NULL)
        return sc_complaint_fill(error, SCRIM_E_MEMORY, "no memory for the plot");
    const size_t count = fill_places(sheet, column, places);
    for (size_t from = 0, to; is_done && from < count; from = to) {
        for (to = from + 1;
             to < count && strcmp(places[to].name, places[from].name) == 0;)
            to++;
        is_done = offer(out, places + from, to - from, sheet->count);
        out->keys++;
    }
    free(places);
    if (is_done)
        return SCRIM_OK;
    sc_series_panels_clear(out);
    return sc_complaint_fill(error, SCRIM_E_MEMORY, "no memory for the plot");
}

void sc_series_panels_clear(sc_series_panels *panels)
{
    for (size_t i = 0; i < panels->count; i++)
        free(panels->list[i].points);
    memset(panels, 0, sizeof *panels);
}
