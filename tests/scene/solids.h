/* Half-spaces for tests: random ones around 0, in memory of their own. */
#ifndef SOLIDS_H
#define SOLIDS_H

#include "solve/half_spaces.h"

#include <jansson.h>
#include <stdint.h>

#define SOLIDS_DIMENSIONS 64

/* A uniform number from 0 to 1 and a standard normal one; the state is any number. */
double solids_uniform(uint64_t *state);
double solids_normal(uint64_t *state);
/* The axes with both signs and then random directions of length 1, each at a distance from 0.5 to 1.5 of 0; at least
 * 2 d rows. */
void solids_random(size_t dimension, size_t rows, uint64_t seed, sc_half_spaces *out);
void solids_clear(sc_half_spaces *spaces);

/* All numbers of a list, and of lists in it; how many there are, at most most. */
size_t solids_numbers(const json_t *list, double *out, size_t most);

#endif
