#include "cli/plot/axis_step.h"
#include "cli/plot/curve_plot.h"

#include <math.h>

/* The largest and the smallest delta that a logarithm has. */
static void find_range(const sc_curve_view *view, double *least, double *most)
{
    *least = HUGE_VAL;
    *most = 0;
    for (size_t i = 0; i < view->count; i++) {
        const double deltas[] = {view->points[i].lower, view->points[i].claimed};
        for (size_t j = 0; j < sizeof deltas / sizeof *deltas; j++)
            if (deltas[j] > 0 && isfinite(deltas[j])) {
                *least = fmin(*least, deltas[j]);
                *most = fmax(*most, deltas[j]);
            }
    }
}

void sc_curve_axes_choose(const sc_curve_view *view, sc_curve_axes *out)
{
    double least, most;
    find_range(view, &least, &most);
    out->x_end = view->count == 0 ? 0 : view->points[view->count - 1].epsilon;
    if (!(out->x_end > 0) || !isfinite(out->x_end))
        out->x_end = 1;
    out->x_step = sc_axis_step(out->x_end);
    out->y_top = most > 0 ? (int)ceil(log10(fmin(most, 1)) - 1e-9) : 0;
    out->y_floor = most > 0 ? (int)floor(log10(least) + 1e-9) : -1;
    if (out->y_floor >= out->y_top)
        out->y_floor = out->y_top - 1;
    if (out->y_floor < out->y_top - SC_CURVE_DECADES)
        out->y_floor = out->y_top - SC_CURVE_DECADES;
    out->y_step = (out->y_top - out->y_floor + SC_AXIS_LABELS - 1) / SC_AXIS_LABELS;
}

double sc_curve_x(const sc_curve_axes *axes, double epsilon)
{
    return epsilon / axes->x_end;
}

double sc_curve_y(const sc_curve_axes *axes, double delta)
{
    if (!(delta > 0))
        return -1;
    double part = (log10(fmin(delta, 1)) - axes->y_floor) / (axes->y_top - axes->y_floor);
    return part < 0 ? -1 : part;
}
