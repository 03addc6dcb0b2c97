#include "synth/model/real_functions.h"

#include "base/memory.h"
#include "base/workers.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define LANES 4
typedef double reals __attribute__((vector_size(LANES * sizeof(double))));
typedef uint64_t words __attribute__((vector_size(LANES * sizeof(uint64_t))));

#define LOG2_E 0x1.71547652b82fep+0
/* ln 2 in two parts; the first has 33 bits, so that its product with a small integer is exact. */
#define LN2_HIGH 0x1.62e42feep-1
#define LN2_LOW 0x1.a39ef35793c76p-33
/* Adding it leaves the nearest integer in the low bits. */
#define ROUNDER 0x1.8p52
#define LOWEST (-707.0)

/* exp(r) for |r| <= ln(2)/2: 1 + r + r^2 (1/2! + r/3! + ...), up to r^13. */
#define TERMS 12
static const double inverse_factorials[TERMS] = {
    1.0 / 6227020800.0, 1.0 / 479001600.0, 1.0 / 39916800.0, 1.0 / 3628800.0,
    1.0 / 362880.0,     1.0 / 40320.0,     1.0 / 5040.0,     1.0 / 720.0,
    1.0 / 120.0,        1.0 / 24.0,        1.0 / 6.0,        1.0 / 2.0};

__attribute__((always_inline)) static inline void exp_lanes(reals *lanes, double shift)
{
    const reals zero = {0};
    reals x = *lanes - shift;
    const words counts = (words)(x > LOWEST);
    x = (reals)((words)x & counts);
    const reals rounded = x * LOG2_E + ROUNDER;
    const reals k = rounded - ROUNDER;
    const reals r = (x - k * LN2_HIGH) - k * LN2_LOW;
    reals p = zero + inverse_factorials[0];
    for (int i = 1; i < TERMS; i++)
        p = p * r + inverse_factorials[i];
    p = (p * (r * r) + r) + 1.0;
    const reals scale = (reals)(((words)rounded + 1023) << 52);
    *lanes = (reals)((words)(p * scale) & counts);
}

__attribute__((always_inline)) static inline void exp_by_lanes(double *values,
                                                               size_t count, double shift)
{
    double padded[LANES] = {0};
    for (size_t at = 0; at < count; at += LANES) {
        const size_t rest = count - at;
        double *from = rest < LANES ? padded : values + at;
        reals x;
        if (rest < LANES)
            memcpy(padded, values + at, rest * sizeof *padded);
        memcpy(&x, from, sizeof x);
        exp_lanes(&x, shift);
        memcpy(from, &x, sizeof x);
        if (rest < LANES)
            memcpy(values + at, padded, rest * sizeof *padded);
    }
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) static void exp_avx2(double *values, size_t count,
                                                     double shift)
{
    exp_by_lanes(values, count, shift);
}
#endif

bool sc_real_exp_by(sc_real_way way, double *values, size_t count, double shift)
{
#if defined(__x86_64__)
    if (way == SC_REAL_AVX2 && sc_processor_has(SC_AVX2)) {
        exp_avx2(values, count, shift);
        return true;
    }
#endif
    if (way == SC_REAL_PLAIN)
        exp_by_lanes(values, count, shift);
    return way == SC_REAL_PLAIN;
}

void sc_real_exp_all(double *values, size_t count, double shift)
{
    if (!sc_real_exp_by(SC_REAL_AVX2, values, count, shift))
        (void)sc_real_exp_by(SC_REAL_PLAIN, values, count, shift);
}

/* x = 2^k m with m from sqrt(1/2) on and below sqrt(2); log m = 2 atanh((m-1)/(m+1)). */
double sc_real_log(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    int k = (int)(bits >> 52) - 1023;
    bits = (bits & (((uint64_t)1 << 52) - 1)) | (uint64_t)1023 << 52;
    double m;
    memcpy(&m, &bits, sizeof m);
    if (m >= 1.4142135623730951) {
        m /= 2;
        k++;
    }
    const double s = (m - 1) / (m + 1), s2 = s * s;
    double sum = 0;
    for (int i = 21; i >= 3; i -= 2)
        sum = (sum + 1.0 / i) * s2;
    return k * LN2_HIGH + (2 * (s + s * sum) + k * LN2_LOW);
}

int64_t sc_rounded_count(double answer)
{
    if (!(answer > 0))
        return 0;
    if (answer >= (double)SC_SYNTH_COUNT_MAX)
        return SC_SYNTH_COUNT_MAX;
    /* Below 2^40 the difference of a double and its integer part is exact. */
    const int64_t whole = (int64_t)answer;
    return whole + (answer - (double)whole >= 0.5 ? 1 : 0);
}

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
        return sc_no_memory(error, "a model");
    memcpy(sorted, values, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, falling);
    const double threshold = threshold_of(sorted, count, total);
    for (size_t i = 0; i < count; i++)
        out[i] = values[i] > threshold ? values[i] - threshold : 0;
    sc_free(sorted);
    return SCRIM_OK;
}
