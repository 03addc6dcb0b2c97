/* The golden vectors of tests/vectors, read with jansson. An integer that does not fit 64
 * bits comes as a string of its digits. */
#ifndef VECTORS_H
#define VECTORS_H

#include <jansson.h>
#include <stdint.h>

/* The member of a vector file, e.g. vectors_load("mechanisms", "discrete_laplace"). The
 * value lives until the test ends; NULL, with a failed check, when it is not there. */
json_t *vectors_load(const char *file, const char *member);
/* Gives back all that was loaded; the runner calls it when a test has ended. */
void vectors_forget(void);

/* A member of a row: its text, NULL when it is not a text; a number that is not negative. */
const char *vectors_text(const json_t *row, const char *name);
uint64_t vectors_number(const json_t *row, const char *name);

#endif
