#include "cli/plot/axis_step.h"
#include "cli/plot/bounds_plot.h"

#include <math.h>
#include <stdio.h>

static double x_of(const sc_bounds_axes *axes, double x)
{
    return axes->x_is_log ? log10(x) : x;
}

void sc_bounds_axes_choose(const sc_bounds_view *view, sc_bounds_axes *out)
{
    *out = (sc_bounds_axes){.x_is_log = view->x_is_log, .x_end = 1};
    if (view->count > 0) {
        out->x_start = view->x_is_log ? x_of(out, view->points[0].x) : 0;
        out->x_end = x_of(out, view->points[view->count - 1].x);
    }
    if (!(out->x_end > out->x_start))
        out->x_end = out->x_start + 1;
    out->x_step = sc_axis_step(out->x_end - out->x_start);
    if (view->x_is_log && out->x_step < 1)
        out->x_step = 1;
    for (size_t i = 0; i < view->count; i++) {
        const sc_bounds_point *point = &view->points[i];
        out->y_end = fmax(out->y_end, isfinite(point->upper) ? point->upper : 0);
        out->y_end = fmax(out->y_end, point->lower);
    }
    if (!(out->y_end > 0))
        out->y_end = 1;
    out->y_step = sc_axis_step(out->y_end);
}

double sc_bounds_x(const sc_bounds_axes *axes, double x)
{
    return (x_of(axes, x) - axes->x_start) / (axes->x_end - axes->x_start);
}

double sc_bounds_y(const sc_bounds_axes *axes, double y)
{
    return y / axes->y_end;
}

bool sc_bounds_label(const sc_bounds_axes *axes, int index, double *place, char text[32])
{
    /* From the right where x is logarithmic: the largest delta is a round one. */
    const double from = axes->x_is_log ? axes->x_end : axes->x_start;
    const double at = from + (axes->x_is_log ? -1 : 1) * index * axes->x_step;
    const double slack = 1e-9 * (axes->x_end - axes->x_start);
    if (at < axes->x_start - slack || at > axes->x_end + slack)
        return false;
    *place = (at - axes->x_start) / (axes->x_end - axes->x_start);
    if (!axes->x_is_log)
        snprintf(text, 32, "%g", at);
    else if (at == 0)
        snprintf(text, 32, "1");
    else
        snprintf(text, 32, "1e%.0f", at);
    return true;
}
