#include "local/collect/hashing_support.h"

#include "base/checked.h"
#include "base/memory.h"

#include <string.h>

/* One digit: to[a][b0 b][z] = sum over d of from[a d][b][z + b0 d], for heads a, rests b and rows of g
 * sums. */
static void step(const double *from, double *to, uint32_t g, size_t heads, size_t rests)
{
    memset(to, 0, heads * g * rests * g * sizeof *to);
    for (size_t a = 0; a < heads; a++)
        for (uint32_t b0 = 0; b0 < g; b0++)
            for (uint32_t d = 0; d < g; d++) {
                const uint32_t turn = (uint32_t)((uint64_t)b0 * d % g);
                const double *in = from + (a * g + d) * rests * g;
                double *out = to + (a * g + b0) * rests * g;
                for (size_t b = 0; b < rests; b++, in += g, out += g) {
                    for (uint32_t z = 0; z < g - turn; z++)
                        out[z] += in[z + turn];
                    for (uint32_t z = g - turn; z < g; z++)
                        out[z] += in[z + turn - g];
                }
            }
}

scrim_status sc_hashing_turned(double *counts, uint32_t g, uint32_t m, scrim_error *error)
{
    const size_t values = sc_size_power(g, m);
    double *other = sc_allocate(values * g, sizeof *other);
    double *from = counts, *to = other;
    if (other == NULL)
        return sc_no_memory(error, "decoding");
    size_t heads = values, rests = 1;
    for (uint32_t l = m; l > 0; l--) {
        heads /= g;
        step(from, to, g, heads, rests);
        rests *= g;
        double *swapped = from;
        from = to;
        to = swapped;
    }
    if (from != counts)
        memcpy(counts, from, values * g * sizeof *counts);
    sc_free(other);
    return SCRIM_OK;
}

scrim_status sc_hashing_support(double *counts, uint32_t g, uint32_t m,
                                scrim_error *error)
{
    const size_t values = sc_size_power(g, m);
    const scrim_status status = sc_hashing_turned(counts, g, m, error);
    for (size_t v = 0; status == SCRIM_OK && v < values; v++)
        counts[v] = counts[v * g];
    return status;
}
