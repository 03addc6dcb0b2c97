/* Instructions an operation takes, counted by callgrind: valgrind runs this program once
 * more, with --counting, and there each case does n operations and then 2n in a function that
 * is the only one to be counted. The difference is free of what a call costs whatever n is.
 */
#ifndef INSTRUCTIONS_H
#define INSTRUCTIONS_H

#include "bench.h"

/* Counts the cases of the bench program with these further arguments (ended by NULL). False,
 * with a line on standard error, when they could not be counted. */
bool instructions_count(char *const *arguments);
/* Of one operation of the case, or BENCH_UNKNOWN. */
double instructions_of(const char *name);

/* In the process that is counted: does the operations of a case, and says so to the process
 * that asked. */
void instructions_run(const bench_case *c);

#endif
