/* Real numbers of models: exp and log, the integer of a count, and the nearest vector of a given
 * sum. */
#ifndef SC_SYNTH_REAL_FUNCTIONS_H
#define SC_SYNTH_REAL_FUNCTIONS_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* exp and log for models, in additions, multiplications and divisions alone: the same bits on every machine,
 * which libm does not promise, and several at once where the processor can.
 *
 * Claim  real-functions.accurate  exp is within 4 units of the last place for results from 2^-1020 on, log within
 *                                 4 units of the last place or 1e-16
 * Claim  real-functions.same      every way of the machine gives the same bits
 */

/* values[i] = exp(values[i] - shift). The difference is at most 700; below -707, and for -inf, the result is 0. */
void sc_real_exp_all(double *values, size_t count, double shift);
/* The same in a way of one's own choice, for tests. False: this machine cannot. */
typedef enum sc_real_way { SC_REAL_AVX2, SC_REAL_PLAIN } sc_real_way;
bool sc_real_exp_by(sc_real_way way, double *values, size_t count, double shift);
/* x > 0 and normal. */
double sc_real_log(double x);

/* A model's answer as the integer that data may be compared with: floor(A + 1/2), decoded exactly, from 0 to
 * 2^40, 0 for what is not a number. The model is public, so that any integer would be sound.
 *
 * Claim  rounded-count.exact  the result is floor(A + 1/2) of the double A itself, without a rounded sum
 *
 * Reference  spec/synthetic.md 1, rounding rule
 */

/* Rounded answers, and totals of models, are at most this. */
#define SC_SYNTH_COUNT_MAX ((int64_t)1 << 40)

int64_t sc_rounded_count(double answer);

/* The nearest non-negative vector of a given sum, in doubles: y_i - t where that is above 0, else 0. */

/* count >= 1 and total >= 0. SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_simplex_fit(const double *values, size_t count,
                                           double total, double *out, scrim_error *error);

#endif
