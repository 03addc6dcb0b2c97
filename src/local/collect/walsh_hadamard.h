/* The Walsh-Hadamard transform of 2^s numbers, in place: out[i] = sum of x[y] (-1)^parity(i & y). Twice is
 * 2^s times the numbers. Integers whose absolute values add up to less than 2^53 stay exact. */
#ifndef SC_LOCAL_WALSH_HADAMARD_H
#define SC_LOCAL_WALSH_HADAMARD_H

#include <stddef.h>

void sc_walsh_hadamard(double *x, size_t count);

#endif
