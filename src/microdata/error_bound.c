#include "microdata/error_bound.h"

#include <math.h>

double sc_level_variance(const sc_level_noise *noise)
{
    if (noise->kind == SC_TREE_GAUSSIAN)
        return noise->amount;
    const double below = -expm1(-noise->amount);
    return 2 * exp(-noise->amount) / (below * below);
}

/* sqrt(H^2 + H2) of as many: the root mean square of the largest of so many exponential variables. */
static double largest_rms(size_t count)
{
    double first = 0, second = 0;
    for (size_t i = count; i > 0; i--) {
        first += 1 / (double)i;
        second += 1 / ((double)i * (double)i);
    }
    return sqrt(first * first + second);
}

/* The root of a bound of E max z^2 over so many siblings. */
static double sibling_rms(const sc_level_noise *noise, size_t count)
{
    if (noise->kind == SC_TREE_GAUSSIAN)
        return sqrt(noise->amount * (2 * log(2 * (double)count) + 2));
    return largest_rms(count) / noise->amount + 1.0 / 2;
}

void sc_error_bounds(const sc_level_noise *noise, const size_t *fanouts, size_t levels,
                     double *bounds)
{
    double sum = noise[0].kind == SC_TREE_GAUSSIAN ? sqrt(noise[0].amount)
                                                   : sqrt(2) / noise[0].amount;
    for (size_t i = 0; i < levels; i++) {
        if (i > 0)
            sum += 2 * sibling_rms(&noise[i], fanouts[i - 1]);
        bounds[i] = sum;
    }
}
