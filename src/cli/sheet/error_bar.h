/* An error bar made of characters: where a value is and how far the truth may lie from it. A
 * view of what was released: doubles. */
#ifndef SC_CLI_ERROR_BAR_H
#define SC_CLI_ERROR_BAR_H

#include "cli/terminal/output.h"
#include "cli/terminal/terminal.h"

/* Draws the values from low to high in `cells` cells, at least 2. */
typedef struct sc_axis {
    double low, high;
    size_t cells;
} sc_axis;

typedef struct sc_error_bar {
    double low, value, high; /* low <= value <= high */
    bool is_filled;          /* a bar from 0 to the value lies under it */
    bool has_no_value;       /* the interval alone is drawn */
} sc_error_bar;

/* Nothing yet; then widened until it holds all that is to be drawn. */
void sc_axis_init(sc_axis *axis, size_t cells);
void sc_axis_widen(sc_axis *axis, const sc_error_bar *bar);

/* The cell that a value falls into; on an axis without extent all is in the middle. */
size_t sc_axis_cell(const sc_axis *axis, double value);

typedef enum sc_bar_cell {
    SCRIM_CELL_EMPTY,
    SCRIM_CELL_FILLED,
    SCRIM_CELL_LOW,
    SCRIM_CELL_LINE,
    SCRIM_CELL_VALUE,
    SCRIM_CELL_HIGH,
    SCRIM_CELL_KINDS
} sc_bar_cell;

/* The kind of a cell, and its character. */
sc_bar_cell sc_error_bar_cell(const sc_axis *axis, const sc_error_bar *bar, size_t cell);
const char *sc_bar_cell_text(sc_bar_cell cell, bool utf8);

/* All cells of the axis, in colours where the terminal has them. */
void sc_error_bar_write(sc_output *output, const sc_axis *axis, const sc_error_bar *bar,
                        const sc_terminal *terminal);

/* A bar from the low end to a value, to an eighth of a cell, and a mark over it. */
void sc_marked_bar_write(sc_output *output, const sc_axis *axis, double value,
                         double mark, const sc_terminal *terminal);
const char *sc_bar_mark_text(bool utf8);

#endif
