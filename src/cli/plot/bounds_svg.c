#include "cli/plot/bounds_plot.h"
#include "cli/plot/svg_plot.h"
#include "cli/terminal/markup.h"

#include <math.h>
#include <stdio.h>

/* The drawing: a heading, and one field below the other. */
#define HEADING 60
#define PANEL 340
#define LEFT 80
#define RIGHT 30
#define TOP 60 /* of a field, in its panel */
#define BOTTOM 60

typedef struct panel {
    const sc_bounds_view *view;
    sc_bounds_axes axes;
    sc_svg_field field;
} panel;

static double place_x(const panel *p, double x)
{
    return sc_svg_x(&p->field, sc_bounds_x(&p->axes, x));
}

static double place_y(const panel *p, double epsilon)
{
    return sc_svg_y(&p->field, sc_bounds_y(&p->axes, epsilon));
}

static void write_axes(sc_output *output, const panel *p)
{
    char label[32];
    double place;
    for (int i = 0; sc_bounds_label(&p->axes, i, &place, label); i++)
        sc_svg_x_label(output, &p->field, sc_svg_x(&p->field, place), label);
    sc_svg_x_name(output, &p->field, p->view->x_name);
    for (int i = 0; i * p->axes.y_step <= p->axes.y_end * (1 + 1e-9); i++) {
        const double y = i * p->axes.y_step;
        snprintf(label, sizeof label, "%g", y);
        sc_svg_y_label(output, &p->field, place_y(p, y), label, i == 0);
    }
}

/* One line a stretch of points that have a finite bound. */
static void write_curve(sc_output *output, const panel *p, bool is_upper,
                        const char *style)
{
    sc_svg_pen pen = {.output = output, .style = style};
    for (size_t i = 0; i < p->view->count; i++) {
        const sc_bounds_point *point = &p->view->points[i];
        const double value = is_upper ? point->upper : point->lower;
        if (isfinite(value))
            sc_svg_pen_to(&pen, place_x(p, point->x), place_y(p, value));
        else
            sc_svg_pen_lift(&pen);
    }
    sc_svg_pen_lift(&pen);
}

static void write_mark(sc_output *output, const panel *p)
{
    const double part = p->view->has_mark ? sc_bounds_x(&p->axes, p->view->mark) : -1;
    const double x = sc_svg_x(&p->field, part);
    if (part >= 0 && part <= 1)
        sc_output_format(output,
                         "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" "
                         "stroke=\"#000000\" stroke-dasharray=\"4 4\"/>\n",
                         x, p->field.top, x, p->field.bottom);
}

static void write_panel(sc_output *output, const panel *p)
{
    sc_output_format(output, "<text x=\"%d\" y=\"%.1f\" font-weight=\"bold\">", LEFT,
                     p->field.top - 34);
    sc_markup_short(output, p->view->title, SC_SVG_TITLE_CHARS);
    sc_output_text(output, "</text>\n");
    write_axes(output, p);
    write_curve(output, p, false, SC_SVG_BROAD);
    write_curve(output, p, true, SC_SVG_THIN);
    write_mark(output, p);
    sc_svg_key(output, LEFT, p->field.top - 16, SC_SVG_THIN, "at most");
    sc_svg_key(output, LEFT + 120, p->field.top - 16, SC_SVG_BROAD, "at least");
}

void sc_bounds_svg_write(sc_output *output, const char *title, const char *summary,
                         const sc_bounds_view *views, size_t count)
{
    const sc_svg_heading heading = {.title = title, .summary = summary, .x = 20, .y = 26};
    sc_svg_open_headed(output, HEADING + PANEL * (int)count, &heading);
    for (size_t i = 0; i < count; i++) {
        panel p = {.view = &views[i],
                   .field = {.left = LEFT,
                             .right = SC_SVG_WIDTH - RIGHT,
                             .top = HEADING + PANEL * (double)i + TOP,
                             .bottom = HEADING + PANEL * (double)(i + 1) - BOTTOM}};
        sc_bounds_axes_choose(&views[i], &p.axes);
        write_panel(output, &p);
    }
    sc_svg_close(output);
}
