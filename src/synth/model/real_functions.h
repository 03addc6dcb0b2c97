/* exp and log for models, in additions, multiplications and divisions alone: the same bits on every machine,
 * which libm does not promise, and several at once where the processor can.
 *
 * Claim  real-functions.accurate  exp is within 4 units of the last place for results from 2^-1020 on, log within
 *                                 4 units of the last place or 1e-16
 * Claim  real-functions.same      every way of the machine gives the same bits
 */
#ifndef SC_SYNTH_REAL_FUNCTIONS_H
#define SC_SYNTH_REAL_FUNCTIONS_H

#include <stdbool.h>
#include <stddef.h>

/* values[i] = exp(values[i] - shift). The difference is at most 700; below -707, and for -inf, the result is 0. */
void sc_real_exp_all(double *values, size_t count, double shift);
/* The same in a way of one's own choice, for tests. False: this machine cannot. */
typedef enum sc_real_way { SC_REAL_AVX2, SC_REAL_PLAIN } sc_real_way;
bool sc_real_exp_by(sc_real_way way, double *values, size_t count, double shift);
/* x > 0 and normal. */
double sc_real_log(double x);

#endif
