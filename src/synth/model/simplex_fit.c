#include "synth/model/simplex_fit.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static int falling(const void *a, const void *b)
{
    double x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return (x < y) - (x > y);
}

/* t of the longest beginning of the sorted values that stay above it. */
static double threshold_of(const double *sorted, size_t count, double total)
{
    double sum = 0, threshold = 0;
    for (size_t i = 0; i < count; i++) {
        sum += sorted[i];
        const double t = (sum - total) / (double)(i + 1);
        if (i > 0 && sorted[i] <= t)
            break;
        threshold = t;
    }
    return threshold;
}

scrim_status sc_simplex_fit(const double *values, size_t count, double total, double *out,
                            scrim_error *error)
{
    double *sorted = sc_allocate(count, sizeof *sorted);
    if (sorted == NULL)
        return sc_fail(error, SCRIM_E_MEMORY, "out of memory for a model");
    memcpy(sorted, values, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, falling);
    const double threshold = threshold_of(sorted, count, total);
    for (size_t i = 0; i < count; i++)
        out[i] = values[i] > threshold ? values[i] - threshold : 0;
    sc_free(sorted);
    return SCRIM_OK;
}
