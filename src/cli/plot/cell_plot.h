/* A picture of characters: a grid of cells of a few kinds between two axes with labels, and a key
 * above it that says which is which. The caller fills the cells and places the labels. */
#ifndef SC_CLI_CELL_PLOT_H
#define SC_CLI_CELL_PLOT_H

#include "cli/terminal/output.h"
#include "cli/terminal/terminal.h"

#include <stdbool.h>
#include <stddef.h>

#define SC_CELL_ROWS 16
#define SC_CELL_COLUMNS 100
#define SC_CELL_KINDS 8
#define SC_CELL_LABEL_BYTES 32

typedef struct sc_cell_kind {
    const char *texts[2]; /* in ASCII, in Unicode; one column each */
    const char *colour;   /* of palette.h */
    const char *words;    /* in the key; NULL: it is not there */
} sc_cell_kind;

typedef struct sc_cell_plot {
    const char *x_name, *y_name;
    sc_cell_kind kinds[SC_CELL_KINDS]; /* the first is what is empty: all zeros */
    int label_chars;                   /* left of the vertical axis */
    size_t rows, columns;
    unsigned char cells[SC_CELL_ROWS][SC_CELL_COLUMNS];
    char y_labels[SC_CELL_ROWS][SC_CELL_LABEL_BYTES];
    char x_labels[SC_CELL_COLUMNS + SC_CELL_LABEL_BYTES + 1];
} sc_cell_plot;

/* Empty, of at most SC_CELL_ROWS rows, and as wide as a terminal with a margin lets it be: label
 * and margin are less than a terminal has. Names and kinds are the caller's to set. */
void sc_cell_plot_init(sc_cell_plot *plot, size_t rows, int label_chars, size_t margin,
                       const sc_terminal *terminal);
/* Places of parts from 0 to 1, of which 0 is below, and at the left. */
size_t sc_cell_plot_row(size_t rows, double part);
size_t sc_cell_plot_column(const sc_cell_plot *plot, double part);
/* Below the horizontal axis: is there no label in count columns from one on? */
bool sc_cell_plot_is_free(const sc_cell_plot *plot, size_t column, size_t count);
/* A label of less than SC_CELL_LABEL_BYTES that begins in a column of the grid; over what is
 * there. */
void sc_cell_plot_label(sc_cell_plot *plot, size_t column, const char *text);

/* The key, the grid and its axes. */
void sc_cell_plot_write(sc_output *output, const sc_cell_plot *plot,
                        const sc_terminal *terminal);

#endif
