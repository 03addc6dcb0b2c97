/* Pieces of drawings in SVG: a heading, fields with labels along two axes, lines,
 * and a key. A drawing needs no other file: no script, no font of its own, no link. Places are in
 * pixels, from the upper left corner; text of others is never a tag (markup.h). */
#ifndef SC_CLI_SVG_PLOT_H
#define SC_CLI_SVG_PLOT_H

#include "cli/terminal/output.h"
#include "cli/terminal/palette.h"

#include <stdbool.h>

#define SC_SVG_GREY "#666666"
#define SC_SVG_PALE "#dddddd"

/* Styles of lines: a thin one is seen on a broad one that it covers. */
#define SC_SVG_THIN                                                                      \
    "stroke=\"" SC_BLUE_HEX "\" stroke-width=\"2\" stroke-linejoin=\"round\""
#define SC_SVG_BROAD                                                                     \
    "stroke=\"" SC_ORANGE_HEX "\" stroke-width=\"5\" stroke-opacity=\"0.6\" "            \
    "stroke-linejoin=\"round\""

/* Characters of a title that fit beside each other in SC_SVG_WIDTH pixels. */
#define SC_SVG_WIDTH 720
#define SC_SVG_TITLE_CHARS 80

/* Up to its title, which is not seen. */
void sc_svg_open(sc_output *output, int width, int height, const char *title);
void sc_svg_close(sc_output *output);

typedef struct sc_svg_heading {
    const char *title;
    const char *verdict; /* in bold before the summary; NULL: none */
    const char *summary;
    int summary_lines; /* at most so many, of which the last is cut; 0: one */
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

/* A line across the field and its label below it, or at the left. The ground is darker. */
void sc_svg_x_label(sc_output *output, const sc_svg_field *field, double x,
                    const char *text);
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
