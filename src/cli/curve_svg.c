#include "cli/curve_plot.h"
#include "cli/markup.h"
#include "cli/palette.h"

#include <math.h>

/* The drawing and the field of the curve in it; deltas of 0 stand on a line of their own,
 * below the decades. */
#define WIDTH 720
#define HEIGHT 470
#define LEFT 80
#define RIGHT 20
#define TOP 80
#define BOTTOM 70
#define ZERO 18 /* between the lowest decade and 0 */

#define GREY "#666666"
#define PALE "#dddddd"

static double place_x(const sc_curve_axes *axes, double epsilon)
{
    return LEFT + sc_curve_x(axes, epsilon) * (WIDTH - LEFT - RIGHT);
}

static double place_y(const sc_curve_axes *axes, double delta)
{
    double y = sc_curve_y(axes, delta), low = HEIGHT - BOTTOM - ZERO;
    return y < 0 ? HEIGHT - BOTTOM : low - y * (low - TOP);
}

/* Characters that fit beside each other. */
#define TITLE_CHARS 80
#define SUMMARY_CHARS 92

static void write_opening(sc_output *output, const sc_curve_view *view)
{
    sc_output_format(output,
                     "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                     "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" "
                     "height=\"%d\" viewBox=\"0 0 %d %d\" role=\"img\" "
                     "font-family=\"sans-serif\" font-size=\"13\">\n<title>",
                     WIDTH, HEIGHT, WIDTH, HEIGHT);
    sc_markup_text(output, view->title);
    sc_output_format(output, "</title>\n<desc>%s: ", view->verdict);
    sc_markup_text(output, view->summary);
    sc_output_format(output,
                     "</desc>\n<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>\n",
                     WIDTH, HEIGHT);
    sc_output_format(output, "<text x=\"%d\" y=\"24\" font-size=\"15\">", LEFT);
    sc_markup_short(output, view->title, TITLE_CHARS);
    sc_output_format(output,
                     "</text>\n<text x=\"%d\" y=\"44\" fill=\"" GREY
                     "\"><tspan font-weight=\"bold\">%s</tspan>: ",
                     LEFT, view->verdict);
    sc_markup_short(output, view->summary, SUMMARY_CHARS);
    sc_output_text(output, "</text>\n");
}

static void write_x_axis(sc_output *output, const sc_curve_axes *axes)
{
    int end = HEIGHT - BOTTOM;
    for (int i = 0; i * axes->x_step <= axes->x_end * (1 + 1e-9); i++) {
        double x = place_x(axes, i * axes->x_step);
        sc_output_format(output,
                         "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" "
                         "stroke=\"" PALE "\"/>\n",
                         x, TOP, x, end);
        sc_output_format(output,
                         "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%g</text>\n",
                         x, end + 18, i * axes->x_step);
    }
    sc_output_format(output,
                     "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">epsilon</text>\n",
                     LEFT + (WIDTH - LEFT - RIGHT) / 2, end + 40);
}

static void write_y_label(sc_output *output, double y, const char *stroke)
{
    sc_output_format(output,
                     "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" "
                     "stroke=\"%s\"/>\n",
                     LEFT, y, WIDTH - RIGHT, y, stroke);
    sc_output_format(output, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">", LEFT - 8,
                     y + 4);
}

static void write_y_axis(sc_output *output, const sc_curve_axes *axes)
{
    for (int power = axes->y_top; power >= axes->y_floor; power -= axes->y_step) {
        write_y_label(output, place_y(axes, pow(10, power)), PALE);
        sc_output_format(output, power == 0 ? "1</text>\n" : "1e%d</text>\n", power);
    }
    write_y_label(output, place_y(axes, 0), GREY);
    sc_output_text(output, "0</text>\n");
    sc_output_format(output,
                     "<text x=\"18\" y=\"%d\" text-anchor=\"middle\" "
                     "transform=\"rotate(-90 18 %d)\">delta</text>\n",
                     TOP + (HEIGHT - TOP - BOTTOM) / 2,
                     TOP + (HEIGHT - TOP - BOTTOM) / 2);
}

typedef double delta_of(const sc_curve_point *point);

static double exact_of(const sc_curve_point *point)
{
    return point->lower;
}

static double claimed_of(const sc_curve_point *point)
{
    return point->claimed;
}

/* One line a stretch of points that have a finite delta. */
static void write_curve(sc_output *output, const sc_curve_view *view,
                        const sc_curve_axes *axes, delta_of *delta, const char *style)
{
    bool is_open = false;
    for (size_t i = 0; i < view->count; i++) {
        double value = delta(&view->points[i]);
        if (isfinite(value)) {
            sc_output_format(output, "%s%.2f,%.2f",
                             is_open ? " " : "<polyline fill=\"none\" points=\"",
                             place_x(axes, view->points[i].epsilon),
                             place_y(axes, value));
            is_open = true;
        }
        if (is_open && (!isfinite(value) || i + 1 == view->count)) {
            sc_output_format(output, "\" %s/>\n", style);
            is_open = false;
        }
    }
}

#define CLAIMED_STYLE                                                                    \
    "stroke=\"" SC_ORANGE_HEX "\" stroke-width=\"5\" stroke-opacity=\"0.6\" "            \
    "stroke-linejoin=\"round\""
#define EXACT_STYLE                                                                      \
    "stroke=\"" SC_BLUE_HEX "\" stroke-width=\"2\" stroke-linejoin=\"round\""

static void write_key(sc_output *output, int x, const char *style, const char *name)
{
    sc_output_format(output,
                     "<line x1=\"%d\" y1=\"62\" x2=\"%d\" y2=\"62\" %s/>\n"
                     "<text x=\"%d\" y=\"66\">%s</text>\n",
                     x, x + 30, style, x + 36, name);
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
    sc_curve_axes axes;
    sc_curve_axes_choose(view, &axes);
    write_opening(output, view);
    write_x_axis(output, &axes);
    write_y_axis(output, &axes);
    write_curve(output, view, &axes, claimed_of, CLAIMED_STYLE);
    write_curve(output, view, &axes, exact_of, EXACT_STYLE);
    write_charged(output, view, &axes);
    write_key(output, LEFT, EXACT_STYLE, "exact");
    write_key(output, LEFT + 110, CLAIMED_STYLE, "claimed");
    if (view->has_charged)
        sc_output_format(output,
                         "<circle cx=\"%d\" cy=\"62\" r=\"5\" fill=\"#ffffff\" "
                         "stroke=\"#000000\" stroke-width=\"2\"/>\n"
                         "<text x=\"%d\" y=\"66\">charged</text>\n",
                         LEFT + 255, LEFT + 268);
    sc_output_text(output, "</svg>\n");
}
