/* A mechanism whose law is what its parameters say, for tests of the audit and of whatever
 * takes a measurement: an answer is 0 with probability a, else 1; on one input it is b.
 *
 *     toy a=R b=R epsilon=R [delta=R rho=R where=N pairs=N rest=R lost=R]
 *
 * Pair i is the inputs 2i and 2i+1; b belongs to the second input of the pair where, from 0 on.
 * rest of the mass is not listed, but owned up to; lost is not. It claims (epsilon, delta) and,
 * where it is given, rho. */
#ifndef TOY_MECHANISM_H
#define TOY_MECHANISM_H

#include "model/measurement.h"

extern const sc_mechanism toy_mechanism;

/* From the line behind the name; a failed check and NULL when it is refused. */
scrim_measurement *toy_measurement(const char *line);

#endif
