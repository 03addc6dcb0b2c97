#include "cli/plot/axis_step.h"

#include <math.h>
#include <stddef.h>

double sc_axis_step(double extent)
{
    static const double factors[] = {1, 2, 5};
    const double decade = pow(10, floor(log10(extent / SC_AXIS_LABELS)));
    for (size_t i = 0; i < sizeof factors / sizeof *factors; i++)
        if (extent / (factors[i] * decade) <= SC_AXIS_LABELS)
            return factors[i] * decade;
    return 10 * decade;
}
