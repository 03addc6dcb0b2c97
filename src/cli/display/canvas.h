/* Parts of drawings: cells of characters, shapes and text of SVG, and steps of an axis. */
#ifndef SC_CLI_CANVAS_H
#define SC_CLI_CANVAS_H

#include "cli/terminal/output.h"
#include "cli/terminal/terminal.h"

#include <stdbool.h>
#include <stddef.h>

/* Text of others in HTML and SVG: nothing in it is ever a tag, an attribute's end or an entity,
 * and nothing steers a screen or turns the order of what stands around it (A61). */

/* & < > " ' are spelt out; what sc_complaint_clean takes for no text becomes '?'. */
void sc_markup_text(sc_output *output, const char *text);
/* The first `most` columns of it (line_fold.h), and an ellipsis if it has more. */
void sc_markup_short(sc_output *output, const char *text, size_t most);

/* The distance of labels on an axis that begins at 0. A view: doubles. */

/* Labels on the axis of a chart, at most, but for the one at 0. */
#define SC_AXIS_LABELS 7

/* The step, 1, 2 or 5 times a power of ten, that gives an extent above 0 no more labels than these. */
double sc_axis_step(double extent, int labels);

/* A picture of characters: a grid of cells of a few kinds between two axes with labels, and a key
 * above it that says which is which. The caller fills the cells and places the labels. */

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

/* Pieces of drawings in SVG: a heading, fields with labels along two axes, lines,
 * and a key. A drawing needs no other file: no script, no font of its own, no link. Places are in
 * pixels, from the upper left corner; text of others is never a tag (markup.h). */

#define SC_SVG_GREY "#666666"

/* Styles of lines: a thin one is seen on a broad one that it covers. */
#define SC_SVG_THIN                                                                      \
    "stroke=\"" SC_BLUE_HEX "\" stroke-width=\"2\" stroke-linejoin=\"round\""
#define SC_SVG_BROAD                                                                     \
    "stroke=\"" SC_ORANGE_HEX "\" stroke-width=\"5\" stroke-opacity=\"0.6\" "            \
    "stroke-linejoin=\"round\""

/* Characters of a title that fit beside each other in SC_SVG_WIDTH pixels. */
#define SC_SVG_WIDTH 720
#define SC_SVG_TITLE_CHARS 80

/* Writes the beginning of a drawing, with a title for screen readers. */
void sc_svg_open(sc_output *output, int width, int height, const char *title);
void sc_svg_close(sc_output *output);

typedef struct sc_svg_heading {
    const char *title;
    const char *verdict; /* in bold before the summary; NULL: none */
    const char *summary;
    int summary_lines; /* at most this many, the last is cut; 0: one */
    int x, y;          /* where the title stands; the summary is below it */
} sc_svg_heading;

/* Opens a drawing of SC_SVG_WIDTH on white, with both lines above it. */
void sc_svg_open_headed(sc_output *output, int height, const sc_svg_heading *heading);

typedef struct sc_svg_field {
    int left, right;
    double top, bottom;
} sc_svg_field;

/* Places of parts from 0 to 1, of which 0 is at the left, and below. */
double sc_svg_x(const sc_svg_field *field, double part);
double sc_svg_y(const sc_svg_field *field, double part);

/* A line across the field and its label below it, or at the left. A phone shows no label that is
 * spare. The ground is darker. */
void sc_svg_x_label(sc_output *output, const sc_svg_field *field, double x,
                    const char *text, bool is_spare);
void sc_svg_y_label(sc_output *output, const sc_svg_field *field, double y,
                    const char *text, bool is_ground);
/* Below the labels, in the middle; and at the left, from below upwards. */
void sc_svg_x_name(sc_output *output, const sc_svg_field *field, const char *name);
void sc_svg_y_name(sc_output *output, const sc_svg_field *field, const char *name);

/* A short line of a style, and what it stands for. */
void sc_svg_key(sc_output *output, int x, double y, const char *style, const char *words);

/* A ring of a colour; title is seen when it is pointed at, NULL: none. */
void sc_svg_dot(sc_output *output, double x, double y, const char *colour,
                const char *title);

/* Shapes of points, to be told apart without colours. */
typedef enum sc_svg_shape {
    SC_SVG_POINT, /* a small disc, */
    SC_SVG_DISC,  /* and a large one */
    SC_SVG_SQUARE,
    SC_SVG_DIAMOND,
    SC_SVG_UP,
    SC_SVG_DOWN,
    SC_SVG_PLUS,
    SC_SVG_CROSS
} sc_svg_shape;
void sc_svg_mark(sc_output *output, double x, double y, sc_svg_shape shape,
                 const char *colour);

/* Draws lines from point to point: a pen that is put down with the first one and has to be lifted
 * after the last, or where a line is broken. Lifting it twice is nothing. */
typedef struct sc_svg_pen {
    sc_output *output;
    const char *style;
    bool is_down;
} sc_svg_pen;

void sc_svg_pen_to(sc_svg_pen *pen, double x, double y);
void sc_svg_pen_lift(sc_svg_pen *pen);

#endif
