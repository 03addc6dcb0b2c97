/* A symmetric law written out: its probabilities and tails at consecutive integers, each from
 * its neighbour, which takes a multiplication where a law asked number by number takes
 * exponentials and theta sums. */
#ifndef SC_MECHANISM_LAW_SEQUENCE_H
#define SC_MECHANISM_LAW_SEQUENCE_H

#include "sampling/law.h"

/* Precision that the recurrences may lose over 2^20 steps. */
#define SC_SEQUENCE_GUARD 64

/* sum + [0, x]: a rest that is known to be at most x joins a sum. */
void sc_ball_add_rest(sc_ball *sum, const sc_ball *x, long bits);

/* out[k] = P(X = k), k = 0 .. count - 1. */
void sc_law_pmf_sequence(const sc_law *law, size_t count, long bits, sc_ball *out);
/* out[m - 1] = P(X >= m), m = 1 .. count, each accurate relative to itself. False without
 * memory. */
bool sc_law_tail_sequence(const sc_law *law, size_t count, long bits, sc_ball *out);

#endif
