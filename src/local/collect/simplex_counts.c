#include "local/collect/simplex_counts.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int larger_first(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

scrim_status sc_simplex_counts(double *counts, size_t count, double total,
                               scrim_error *error)
{
    double *sorted = sc_allocate(count, sizeof *sorted), sum = 0, shift = 0;
    if (sorted == NULL)
        return sc_no_memory(error, "decoding");
    memcpy(sorted, counts, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, larger_first);
    for (size_t i = 0; i < count; i++) {
        sum += sorted[i];
        const double candidate = (sum - total) / (double)(i + 1);
        if (sorted[i] <= candidate)
            break;
        shift = candidate;
    }
    for (size_t i = 0; i < count; i++)
        counts[i] = fmax(0, counts[i] - shift);
    sc_free(sorted);
    return SCRIM_OK;
}
