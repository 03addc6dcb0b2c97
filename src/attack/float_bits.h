/* Naive Laplace noise in double precision, and which counts can have led to an answer. */
#ifndef SC_ATTACK_FLOAT_BITS_H
#define SC_ATTACK_FLOAT_BITS_H

#include <stdbool.h>
#include <stdint.h>

/* x + noise by inversion: the upper 53 bits of the word are a uniform number, the lowest is the sign. */
double sc_float_answer(int x, double scale, uint64_t word);
/* Can this answer come from x? */
bool sc_float_is_possible(int x, double scale, double answer);

#endif
