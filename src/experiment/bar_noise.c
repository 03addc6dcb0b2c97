#include "experiment/bar_noise.h"

#include "base/memory.h"

#include <math.h>
#include <stdbool.h>

/* P(0) = P(-q) of one-sided noise. */
static long double edge_of(const sc_bar_noise *noise)
{
    const long double e = noise->epsilon;
    const int64_t m = noise->q / 2;
    const long double odd =
        noise->q % 2 == 1 ? expm1l(e * (long double)(m + 1)) : expm1l(e * (long double)m);
    return expm1l(e) / (odd + expm1l(e * (long double)(m + 1)));
}

/* The lower half is a geometric sum, the upper half its mirror image. */
static long double sum_one_sided(const sc_bar_noise *noise, int64_t z)
{
    const long double e = noise->epsilon;
    if (z < -noise->q)
        return 0;
    if (z >= 0)
        return 1;
    if (2 * z >= -noise->q)
        return 1 - sum_one_sided(noise, -noise->q - z - 1);
    return edge_of(noise) * expm1l(e * (long double)(z + noise->q + 1)) / expm1l(e);
}

static long double sum_two_sided(const sc_bar_noise *noise, int64_t z)
{
    const long double e = noise->epsilon, one = 1 + expl(-e);
    return z < 0 ? expl(e * (long double)z) / one
                 : 1 - expl(-e * (long double)(z + 1)) / one;
}

scrim_status sc_bar_noise_init(sc_bar_noise *out, long double epsilon, int64_t q,
                               scrim_error *error)
{
    const size_t count = 2 * SC_NOISE_REACH + 1;
    *out = (sc_bar_noise){.epsilon = epsilon, .q = q};
    out->one_sided = sc_allocate(count, sizeof *out->one_sided);
    out->two_sided = sc_allocate(count, sizeof *out->two_sided);
    if (out->one_sided == NULL || out->two_sided == NULL)
        return sc_fail(error, SCRIM_E_MEMORY, "out of memory for the law of noise");
    for (size_t i = 0; i < count; i++) {
        const int64_t z = (int64_t)i - SC_NOISE_REACH;
        out->one_sided[i] = sum_one_sided(out, z);
        out->two_sided[i] = sum_two_sided(out, z);
    }
    return SCRIM_OK;
}

void sc_bar_noise_clear(sc_bar_noise *noise)
{
    sc_free(noise->one_sided);
    sc_free(noise->two_sided);
    *noise = (sc_bar_noise){0};
}

static bool is_tabulated(int64_t z)
{
    return z >= -SC_NOISE_REACH && z <= SC_NOISE_REACH;
}

long double sc_one_sided_at_most(const sc_bar_noise *noise, int64_t z)
{
    return is_tabulated(z) ? noise->one_sided[z + SC_NOISE_REACH]
                           : sum_one_sided(noise, z);
}

long double sc_two_sided_at_most(const sc_bar_noise *noise, int64_t z)
{
    return is_tabulated(z) ? noise->two_sided[z + SC_NOISE_REACH]
                           : sum_two_sided(noise, z);
}

/* Differences are taken in the lower half, where sums are small and keep their digits. */

long double sc_one_sided_is(const sc_bar_noise *noise, int64_t z)
{
    const int64_t low = 2 * z > -noise->q ? -noise->q - z : z;
    return sc_one_sided_at_most(noise, low) - sc_one_sided_at_most(noise, low - 1);
}

long double sc_two_sided_is(const sc_bar_noise *noise, int64_t z)
{
    const int64_t low = z > 0 ? -z : z;
    return sc_two_sided_at_most(noise, low) - sc_two_sided_at_most(noise, low - 1);
}
