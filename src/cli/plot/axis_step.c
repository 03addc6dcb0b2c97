#include "cli/plot/axis_step.h"

#include <math.h>

double sc_axis_step(double extent, int labels)
{
    const double least = extent / labels;
    const double decade = pow(10, floor(log10(least)));
    const double part = least / decade;
    return (part <= 1 ? 1 : part <= 2 ? 2 : part <= 5 ? 5 : 10) * decade;
}
