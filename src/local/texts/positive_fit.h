/* Least squares with unknowns that are not negative, and the solver of their equations. */
#ifndef SC_LOCAL_POSITIVE_FIT_H
#define SC_LOCAL_POSITIVE_FIT_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

/* Symmetric positive definite systems in doubles, for estimates from released numbers. A matrix is
 * stored by rows, count x count; only its lower half is read. */

/* Replaces the lower half by its factor. The index of the first row that depends on those before
 * it; count: no row does, and the factor is whole. */
size_t sc_cholesky(double *matrix, size_t count);

/* The inverse of the matrix, from its factor, both halves; the factor is left alone. */
void sc_cholesky_inverse(const double *factor, size_t count, double *inverse);

/* Least squares whose unknowns are not negative, from the normal equations: the x >= 0 with the smallest
 * x'Gx/2 - r'x (Lawson, Hanson 1974, chapter 23), and the covariance of those that are positive.
 *
 * Claim  positive-fit.optimal  where x > 0 the gradient r - Gx is 0, and elsewhere it is not positive
 */

/* values: where to begin, none negative; then the solution. An unknown whose column depends on others is 0.
 * inverse: count x count, of G restricted to the positive unknowns, 0 elsewhere; NULL: not asked for. */
SCRIM_MUST_USE scrim_status sc_positive_fit(const double *gram, const double *right,
                                            size_t count, double *values, double *inverse,
                                            scrim_error *error);

#endif
