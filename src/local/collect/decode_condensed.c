#include "local/collect/decode_condensed.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

/* As the device makes them: w(0) = 2^31, w(t) = ceil(w(t-1) b/a). */
static void fill_law(const scrim_local_config *config, double *law)
{
    const size_t k = config->values;
    uint64_t weight = (uint64_t)1 << 31;
    for (size_t t = 0; t < k; t++) {
        for (size_t x = t; x < k; x++)
            law[x * k + x - t] = law[(x - t) * k + x] = (double)weight;
        weight = (weight * config->b + config->a - 1) / config->a;
    }
    for (size_t x = 0; x < k; x++) {
        double sum = 0;
        for (size_t z = 0; z < k; z++)
            sum += law[x * k + z];
        for (size_t z = 0; z < k; z++)
            law[x * k + z] /= sum;
    }
}

/* A pivot that is smaller has lost its digits. */
#define LEAST 1e-9

static size_t largest_below(const double *m, size_t k, size_t p)
{
    size_t best = p;
    for (size_t i = p + 1; i < k; i++)
        if (fabs(m[i * k + p]) > fabs(m[best * k + p]))
            best = i;
    return best;
}

static void swap_rows(double *m, size_t k, size_t i, size_t j)
{
    for (size_t c = 0; c < k && i != j; c++) {
        const double kept = m[i * k + c];
        m[i * k + c] = m[j * k + c];
        m[j * k + c] = kept;
    }
}

static void clear_column(double *m, double *inverse, size_t k, size_t p)
{
    const double pivot = m[p * k + p];
    for (size_t c = 0; c < k; c++) {
        m[p * k + c] /= pivot;
        inverse[p * k + c] /= pivot;
    }
    for (size_t i = 0; i < k; i++) {
        const double factor = m[i * k + p];
        if (i == p || factor == 0)
            continue;
        for (size_t c = 0; c < k; c++) {
            m[i * k + c] -= factor * m[p * k + c];
            inverse[i * k + c] -= factor * inverse[p * k + c];
        }
    }
}

/* By Gauss and Jordan; m becomes the unit matrix. False: a pivot is too small. */
static bool invert(double *m, double *inverse, size_t k)
{
    memset(inverse, 0, k * k * sizeof *inverse);
    for (size_t i = 0; i < k; i++)
        inverse[i * k + i] = 1;
    for (size_t p = 0; p < k; p++) {
        const size_t row = largest_below(m, k, p);
        if (fabs(m[row * k + p]) < LEAST)
            return false;
        swap_rows(m, k, p, row);
        swap_rows(inverse, k, p, row);
        clear_column(m, inverse, k, p);
    }
    return true;
}

/* est_v = sum over z of h_z G(z,v); its variance is that of n draws of G(z,v). */
static void set_counts(const sc_sums *sums, const double *inverse, sc_decoding *out)
{
    const size_t k = out->values;
    const double n = (double)sums->reports;
    for (size_t v = 0; v < k; v++) {
        double sum = 0, squares = 0;
        for (size_t z = 0; z < k; z++) {
            const double part = (double)sums->counts[z] * inverse[z * k + v];
            sum += part;
            squares += part * inverse[z * k + v];
        }
        out->solved[v] = sum;
        out->variances[v] = fmax(0, squares - sum * sum / n);
    }
}

static scrim_status solve(const sc_sums *sums, sc_decoding *out, scrim_error *error)
{
    const size_t k = out->values;
    scrim_status status = SCRIM_OK;
    double *law = sc_allocate(k * k, sizeof *law),
           *inverse = sc_allocate(k * k, sizeof *inverse);
    if (law == NULL || inverse == NULL) {
        status = sc_no_memory(error, "decoding");
    } else {
        fill_law(&sums->config, law);
        if (invert(law, inverse, k))
            set_counts(sums, inverse, out);
        else
            status = sc_fail_for(error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE, "config",
                                 "reports of different values are too alike to count "
                                 "them");
    }
    sc_free(inverse);
    sc_free(law);
    return status;
}

scrim_status sc_decode_condensed(const sc_sums *sums, sc_decoding *out,
                                 scrim_error *error)
{
    const size_t k = sums->config.values;
    if (sums->config.metric != 0)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNSUPPORTED, "config",
                           "condensed-exponential has a decoder for distances of numbers "
                           "only, not for those of a table");
    if (k > SC_CONDENSED_VALUES)
        return sc_fail_for(error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE, "config",
                           "condensed-exponential is decoded for at most %d values",
                           SC_CONDENSED_VALUES);
    scrim_status status = sc_decoding_room(out, k, error);
    if (status != SCRIM_OK)
        return status;
    out->solved = sc_allocate(k, sizeof *out->solved);
    out->variances = sc_allocate(k, sizeof *out->variances);
    if (out->solved == NULL || out->variances == NULL)
        return sc_no_memory(error, "decoding");
    sc_ratio_set_quotient(&out->q, 1, 2); /* neither is used */
    sc_ratio_set_int64(&out->slope, 1);
    return solve(sums, out, error);
}
