/* A convex function of the columns of a body, read from text.
 *
 *     (age - 40)^2 + 3 * abs(hours - 38)        max(x, y) - x        norm(x - 1, y)        exp(0.1 * income) - 2 * income
 *
 * Terms are numbers and names of columns, a name that is no word between double quotes; + - * / ^ and brackets; abs, max,
 * min, exp, log, sqrt and norm (the root of the sum of squares). Curvature is followed through the text: what is not
 * convex by these rules is refused, but for polynomials of degree 2, whose Hessian tells.
 *
 * Claim  objective.convex    no text that is taken is a function that is not convex, but for such polynomials
 * Claim  objective.gradient  the gradient belongs to the value
 */
#ifndef SC_SOLVE_OBJECTIVE_H
#define SC_SOLVE_OBJECTIVE_H

#include "solve/convex_program.h"
#include "solve/solid.h"

#define SC_OBJECTIVE_BYTES 4096

typedef struct sc_objective sc_objective;

/* Names are those of the body. SCRIM_E_SYNTAX, SCRIM_E_LIMIT, SCRIM_E_PARAM: not convex, or an unknown column. */
SCRIM_MUST_USE scrim_status sc_objective_parse(const sc_body *body, const char *text,
                                               sc_objective **out, scrim_error *error);
void sc_objective_free(sc_objective *objective); /* NULL is allowed */

/* As a function of places of the solid, which must outlive it. Threads may share it. */
sc_convex_function sc_objective_function(sc_objective *objective, const sc_solid *solid);

#endif
