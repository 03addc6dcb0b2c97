/* The quantum of time that an owner declares: answers and failures after a charge are seen only at whole
 * multiples of it, counted from the beginning of the question. A measured time then tells how many multiples
 * passed, and no more (THREATS A53). The caller of a process also sees its processor time, so the process
 * spends time until that is a multiple too (A73).
 *
 * Claim  quantum.multiples  the wait ends at a whole multiple of the length, the first one that has
 *                           not passed and never the zeroth; without a length nobody waits
 * Claim  quantum.processor  so is the processor time of the process when the wait ends, within a
 *                           millisecond
 */
#ifndef SC_QUERY_QUANTUM_H
#define SC_QUERY_QUANTUM_H

#include <stdint.h>

typedef struct sc_quantum {
    uint64_t start_ns;  /* by a clock that is never set */
    uint64_t length_ns; /* 0: nobody waits */
} sc_quantum;

sc_quantum sc_quantum_start(uint64_t length_ns);
/* Returns at the next multiple or later; signals do not shorten the wait. */
void sc_quantum_wait(const sc_quantum *quantum);

/* The first positive multiple of the length that is at least the elapsed time. The length is above 0, and both are
 * below 2^62. */
uint64_t sc_quantum_next(uint64_t elapsed_ns, uint64_t length_ns);

#endif
