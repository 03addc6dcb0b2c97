#include "base/processor.h"

#if defined(__x86_64__)
#if __has_include(<sys/platform/x86.h>)
#include <sys/platform/x86.h>
#define HAS(feature, name) CPU_FEATURE_ACTIVE(feature)
#else
#define HAS(feature, name) __builtin_cpu_supports(name)
#endif
#else
#define HAS(feature, name) false
#endif

bool sc_processor_has(sc_vectors vectors)
{
    switch (vectors) {
    case SC_AVX2:
        return HAS(AVX2, "avx2");
    case SC_AVX512F:
        return HAS(AVX512F, "avx512f");
    case SC_AVX512BW:
        return HAS(AVX512BW, "avx512bw");
    case SC_AVX512VL:
        return HAS(AVX512VL, "avx512vl");
    case SC_AVX512VBMI2:
        return HAS(AVX512_VBMI2, "avx512vbmi2");
    }
    return false;
}
