/* Computes the steps of a formula (query/language/question.h), on numbers and on bounds of numbers (interval arithmetic): exactly, in
 * rationals.
 *
 * Claim  formula-bounds.value  a step is what it is in rational arithmetic: a quotient by 0 is NULL,
 *                              halves are rounded up, LEAST, GREATEST and COALESCE pass over NULL
 * Claim  formula-bounds.hold   numbers within the bounds of the parts give a number within the bounds of the step, or
 *                              NULL, which they do only if may_be_null is set
 */
#ifndef SC_QUERY_FORMULA_BOUNDS_H
#define SC_QUERY_FORMULA_BOUNDS_H

#include "base/number/ratio.h"
#include "query/language/question.h"

typedef struct sc_formula_number {
    sc_ratio number;
    bool is_null;
} sc_formula_number;

void sc_formula_number_init(sc_formula_number *number);
void sc_formula_number_clear(sc_formula_number *number);

/* The value of one step, from the numbers of all steps before it. */
void sc_formula_number_of(const sc_formula_step *step, const sc_formula_number *all,
                          sc_formula_number *out);

typedef struct sc_formula_bounds {
    sc_ratio low, high;
    bool has_low, has_high; /* false: unbounded on that side */
    bool may_be_null;
    bool
        is_open; /* a divisor may be 0: any value is possible here, and in later steps that use this one */
} sc_formula_bounds;

void sc_formula_bounds_init(sc_formula_bounds *bounds); /* no ends */
void sc_formula_bounds_clear(sc_formula_bounds *bounds);
void sc_formula_bounds_set(sc_formula_bounds *out, const sc_formula_bounds *bounds);
void sc_formula_bounds_set_point(sc_formula_bounds *out, const sc_ratio *point);
void sc_formula_bounds_set_all(sc_formula_bounds *out); /* no ends */
/* sum += times * more. */
void sc_formula_bounds_add(sc_formula_bounds *sum, const sc_formula_bounds *more,
                           const sc_ratio *times);
/* Extends finite bounds to include a number. */
void sc_formula_bounds_reach(sc_formula_bounds *bounds, const sc_ratio *number);
/* Clamps both ends to `within`. */
void sc_formula_bounds_cut(sc_formula_bounds *bounds, const sc_formula_bounds *within);

/* The bounds of one step, from those of all steps before it. */
void sc_formula_bounds_of(const sc_formula_step *step, const sc_formula_bounds *all,
                          sc_formula_bounds *out);

#endif
