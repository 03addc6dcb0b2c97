/* A drawing of panels below one another: a heading, a key of at most four lines, and a chart for each
 * panel; the panels also in a terminal. */
#ifndef SC_CLI_PANELS_H
#define SC_CLI_PANELS_H

#include "cli/terminal/output.h"
#include "cli/terminal/terminal.h"

#define SC_PANELS_LINES 4

typedef struct sc_panels {
    const char *title, *summary;
    const char *keys[SC_PANELS_LINES]; /* NULL: there are fewer */
} sc_panels;

typedef struct sc_panel {
    const char *title; /* NULL: none */
    const char *x_name, *y_name;
    double x_step; /* between labels, from 0 on; 0: a logarithmic axis */
    const double *x;
    size_t count;
    const double *y[SC_PANELS_LINES]; /* of each key; NULL: there are fewer */
} sc_panel;

/* Ended by sc_svg_close (svg_plot.h). */
void sc_panels_open(sc_output *output, const sc_panels *panels, size_t count);
/* The panels in their order. The axis of y has 0. */
void sc_panel_write(sc_output *output, const sc_panels *panels, size_t index,
                    const sc_panel *panel);
/* One panel in a terminal, by its first two keys. */
void sc_panel_terminal(sc_output *output, const sc_panels *panels, const sc_panel *panel,
                       const sc_terminal *terminal);

#endif
