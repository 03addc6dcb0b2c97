#include "cli/plot/error_curve.h"

#include "cli/terminal/markup.h"
#include "cli/terminal/palette.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Axes. */

/* Logarithms to the base of ten, of which the field shows those from low to high. */
typedef struct extent {
    double low, high;
} extent;

typedef struct axes {
    extent x, y;
} axes;

static void widen(extent *e, double value)
{
    e->low = fmin(e->low, log10(value));
    e->high = fmax(e->high, log10(value));
}

static axes axes_of(const sc_error_curve *curve)
{
    axes a = {{HUGE_VAL, -HUGE_VAL}, {HUGE_VAL, -HUGE_VAL}};
    widen(&a.x, curve->chosen.epsilon);
    widen(&a.y, curve->chosen.error);
    for (size_t i = 0; i < curve->count; i++) {
        widen(&a.x, curve->points[i].epsilon);
        widen(&a.y, curve->points[i].error);
    }
    if (curve->target > 0)
        widen(&a.y, curve->target);
    /* A curve that is flat still has a height. */
    if (a.y.high - a.y.low < 0.1) {
        a.y.low -= 0.05;
        a.y.high += 0.05;
    }
    return a;
}

static double part_of(const extent *e, double value)
{
    return (log10(value) - e->low) / (e->high - e->low);
}

/* The labels of an axis, 1, 2 and 5 times powers of ten, or the powers alone where these are many. */
static bool next_label(const extent *e, int *at, double *out)
{
    static const double factors[] = {1, 2, 5};
    const bool is_long = e->high - e->low > 3;
    const int first = 3 * (int)floor(e->low);
    while (first + *at <= 3 * (int)ceil(e->high)) {
        const int number = first + (*at)++;
        const int factor = ((number % 3) + 3) % 3;
        const int power = (number - factor) / 3;
        const double value = factors[factor] * pow(10, power);
        const double part = part_of(e, value);
        if (part >= -1e-9 && part <= 1 + 1e-9 && (factor == 0 || !is_long)) {
            *out = value;
            return true;
        }
    }
    return false;
}

/* The error at an epsilon between two points, along a straight line of the logarithms. */
static double error_at(const sc_error_curve *curve, double epsilon)
{
    size_t right = 1;
    while (right + 1 < curve->count && curve->points[right].epsilon < epsilon)
        right++;
    const sc_error_point *a = &curve->points[right - 1], *b = &curve->points[right];
    const double part = (log(epsilon) - log(a->epsilon)) / (log(b->epsilon / a->epsilon));
    return exp(log(a->error) + part * log(b->error / a->error));
}

/* The terminal. */

#define ROWS 15
#define LABEL_CHARS 8
#define CELLS_MOST 100

typedef enum curve_mark { CELL_EMPTY, CELL_TARGET, CELL_CURVE, CELL_CHOSEN } curve_mark;

typedef struct grid {
    axes axes;
    size_t cells;
    unsigned char cell[ROWS][CELLS_MOST];
} grid;

static const char *cell_text(unsigned kind, bool utf8)
{
    static const char *const texts[][2] = {[CELL_EMPTY] = {" ", " "},
                                           [CELL_TARGET] = {"-", "─"},
                                           [CELL_CURVE] = {"*", "●"},
                                           [CELL_CHOSEN] = {"@", "◉"}};
    return texts[kind][utf8];
}

static size_t row_of(const grid *g, double error)
{
    const double part = fmin(fmax(part_of(&g->axes.y, error), 0), 1);
    return (size_t)((1 - part) * (ROWS - 1) + 0.5);
}

static size_t column_of(const grid *g, double epsilon)
{
    const double part = fmin(fmax(part_of(&g->axes.x, epsilon), 0), 1);
    return (size_t)(part * (double)(g->cells - 1) + 0.5);
}

static void fill(const sc_error_curve *curve, grid *g)
{
    const extent *x = &g->axes.x;
    if (curve->target > 0)
        memset(g->cell[row_of(g, curve->target)], CELL_TARGET, g->cells);
    for (size_t column = 0; column < g->cells; column++) {
        const double part = (double)column / (double)(g->cells - 1);
        const double epsilon = pow(10, x->low + part * (x->high - x->low));
        g->cell[row_of(g, error_at(curve, epsilon))][column] = CELL_CURVE;
    }
    g->cell[row_of(g, curve->chosen.error)][column_of(g, curve->chosen.epsilon)] =
        CELL_CHOSEN;
}

static void write_row(sc_output *output, const grid *g, size_t row,
                      const sc_terminal *terminal)
{
    char label[24] = "";
    double value;
    size_t end = g->cells;
    const char *colour = "";
    for (int at = 0; next_label(&g->axes.y, &at, &value);)
        if (row_of(g, value) == row)
            snprintf(label, sizeof label, "%g", value);
    while (end > 0 && g->cell[row][end - 1] == CELL_EMPTY)
        end--;
    sc_output_format(output, "  %*s %s", LABEL_CHARS, label, terminal->utf8 ? "│" : "|");
    for (size_t column = 0; column < end; column++) {
        const unsigned kind = g->cell[row][column];
        const char *wanted = kind == CELL_EMPTY   ? colour
                             : kind == CELL_CURVE ? SC_BLUE
                                                  : SC_ORANGE;
        if (terminal->colour && wanted != colour)
            sc_output_text(output, wanted);
        colour = wanted;
        sc_output_text(output, cell_text(kind, terminal->utf8));
    }
    sc_output_text(output, terminal->colour && end > 0 ? SC_PLAIN "\n" : "\n");
}

static void write_axis(sc_output *output, const grid *g, bool utf8)
{
    char labels[CELLS_MOST + 24];
    size_t used = 0;
    double value;
    memset(labels, ' ', sizeof labels);
    sc_output_format(output, "  %*s %s", LABEL_CHARS, "", utf8 ? "└" : "+");
    sc_output_repeat(output, utf8 ? "─" : "-", g->cells);
    for (int at = 0; next_label(&g->axes.x, &at, &value);) {
        char label[24];
        const int length = snprintf(label, sizeof label, "%g", value);
        const size_t column = column_of(g, value);
        if (used > 0 && column < used + 1)
            continue;
        memcpy(labels + column, label, (size_t)length);
        used = column + (size_t)length;
    }
    labels[used] = '\0';
    sc_output_format(output, "\n  %*s  %s\n", LABEL_CHARS, "", labels);
    sc_output_format(output, "  %*s  epsilon\n", LABEL_CHARS, "");
}

static void write_key(sc_output *output, const sc_error_curve *curve,
                      const sc_terminal *terminal)
{
    const char *blue = terminal->colour ? SC_BLUE : "",
               *orange = terminal->colour ? SC_ORANGE : "",
               *plain = terminal->colour ? SC_PLAIN : "";
    sc_output_format(output, "  %*s  %s%s%s predicted  %s%s%s epsilon %g: %g",
                     LABEL_CHARS, "error", blue, cell_text(CELL_CURVE, terminal->utf8),
                     plain, orange, cell_text(CELL_CHOSEN, terminal->utf8), plain,
                     curve->chosen.epsilon, curve->chosen.error);
    if (curve->target > 0)
        sc_output_format(output, "  %s%s%s wanted: %g", orange,
                         cell_text(CELL_TARGET, terminal->utf8), plain, curve->target);
    sc_output_text(output, "\n");
}

void sc_error_curve_terminal(sc_output *output, const sc_error_curve *curve,
                             const sc_terminal *terminal)
{
    grid g;
    memset(&g, 0, sizeof g);
    g.axes = axes_of(curve);
    g.cells = terminal->columns - LABEL_CHARS - 8;
    if (g.cells > CELLS_MOST)
        g.cells = CELLS_MOST;
    fill(curve, &g);
    sc_output_text(output, "  ");
    sc_output_text(output, curve->title); /* may be long */
    sc_output_text(output, "\n");
    write_key(output, curve, terminal);
    for (size_t row = 0; row < ROWS; row++)
        write_row(output, &g, row, terminal);
    write_axis(output, &g, terminal->utf8);
}

/* The file. */

#define WIDTH 720
#define HEIGHT 450
#define LEFT 80
#define RIGHT 20
#define TOP 80
#define BOTTOM 60
#define TITLE_CHARS 80

static double place_x(const axes *a, double epsilon)
{
    return LEFT + part_of(&a->x, epsilon) * (WIDTH - LEFT - RIGHT);
}

static double place_y(const axes *a, double error)
{
    return HEIGHT - BOTTOM - part_of(&a->y, error) * (HEIGHT - TOP - BOTTOM);
}

static void write_opening(sc_output *output, const sc_error_curve *curve)
{
    sc_output_format(output,
                     "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                     "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" "
                     "height=\"%d\" viewBox=\"0 0 %d %d\" role=\"img\" "
                     "font-family=\"sans-serif\" font-size=\"13\">\n<title>",
                     WIDTH, HEIGHT, WIDTH, HEIGHT);
    sc_markup_text(output, curve->title);
    sc_output_format(
        output,
        "</title>\n<desc>the largest error of a column that is predicted, at "
        "each epsilon; at %g it is %g</desc>\n"
        "<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>\n"
        "<text x=\"%d\" y=\"24\" font-size=\"15\">",
        curve->chosen.epsilon, curve->chosen.error, WIDTH, HEIGHT, LEFT);
    sc_markup_short(output, curve->title, TITLE_CHARS);
    sc_output_format(
        output,
        "</text>\n<text x=\"%d\" y=\"46\" fill=\"#666666\">the largest error "
        "of a column that is predicted; epsilon %g: %g",
        LEFT, curve->chosen.epsilon, curve->chosen.error);
    if (curve->target > 0)
        sc_output_format(output, ", %g was wanted", curve->target);
    sc_output_text(output, "</text>\n");
}

static void write_labels(sc_output *output, const axes *a)
{
    double value;
    for (int at = 0; next_label(&a->x, &at, &value);) {
        const double x = place_x(a, value);
        sc_output_format(output,
                         "<path d=\"M%.1f %dV%d\" stroke=\"#dddddd\"/>\n"
                         "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%g</text>\n",
                         x, TOP, HEIGHT - BOTTOM, x, HEIGHT - BOTTOM + 18, value);
    }
    for (int at = 0; next_label(&a->y, &at, &value);) {
        const double y = place_y(a, value);
        sc_output_format(output,
                         "<path d=\"M%d %.1fH%d\" stroke=\"#dddddd\"/>\n"
                         "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%g</text>\n",
                         LEFT, y, WIDTH - RIGHT, LEFT - 8, y + 4, value);
    }
    sc_output_format(output,
                     "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">epsilon</text>\n"
                     "<text x=\"18\" y=\"%d\" text-anchor=\"middle\" "
                     "transform=\"rotate(-90 18 %d)\">error</text>\n",
                     LEFT + (WIDTH - LEFT - RIGHT) / 2, HEIGHT - BOTTOM + 40,
                     TOP + (HEIGHT - TOP - BOTTOM) / 2,
                     TOP + (HEIGHT - TOP - BOTTOM) / 2);
}

void sc_error_curve_svg(sc_output *output, const sc_error_curve *curve)
{
    const axes a = axes_of(curve);
    write_opening(output, curve);
    write_labels(output, &a);
    if (curve->target > 0)
        sc_output_format(output,
                         "<path d=\"M%d %.1fH%d\" stroke=\"" SC_ORANGE_HEX
                         "\" stroke-dasharray=\"6 4\"><title>wanted: %g</title></path>\n",
                         LEFT, place_y(&a, curve->target), WIDTH - RIGHT, curve->target);
    sc_output_text(output, "<polyline fill=\"none\" points=\"");
    for (size_t i = 0; i < curve->count; i++)
        sc_output_format(output, "%s%.2f,%.2f", i > 0 ? " " : "",
                         place_x(&a, curve->points[i].epsilon),
                         place_y(&a, curve->points[i].error));
    sc_output_format(
        output,
        "\" stroke=\"" SC_BLUE_HEX "\" stroke-width=\"2\" stroke-linejoin=\"round\"/>\n"
        "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"5\" fill=\"#ffffff\" "
        "stroke=\"" SC_ORANGE_HEX "\" stroke-width=\"2\"/>\n</svg>\n",
        place_x(&a, curve->chosen.epsilon), place_y(&a, curve->chosen.error));
}
