#include "base/processor.h"

#if defined(__x86_64__)
#if __has_include(<sys/platform/x86.h>)
#include <sys/platform/x86.h>

#define WORD_BITS 32U
#define LEAF_BITS (4 * WORD_BITS)

/* CPU_FEATURE_ACTIVE of the C library shifts a signed 1 into the sign, as for AVX512VL, which is undefined. */
static bool is_active(unsigned feature)
{
    const struct cpuid_feature *leaf = __x86_get_cpuid_feature_leaf(feature / LEAF_BITS);
    return (leaf->active_array[feature % LEAF_BITS / WORD_BITS] >> feature % WORD_BITS &
            1U) != 0;
}
#define HAS(feature, name) is_active(x86_cpu_##feature)
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
