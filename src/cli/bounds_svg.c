#include "cli/bounds_plot.h"
#include "cli/markup.h"
#include "cli/palette.h"

#include <math.h>

/* The drawing: a heading, and one field below the other. */
#define WIDTH 720
#define HEADING 60
#define PANEL 340
#define LEFT 80
#define RIGHT 30
#define TOP 60 /* of a field, in its panel */
#define BOTTOM 60

#define GREY "#666666"
#define PALE "#dddddd"

/* Characters that fit beside each other. */
#define TITLE_CHARS 80
#define SUMMARY_CHARS 92

typedef struct panel {
    const sc_bounds_view *view;
    sc_bounds_axes axes;
    double top, bottom; /* of the field */
} panel;

static double place_x(double part)
{
    return LEFT + part * (WIDTH - LEFT - RIGHT);
}

static double place_y(const panel *p, double epsilon)
{
    return p->bottom - sc_bounds_y(&p->axes, epsilon) * (p->bottom - p->top);
}

static void write_opening(sc_output *output, const char *title, const char *summary,
                          size_t count)
{
    const int height = HEADING + PANEL * (int)count;
    sc_output_format(output,
                     "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                     "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" "
                     "height=\"%d\" viewBox=\"0 0 %d %d\" role=\"img\" "
                     "font-family=\"sans-serif\" font-size=\"13\">\n<title>",
                     WIDTH, height, WIDTH, height);
    sc_markup_text(output, title);
    sc_output_text(output, "</title>\n<desc>");
    sc_markup_text(output, summary);
    sc_output_format(output,
                     "</desc>\n<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>\n",
                     WIDTH, height);
    sc_output_text(output, "<text x=\"20\" y=\"26\" font-size=\"15\">");
    sc_markup_short(output, title, TITLE_CHARS);
    sc_output_text(output, "</text>\n<text x=\"20\" y=\"46\" fill=\"" GREY "\">");
    sc_markup_short(output, summary, SUMMARY_CHARS);
    sc_output_text(output, "</text>\n");
}

static void write_x_axis(sc_output *output, const panel *p)
{
    char label[32];
    double place;
    for (int i = 0; sc_bounds_label(&p->axes, i, &place, label); i++) {
        const double x = place_x(place);
        sc_output_format(output,
                         "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" "
                         "stroke=\"" PALE "\"/>\n",
                         x, p->top, x, p->bottom);
        sc_output_format(output,
                         "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%s</text>\n",
                         x, p->bottom + 18, label);
    }
    sc_output_format(output, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">",
                     place_x(0.5), p->bottom + 38);
    sc_markup_text(output, p->view->x_name);
    sc_output_text(output, "</text>\n");
}

static void write_y_axis(sc_output *output, const panel *p)
{
    for (int i = 0; i * p->axes.y_step <= p->axes.y_end * (1 + 1e-9); i++) {
        const double y = place_y(p, i * p->axes.y_step);
        sc_output_format(output,
                         "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" "
                         "stroke=\"%s\"/>\n",
                         LEFT, y, WIDTH - RIGHT, y, i == 0 ? GREY : PALE);
        sc_output_format(output,
                         "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%g</text>\n",
                         LEFT - 8, y + 4, i * p->axes.y_step);
    }
}

typedef double bound_of(const sc_bounds_point *point);

static double upper_of(const sc_bounds_point *point)
{
    return point->upper;
}

static double lower_of(const sc_bounds_point *point)
{
    return point->lower;
}

/* One line a stretch of points that have a finite bound. */
static void write_curve(sc_output *output, const panel *p, bound_of *bound,
                        const char *style)
{
    bool is_open = false;
    for (size_t i = 0; i < p->view->count; i++) {
        const sc_bounds_point *point = &p->view->points[i];
        const double value = bound(point);
        if (isfinite(value)) {
            sc_output_format(output, "%s%.2f,%.2f",
                             is_open ? " " : "<polyline fill=\"none\" points=\"",
                             place_x(sc_bounds_x(&p->axes, point->x)), place_y(p, value));
            is_open = true;
        }
        if (is_open && (!isfinite(value) || i + 1 == p->view->count)) {
            sc_output_format(output, "\" %s/>\n", style);
            is_open = false;
        }
    }
}

#define LOWER_STYLE                                                                      \
    "stroke=\"" SC_ORANGE_HEX "\" stroke-width=\"5\" stroke-opacity=\"0.6\" "            \
    "stroke-linejoin=\"round\""
#define UPPER_STYLE                                                                      \
    "stroke=\"" SC_BLUE_HEX "\" stroke-width=\"2\" stroke-linejoin=\"round\""

static void write_key(sc_output *output, const panel *p, int x, const char *style,
                      const char *name)
{
    sc_output_format(output,
                     "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" %s/>\n"
                     "<text x=\"%d\" y=\"%.1f\">%s</text>\n",
                     x, p->top - 16, x + 30, p->top - 16, style, x + 36, p->top - 12,
                     name);
}

static void write_mark(sc_output *output, const panel *p)
{
    const double part = p->view->has_mark ? sc_bounds_x(&p->axes, p->view->mark) : -1;
    if (part >= 0 && part <= 1)
        sc_output_format(output,
                         "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" "
                         "stroke=\"#000000\" stroke-dasharray=\"4 4\"/>\n",
                         place_x(part), p->top, place_x(part), p->bottom);
}

static void write_panel(sc_output *output, const panel *p)
{
    sc_output_format(output, "<text x=\"%d\" y=\"%.1f\" font-weight=\"bold\">", LEFT,
                     p->top - 34);
    sc_markup_short(output, p->view->title, TITLE_CHARS);
    sc_output_text(output, "</text>\n");
    write_x_axis(output, p);
    write_y_axis(output, p);
    write_curve(output, p, lower_of, LOWER_STYLE);
    write_curve(output, p, upper_of, UPPER_STYLE);
    write_mark(output, p);
    write_key(output, p, LEFT, UPPER_STYLE, "at most");
    write_key(output, p, LEFT + 120, LOWER_STYLE, "at least");
}

void sc_bounds_svg_write(sc_output *output, const char *title, const char *summary,
                         const sc_bounds_view *views, size_t count)
{
    write_opening(output, title, summary, count);
    for (size_t i = 0; i < count; i++) {
        panel p = {.view = &views[i],
                   .top = HEADING + PANEL * (double)i + TOP,
                   .bottom = HEADING + PANEL * (double)(i + 1) - BOTTOM};
        sc_bounds_axes_choose(&views[i], &p.axes);
        write_panel(output, &p);
    }
    sc_output_text(output, "</svg>\n");
}
