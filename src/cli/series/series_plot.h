/* A series as pictures: the value of a key by release, with its error bars, one picture a key. Of many
 * keys the few whose values are largest over all releases are drawn. A view of what was released:
 * doubles. */
#ifndef SC_CLI_SERIES_PLOT_H
#define SC_CLI_SERIES_PLOT_H

#include "cli/answer/series_sheet.h"
#include "cli/terminal/output.h"
#include "cli/terminal/terminal.h"

#include <stdbool.h>

#define SC_SERIES_PANELS 6
#define SC_SERIES_NAME_BYTES 97

typedef struct sc_series_point {
    bool is_there; /* the key was shown in this release */
    double low, value, high;
} sc_series_point;

typedef struct sc_series_panel {
    char name[SC_SERIES_NAME_BYTES]; /* of the key; "": there are none */
    sc_series_point *points;         /* by release that was made */
    double total;
} sc_series_panel;

typedef struct sc_series_panels {
    const sc_series_sheet *sheet;
    const char
        *column; /* the first that is a number with an interval; NULL: there is none */
    sc_series_panel list[SC_SERIES_PANELS];
    size_t count;
    size_t keys; /* that there are */
} sc_series_panels;

/* SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_series_panels_make(const sc_series_sheet *sheet,
                                                  sc_series_panels *out,
                                                  scrim_error *error);
/* Also of zeros. */
void sc_series_panels_clear(sc_series_panels *panels);

/* Why there are no pictures, where there are none. */
const char *sc_series_nothing(const sc_series_panels *panels);

/* Bars below each other, for people; above them, the ends of their axis. */
void sc_series_plot_write(sc_output *output, const sc_series_panels *panels,
                          const sc_terminal *terminal);
/* Small multiples, two beside each other: a file that needs no other. */
void sc_series_svg_write(sc_output *output, const sc_series_panels *panels);

#endif
