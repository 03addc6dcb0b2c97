/* Masses for tests: from vectors, from text, and at random; and the linear programme that the
 * distances are held against. */
#ifndef MASS_LISTS_H
#define MASS_LISTS_H

#include "check.h"
#include "distance/wasserstein.h"

#include <jansson.h>

/* |a - b|: the same numbers as those of the line, by the general road. */
extern const sc_ground ground_line;

/* A fixed sequence of numbers below n, from a seed. */
uint64_t mass_random(uint64_t *state, uint64_t n);

/* Each initialises out, sorted; what cannot be read is a failed check. An object of places with
 * masses, whole or "a/b": the least whole multiple of it. */
void mass_list_json(const json_t *object, sc_masses *out);
/* "0:2 10:1": places with masses. */
void mass_list(const char *text, sc_masses *out);
/* From 1 to places places out of 0..range-1 with masses from 1 to most. */
void mass_list_random(uint64_t *state, size_t places, uint64_t range, uint64_t most,
                      sc_masses *out);

/* The largest sum of value[i n + j] x[i n + j] over all x >= 0 with row sums at most p, column
 * sums at most q and a sum of at most need: the simplex method by Bland's rule in integers, which
 * it stays in because such a matrix has no other minors than -1, 0 and 1. At most 8 by 8. */
int64_t transport_lp(size_t m, size_t n, const int64_t *p, const int64_t *q,
                     const int64_t *value, int64_t need);

#endif
