/* The largest value of a linear function over half-spaces, by the simplex method on active rows.
 *
 * It starts from a point of the body and walks along the function until as many rows are active as there are
 * dimensions: a vertex. There it drops the row with the most negative multiplier, follows the edge to the next row, and
 * ends when no multiplier is negative. After 20 steps of length 0 it takes rows by their numbers (Bland), which cannot
 * cycle. A further function over the same body starts at the last vertex.
 *
 * Claim  linear-program.optimal  the point is in the body, and the multipliers prove that no point of it is better,
 *                                both within 1e-9
 *
 * Reference  spec/floating-body.md 7.1
 */
#ifndef SC_SOLVE_LINEAR_PROGRAM_H
#define SC_SOLVE_LINEAR_PROGRAM_H

#include "base/status.h"
#include "solve/half_spaces.h"

#include <stdbool.h>

typedef struct sc_linear_program sc_linear_program;

/* For bodies of this dimension with at most this many rows. NULL: no memory. */
sc_linear_program *sc_linear_program_new(size_t dimension, size_t rows_max);
void sc_linear_program_free(sc_linear_program *program); /* NULL is allowed */

/* The next solution starts from x, a point of spaces, which must outlive it. */
void sc_linear_program_start(sc_linear_program *program, const sc_half_spaces *spaces,
                             const double *x);

typedef enum sc_linear_end { SC_LINEAR_OPTIMAL, SC_LINEAR_UNBOUNDED } sc_linear_end;
/* Maximises <c, x>. SCRIM_E_INTERNAL: it did not end within its bound on steps. */
SCRIM_MUST_USE scrim_status sc_linear_program_solve(sc_linear_program *program,
                                                    const double *c, sc_linear_end *end,
                                                    scrim_error *error);

/* After an optimum: the point, and the active rows with their multipliers, as many as there are dimensions. */
const double *sc_linear_program_point(const sc_linear_program *program);
const size_t *sc_linear_program_active(const sc_linear_program *program);
const double *sc_linear_program_multipliers(const sc_linear_program *program);

#endif
