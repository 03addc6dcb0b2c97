/* The public range of a number that is computed from a row, the grid it lies on, and its buckets: exact
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

#include "base/checked.h"
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

/* Buckets: BUCKET(x, width) groups by the multiples of a width that meet the public range of x. They
 * depend on public numbers only.
 *
 * Claim  bar-grid.tiles   every value of the range is in exactly one bucket, places are in the order
 *                         of the values, and first and last bucket are not empty of values
 * Claim  bar-grid.middle  the middle of a bucket is a value of the range, at most radius steps from
 *                         every value that the bucket has
 * Claim  bar-grid.reach   no value of the range is further from the start of its bucket than reach,
 *                         and one is as far
 */

/* The most buckets; more are SCRIM_E_LIMIT. A number is drawn for each bucket, empty or not, so that
 * neither time nor memory depends on how many hold rows. */
#define SC_BAR_GRID_COUNT ((uint64_t)1 << 20)
/* The widest bucket; wider ones are refused. */
#define SC_BAR_GRID_WIDTH ((int64_t)1 << 61)

typedef struct sc_bar_grid {
    int64_t low, high; /* the range, in steps */
    int64_t width;     /* of a bucket, in steps */
    int64_t first;     /* the first bucket begins at first * width */
    uint64_t count;
} sc_bar_grid;

/* |low|, |high| <= 2^62, low <= high; 1 <= width <= SC_BAR_GRID_WIDTH. */
sc_bar_grid sc_bar_grid_of(int64_t low, int64_t high, int64_t width);
/* The place of a value within the range, from 0 on. */
uint64_t sc_bar_grid_place(const sc_bar_grid *grid, int64_t value);
/* The first and the last value of a bucket, within the range, and the one in their middle. */
int64_t sc_bar_grid_low(const sc_bar_grid *grid, uint64_t place);
int64_t sc_bar_grid_high(const sc_bar_grid *grid, uint64_t place);
int64_t sc_bar_grid_middle(const sc_bar_grid *grid, uint64_t place);
/* The multiple of the width that a bucket begins at: its name, though the range may begin later. */
int64_t sc_bar_grid_start(const sc_bar_grid *grid, uint64_t place);
/* How far a value is from the middle of its bucket, at most: 0 for a width of 1. */
int64_t sc_bar_grid_radius(const sc_bar_grid *grid);
/* How far a value is from the start of its bucket, at most: 0 for a width of 1. */
int64_t sc_bar_grid_reach(const sc_bar_grid *grid);
/* The least width at which the range has at most `most` buckets, wherever it begins. May exceed
 * SC_BAR_GRID_WIDTH; INT64_MAX if it does not fit. most >= 2. */
int64_t sc_bar_grid_least_width(int64_t low, int64_t high, uint64_t most);

#endif
