/* The smallest value of a convex function over a bounded body, with a proof how far off it can be.
 *
 * Linear functions take one linear programme. A quadratic one is a projection in the metric of its Hessian; where that
 * has directions without curvature, steps are held near the last point until it stays. Others take cutting planes: the
 * largest of all tangents that were met is below the function, its least value over the body is a linear programme, and
 * the function is looked at there next. The gap is always
 *
 *     value - (a lower bound of the function over the whole body)
 *
 * Claim  convex-program.gap  no point of the body has a value below value - gap, for a convex function
 *
 * Reference  Kelley 1960; spec/papers-additions.md 4.3
 */
#ifndef SC_SOLVE_CONVEX_PROGRAM_H
#define SC_SOLVE_CONVEX_PROGRAM_H

#include "base/status.h"
#include "solve/half_spaces.h"

/* 1 or 2: a polynomial of this degree at most; 0: any convex function. */
typedef struct sc_convex_function {
    /* The value at x, and a subgradient. Not finite: x is outside of its domain. */
    double (*value)(const void *context, const double *x, double *gradient);
    const void *context;
    int degree;
} sc_convex_function;

typedef struct sc_convex_minimum {
    double value, gap;
    size_t steps; /* of cutting planes, or of the quadratic programme */
} sc_convex_minimum;

#define SC_CONVEX_STEPS 1000

/* From start, a point of the body, to x. The gap is at most tolerance times the range of the values that were met, if
 * SC_CONVEX_STEPS suffice; it says so itself. SCRIM_E_PARAM: the function is not convex, or not finite in the body;
 * SCRIM_E_MEMORY, SCRIM_E_INTERNAL. */
SCRIM_MUST_USE scrim_status sc_convex_minimise(
    const sc_half_spaces *spaces, const double *start, const sc_convex_function *function,
    double tolerance, double *x, sc_convex_minimum *out, scrim_error *error);

#endif
