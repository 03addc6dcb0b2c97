#include "base/workers.h"
#include "check.h"

/* The compiler asks the processor itself. */
TEST(processor_has_what_the_compiler_finds)
{
#if defined(__x86_64__)
    CHECK_INT(sc_processor_has(SC_AVX2), __builtin_cpu_supports("avx2") != 0);
    CHECK_INT(sc_processor_has(SC_AVX512F), __builtin_cpu_supports("avx512f") != 0);
    CHECK_INT(sc_processor_has(SC_AVX512BW), __builtin_cpu_supports("avx512bw") != 0);
    CHECK_INT(sc_processor_has(SC_AVX512VL), __builtin_cpu_supports("avx512vl") != 0);
    CHECK_INT(sc_processor_has(SC_AVX512VBMI2),
              __builtin_cpu_supports("avx512vbmi2") != 0);
#else
    for (int vectors = SC_AVX2; vectors <= SC_AVX512VBMI2; vectors++)
        CHECK(!sc_processor_has((sc_vectors)vectors));
#endif
}
