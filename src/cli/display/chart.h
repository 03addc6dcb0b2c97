/* A chart: lines over an axis, perhaps with error bars, a dot, a level or a mark. Several files describe charts
 * (curve_plot, bounds_plot, error_curve, series, experiments); they are drawn on a terminal or as SVG, with the same axes. Values are
 * doubles, for the eye only. */
#ifndef SC_CLI_CHART_H
#define SC_CLI_CHART_H

#include "cli/display/canvas.h"
#include "cli/terminal/terminal.h"

#include <stddef.h>

#define SC_CHART_LABELS 32
#define SC_CHART_LINES 8
#define SC_CHART_LABEL_BYTES 32
#define SC_CHART_WORDS_BYTES 80

typedef struct sc_chart_axis {
    const char *name; /* NULL: none */
    bool is_log;      /* low, high and labels are exponents of ten */
    bool is_date;     /* they are days (date_view.h) */
    int zero_gap; /* 0, and what is below low, stands by itself, in SVG this many pixels in front of
                   * it; 0: it does not */
    double low, high; /* low < high */
    struct {
        double at;
        char text[SC_CHART_LABEL_BYTES];
    } labels[SC_CHART_LABELS];
    size_t label_count;
} sc_chart_axis;

/* Widens the axis to a value. Values that it cannot show (not finite, or not positive on a logarithmic axis) are ignored. */
void sc_chart_axis_init(sc_chart_axis *axis, const char *name, bool is_log);
void sc_chart_axis_widen(sc_chart_axis *axis, double value);
/* The position of a value along the axis, from 0 to 1. */
double sc_chart_part(const sc_chart_axis *axis, double value);
/* Is it a value that stands before the axis? */
bool sc_chart_is_zero(const sc_chart_axis *axis, double value);

/* Adds a label, if there is room and the value lies on the axis; text NULL: the number itself. */
void sc_chart_axis_add(sc_chart_axis *axis, double at, const char *text);
/* Adds labels from `start`, a step apart: up to the end of the axis, or down if step is below 0. On a logarithmic axis start and step
 * are exponents. */
void sc_chart_axis_label(sc_chart_axis *axis, double start, double step);
/* Labels at 1, 2 and 5 times powers of ten, or at the powers alone, or at each
 * second or later one, where these are many. */
void sc_chart_axis_label_log(sc_chart_axis *axis);

/* How a line, its points and their error bars are drawn in SVG. */
typedef struct sc_chart_look {
    const char *style, *reach_style; /* strokes of the line and of error bars */
    const char *colour;              /* of the points */
    sc_svg_shape shape;
    int cap; /* half of the cap of an error bar; 0: bars have no cap */
} sc_chart_look;
/* A line with this colour, pattern of dashes and width. */
#define SC_CHART_LOOK(hex, dashes, width, shape)                                         \
    {                                                                                    \
        "stroke=\"" hex "\" stroke-width=\"" width "\" stroke-dasharray=\"" dashes       \
        "\" stroke-linejoin=\"round\"",                                                  \
            "stroke=\"" hex "\"", hex, shape, 0                                          \
    }

/* The first line is drawn over the others. An infinite value breaks a line. */
typedef struct sc_chart_line {
    const char *words; /* in the key */
    const double *y;
    const sc_chart_look
        *look; /* NULL: the first is thin, the second broad, without points */
    const double *low, *high; /* of error bars, where there is a look */
} sc_chart_line;

typedef struct sc_chart {
    const char *title; /* NULL: none; a drawing has it in its heading */
    sc_chart_axis x, y;
    const double
        *points; /* x of each, in ascending order; the lines' values are beside it */
    size_t count, stride; /* doubles from one point to the next */
    sc_chart_line lines[SC_CHART_LINES];
    size_t line_count; /* in a terminal 2 at most */
    bool has_dot, has_level, has_mark, names_y;
    double dot_x, dot_y, level, mark; /* a level is a y, a mark an x */
    const char *dot_hex;
    char dot_words[SC_CHART_WORDS_BYTES], level_words[SC_CHART_WORDS_BYTES];
    /* In a terminal. */
    size_t rows, margin;
    int label_chars;
    bool hides_dot;
} sc_chart;

/* The title, the key, the grid and its axes. */
void sc_chart_terminal_write(sc_output *output, const sc_chart *chart,
                             const sc_terminal *terminal);
/* All of it but the key, inside a drawing. */
void sc_chart_svg_write(sc_output *output, const sc_chart *chart,
                        const sc_svg_field *field);

#endif
