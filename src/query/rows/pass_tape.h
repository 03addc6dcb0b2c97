/* Passes of test builds. */
#ifndef SC_QUERY_PASS_PASS_TAPE_H
#define SC_QUERY_PASS_PASS_TAPE_H

#ifndef SCRIM_TESTING
#error "pass_tape.h is for test builds"
#endif

#include <stddef.h>

/* How many discovered keys a worker holds at most, so that a test can have parts of a small table; 0:
 * as many as its class says. */
extern size_t sc_pass_most_keys;

#endif
