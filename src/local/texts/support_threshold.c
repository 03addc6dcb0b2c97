#include "local/texts/support_threshold.h"

#include "audit/bounds.h"

#define MORE 1.000001

uint64_t sc_support_threshold(uint64_t n, double q, uint64_t candidates, double alpha)
{
    const double most = alpha / (double)candidates;
    uint64_t low = 0, high = n + 1; /* the answer is in (low, high], but for 0 */
    if (most >= 1)
        return 0;
    while (high - low > 1) {
        const uint64_t middle = low + (high - low) / 2;
        if (MORE * sc_binomial_at_least(middle, n, q) <= most)
            high = middle;
        else
            low = middle;
    }
    return high;
}

uint64_t sc_support_threshold_rate(uint64_t n, double q, const uint64_t *counts,
                                   size_t candidates, double alpha)
{
    double harmonic = 0, tail = 1;
    uint64_t threshold = n + 1;
    for (size_t r = candidates; r > 0; r--)
        harmonic += 1 / (double)r;
    for (size_t r = 1; r <= candidates; r++) {
        if (r == 1 || counts[r - 1] != counts[r - 2])
            tail = MORE * sc_binomial_at_least(counts[r - 1], n, q);
        if (tail <= (double)r * alpha / ((double)candidates * harmonic))
            threshold = counts[r - 1];
        else if (tail > alpha / harmonic)
            break; /* so are all that follow */
    }
    return threshold;
}
