/* The middle of some measurements and how far they stray from it. Both ignore the few
 * that another process spoilt. */
#ifndef STATISTICS_H
#define STATISTICS_H

#include <stddef.h>

/* The median; of an even count, the mean of the two in the middle. Sorts values. */
static inline double statistics_median(double *values, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        double value = values[i];
        size_t at = i;
        for (; at > 0 && values[at - 1] > value; at--)
            values[at] = values[at - 1];
        values[at] = value;
    }
    size_t middle = count / 2;
    return count % 2 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

/* The median distance from centre (for the median as centre, the MAD). Overwrites
 * values. */
static inline double statistics_spread(double *values, size_t count, double centre)
{
    for (size_t i = 0; i < count; i++)
        values[i] = values[i] < centre ? centre - values[i] : values[i] - centre;
    return statistics_median(values, count);
}

#endif
