#include "cli/plot/curve_plot.h"
#include "cli/plot/svg_plot.h"

#include <math.h>
#include <stdio.h>

/* The drawing and the field of the curve in it; deltas of 0 stand on a line of their own,
 * below the decades. */
#define HEIGHT 470
#define LEFT 80
#define RIGHT 20
#define TOP 80
#define BOTTOM 70
#define ZERO 18 /* between the lowest decade and 0 */
#define KEY 62

static const sc_svg_field field = {
    .left = LEFT, .right = SC_SVG_WIDTH - RIGHT, .top = TOP, .bottom = HEIGHT - BOTTOM};

static double place_x(const sc_curve_axes *axes, double epsilon)
{
    return sc_svg_x(&field, sc_curve_x(axes, epsilon));
}

static double place_y(const sc_curve_axes *axes, double delta)
{
    double y = sc_curve_y(axes, delta), low = field.bottom - ZERO;
    return y < 0 ? field.bottom : low - y * (low - TOP);
}

static void write_axes(sc_output *output, const sc_curve_axes *axes)
{
    char label[32];
    for (int i = 0; i * axes->x_step <= axes->x_end * (1 + 1e-9); i++) {
        snprintf(label, sizeof label, "%g", i * axes->x_step);
        sc_svg_x_label(output, &field, place_x(axes, i * axes->x_step), label);
    }
    sc_svg_x_name(output, &field, "epsilon");
    for (int power = axes->y_top; power >= axes->y_floor; power -= axes->y_step) {
        snprintf(label, sizeof label, power == 0 ? "1" : "1e%d", power);
        sc_svg_y_label(output, &field, place_y(axes, pow(10, power)), label, false);
    }
    sc_svg_y_label(output, &field, place_y(axes, 0), "0", true);
    sc_svg_y_name(output, &field, "delta");
}

/* One line a stretch of points that have a finite delta. */
static void write_curve(sc_output *output, const sc_curve_view *view,
                        const sc_curve_axes *axes, bool is_claimed, const char *style)
{
    sc_svg_pen pen = {.output = output, .style = style};
    for (size_t i = 0; i < view->count; i++) {
        const sc_curve_point *point = &view->points[i];
        const double value = is_claimed ? point->claimed : point->lower;
        if (isfinite(value))
            sc_svg_pen_to(&pen, place_x(axes, point->epsilon), place_y(axes, value));
        else
            sc_svg_pen_lift(&pen);
    }
    sc_svg_pen_lift(&pen);
}

static void write_charged(sc_output *output, const sc_curve_view *view,
                          const sc_curve_axes *axes)
{
    if (!view->has_charged || view->charged_epsilon > axes->x_end)
        return;
    sc_output_format(output,
                     "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"5\" fill=\"#ffffff\" "
                     "stroke=\"#000000\" stroke-width=\"2\"><title>charged: epsilon %g, "
                     "delta %g</title></circle>\n",
                     place_x(axes, view->charged_epsilon),
                     place_y(axes, view->charged_delta), view->charged_epsilon,
                     view->charged_delta);
}

void sc_curve_svg_write(sc_output *output, const sc_curve_view *view)
{
    const sc_svg_heading heading = {.title = view->title,
                                    .verdict = view->verdict,
                                    .summary = view->summary,
                                    .x = LEFT,
                                    .y = 24};
    sc_curve_axes axes;
    sc_curve_axes_choose(view, &axes);
    sc_svg_open_headed(output, HEIGHT, &heading);
    write_axes(output, &axes);
    write_curve(output, view, &axes, true, SC_SVG_BROAD);
    write_curve(output, view, &axes, false, SC_SVG_THIN);
    write_charged(output, view, &axes);
    sc_svg_key(output, LEFT, KEY, SC_SVG_THIN, "exact");
    sc_svg_key(output, LEFT + 110, KEY, SC_SVG_BROAD, "claimed");
    if (view->has_charged)
        sc_output_format(output,
                         "<circle cx=\"%d\" cy=\"%d\" r=\"5\" fill=\"#ffffff\" "
                         "stroke=\"#000000\" stroke-width=\"2\"/>\n"
                         "<text x=\"%d\" y=\"%d\">charged</text>\n",
                         LEFT + 255, KEY, LEFT + 268, KEY + 4);
    sc_svg_close(output);
}
