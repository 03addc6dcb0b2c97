/* The public range of a number that is computed from a row, and the grid it lies on: exact
 * integers, derived from the declared ranges of the columns and never from a row.
 *
 * A number is an integer count of steps, the step a fraction above 0; its extent says between
 * which counts it lies. Each operation below gives the extent of a result from those of its
 * operands, or says that it would leave the limits.
 *
 * Claim  extent.sound  whatever values the operands take within their extents, the result is a
 *                      whole number of its steps and lies within its extent; and every integer
 *                      that sc_expression computes on the way lies within SC_EXTENT_MAX
 */
#ifndef SC_QUERY_EXTENT_H
#define SC_QUERY_EXTENT_H

#include "base/number/ratio.h"
#include "model/grid.h"

/* Counts of steps, numerators and denominators are at most this far from 0. */
#define SC_EXTENT_MAX ((int64_t)1 << SC_GRID_BITS)

/* A fraction above 0 in lowest terms, both parts at most SC_EXTENT_MAX. */
typedef struct sc_value_step {
    int64_t numerator, denominator;
} sc_value_step;

typedef struct sc_extent {
    int64_t low, high; /* in steps, low <= high */
    sc_value_step step;
} sc_extent;

bool sc_extent_is_constant(const sc_extent *extent);
bool sc_step_equal(sc_value_step a, sc_value_step b);

/* The extent of a constant: the step is its distance from 0, the count 1, 0 or -1. False when it
 * is beyond the limits. */
bool sc_extent_of_ratio(const sc_ratio *value, sc_extent *out);
/* The extent of a column. False when its step is beyond the limits. */
bool sc_extent_of_grid(const sc_grid *grid, sc_extent *out);
/* How many steps the constant c is; false when it is not a whole number of them within the
 * limits. */
bool sc_extent_count_of(const sc_extent *c, sc_value_step step, int64_t *count);
/* count steps, as a rational. */
void sc_extent_value(sc_value_step step, int64_t count, sc_ratio *out);

/* The coarsest step on which both lie, and how many of it go into a step of each. */
bool sc_extent_common(const sc_extent *a, const sc_extent *b, sc_value_step *step,
                      int64_t *times_a, int64_t *times_b);
/* Counts times an integer, on a step that the caller gives. */
bool sc_extent_scale(const sc_extent *a, int64_t times, sc_value_step step,
                     sc_extent *out);
/* Operands on the same step. */
bool sc_extent_add(const sc_extent *a, const sc_extent *b, sc_extent *out);
bool sc_extent_subtract(const sc_extent *a, const sc_extent *b, sc_extent *out);
void sc_extent_join(const sc_extent *a, const sc_extent *b, sc_extent *out);
/* Operands on any steps; counts are multiplied. is_square: both are the same number. */
bool sc_extent_multiply(const sc_extent *a, const sc_extent *b, bool is_square,
                        sc_extent *out);
/* a times or divided by the constant c; times is the sign that counts are to be multiplied by. c
 * is not 0. */
bool sc_extent_multiply_constant(const sc_extent *a, const sc_extent *c, int64_t *times,
                                 sc_extent *out);
bool sc_extent_divide_constant(const sc_extent *a, const sc_extent *c, int64_t *times,
                               sc_extent *out);
/* The distance of a constant other than 0 from 0. */
bool sc_extent_constant_step(const sc_extent *c, sc_value_step *out);
void sc_extent_absolute(const sc_extent *a, sc_extent *out);

/* floor(x / width), or floor(x / width + 1/2), of counts n of a is
 * floor((n * times + plus) / by); the result is a count of widths. */
typedef struct sc_quotient {
    int64_t times, plus, by; /* by > 0 */
} sc_quotient;
bool sc_extent_quotient(const sc_extent *a, sc_value_step width, bool is_rounded,
                        sc_quotient *quotient, sc_extent *out);

/* floor(a / b), b > 0. */
static inline int64_t sc_floor_divide(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

#endif
