#include "solve/walk_chord.h"

#include "base/processor.h"

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>

/* A row bounds the chord from above where its inverse is positive, from below elsewhere. */
__attribute__((target("avx2"))) static sc_chord
chord_avx2(double *slack, const double *growth, double length, const double *inverse,
           size_t count)
{
    const __m256d zero = _mm256_setzero_pd(), far = _mm256_set1_pd(SC_CHORD_FAR),
                  step = _mm256_set1_pd(length);
    const __m256d back = _mm256_set1_pd(-SC_CHORD_FAR);
    __m256d low = back, high = far;
    for (size_t i = 0; i < count; i += SC_CHORD_LANES) {
        const __m256d left = _mm256_sub_pd(
            _mm256_loadu_pd(slack + i), _mm256_mul_pd(step, _mm256_loadu_pd(growth + i)));
        const __m256d kept = _mm256_max_pd(left, zero), by = _mm256_loadu_pd(inverse + i),
                      reach = _mm256_mul_pd(kept, by);
        _mm256_storeu_pd(slack + i, kept);
        high = _mm256_min_pd(_mm256_blendv_pd(reach, far, by), high);
        low = _mm256_max_pd(_mm256_blendv_pd(back, reach, by), low);
    }
    double lows[SC_CHORD_LANES], highs[SC_CHORD_LANES];
    _mm256_storeu_pd(lows, low);
    _mm256_storeu_pd(highs, high);
    sc_chord chord = {lows[0], highs[0]};
    for (size_t k = 1; k < SC_CHORD_LANES; k++) {
        chord.low = lows[k] > chord.low ? lows[k] : chord.low;
        chord.high = highs[k] < chord.high ? highs[k] : chord.high;
    }
    return chord;
}
#endif

sc_chord sc_chord_plain(double *slack, const double *growth, double length,
                        const double *inverse, size_t count)
{
    sc_chord chord = {-SC_CHORD_FAR, SC_CHORD_FAR};
    for (size_t i = 0; i < count; i++) {
        const double left = slack[i] - length * growth[i], kept = left > 0 ? left : 0,
                     reach = kept * inverse[i];
        slack[i] = kept;
        if (inverse[i] < 0)
            chord.low = reach > chord.low ? reach : chord.low;
        else
            chord.high = reach < chord.high ? reach : chord.high;
    }
    return chord;
}

sc_chord sc_chord_next(double *slack, const double *growth, double length,
                       const double *inverse, size_t count)
{
#if defined(__x86_64__) && defined(__GNUC__)
    if (sc_processor_has(SC_AVX2))
        return chord_avx2(slack, growth, length, inverse, count);
#endif
    return sc_chord_plain(slack, growth, length, inverse, count);
}
