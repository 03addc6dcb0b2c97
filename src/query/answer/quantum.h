/* The beats of a clock at which an answer may be seen: where the owner has declared a quantum, what
 * happens to a question after its charge shows itself only at whole multiples of it, counted from
 * when the question began, so that who measures the time learns how many there were and no more
 * (THREATS A53). Whoever starts a process is also told how much processor time it took: what lacks
 * to a multiple is spent (A73).
 *
 * Claim  quantum.multiples  the wait ends at a whole multiple of the length, the first one that has
 *                           not passed and never the zeroth; without a length there is none
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
/* Returns not before the next multiple, whatever signals come. */
void sc_quantum_wait(const sc_quantum *quantum);

/* The multiple of length, above 0, at which somebody who comes after so long is let through. The
 * length is above 0, and both are below 2^62. */
uint64_t sc_quantum_next(uint64_t elapsed_ns, uint64_t length_ns);

#endif
