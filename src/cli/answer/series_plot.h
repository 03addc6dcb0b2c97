/* A series as pictures: the values of a key by release, with their error bars, one picture a key and
 * column. Only the keys with the largest sums over all releases are drawn. A view of released values:
 * doubles. */
#ifndef SC_CLI_SERIES_PLOT_H
#define SC_CLI_SERIES_PLOT_H

#include "cli/answer/series_sheet.h"
#include "cli/terminal/output.h"
#include "cli/terminal/terminal.h"

#include <stdbool.h>

#define SC_SERIES_NAME_BYTES 97

typedef struct sc_series_point {
    double number;           /* of the release */
    double low, value, high; /* value is infinite where the key was not shown */
} sc_series_point;

typedef struct sc_series_panel {
    const char *column;
    bool is_date;                    /* values are days (date_view.h) */
    char name[SC_SERIES_NAME_BYTES]; /* of the key; "": without keys */
    sc_series_point *points;         /* by release that was made */
    double total;
} sc_series_panel;

typedef struct sc_series_panels {
    const sc_series_sheet *sheet;
    size_t columns; /* that have numbers or dates with intervals */
    sc_series_panel *list;
    size_t count;
    size_t keys; /* that there are */
} sc_series_panels;

/* SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_series_panels_make(const sc_series_sheet *sheet,
                                                  sc_series_panels *out,
                                                  scrim_error *error);
/* Also of zeros. */
void sc_series_panels_clear(sc_series_panels *panels);

/* Bars below each other, for people; above them, the ends of their axis. */
void sc_series_plot_write(sc_output *output, const sc_series_panels *panels,
                          const sc_terminal *terminal);
/* Small multiples, two beside each other: a file that needs no other. */
void sc_series_svg_write(sc_output *output, const sc_series_panels *panels);

#endif
