/* What the processor can do beyond what every one of its kind can, where the system lets programs use it.
 *
 * glibc looked when the program started. gcc would bring code of its own that looks again: 5 KB of a library.
 */
#ifndef SC_BASE_PROCESSOR_H
#define SC_BASE_PROCESSOR_H

#include <stdbool.h>

/* Instructions on vectors of x86-64. Other processors have none of them. */
typedef enum sc_vectors {
    SC_AVX2,
    SC_AVX512F,
    SC_AVX512BW,
    SC_AVX512VL,
    SC_AVX512VBMI2,
} sc_vectors;

bool sc_processor_has(sc_vectors vectors);

#endif
