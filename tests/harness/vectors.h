/* The golden vectors of tests/vectors, read with jansson. */
#ifndef VECTORS_H
#define VECTORS_H

#include <jansson.h>

/* The member of a vector file, e.g. vectors_load("mechanisms", "discrete_laplace"). The value
 * lives until the process ends; NULL, with a failed check, when it is not there. */
json_t *vectors_load(const char *file, const char *member);

#endif
