/* Symmetric positive definite systems in doubles, for estimates from released numbers. A matrix is
 * stored by rows, count x count; only its lower half is read. */
#ifndef SC_LOCAL_CHOLESKY_H
#define SC_LOCAL_CHOLESKY_H

#include <stdbool.h>
#include <stddef.h>

/* Replaces the lower half by its factor. The index of the first row that depends on those before it;
 * count: there is none, and the factor is whole. */
size_t sc_cholesky(double *matrix, size_t count);
/* Solves by the factor, in place. */
void sc_cholesky_solve(const double *factor, size_t count, double *vector);
/* The inverse of the matrix, from its factor, both halves; the factor is left alone. */
void sc_cholesky_inverse(const double *factor, size_t count, double *inverse);

#endif
