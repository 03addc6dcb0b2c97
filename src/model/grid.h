/* The public grid on which values are rounded: the one door from a data double.
 *
 * A grid has a step, a power of 2 or of 10, and a range. Any value whatever becomes an integer
 * number of steps: clamped to the range, then rounded half up. NaN becomes the declared missing
 * value. No value is an error, and nothing here is floating-point arithmetic: of a double, the
 * sign, exponent and mantissa are read as integers.
 *
 * Claim  grid.total     every double, and every rational, has a place on the grid: the clamped
 *                       value x gives floor(x/step + 1/2), exactly
 * Claim  grid.distance  two values at a distance of at most D lie at most ceil(D/step) steps
 *                       apart: half up commutes with shifts by a step, half to even does not
 *
 * Step, range and missing value are public; taking any of them from data is not private.
 *
 * Reference  spec/mechanisms.md 3.1
 */
#ifndef SC_MODEL_GRID_H
#define SC_MODEL_GRID_H

#include "base/number/ratio.h"

/* The range is at most 2^62 steps to either side, so that sums of 2^64 values fit 128 bits. */
#define SC_GRID_BITS 62
/* The step is from 2^-1100 to 2^1100, or from 10^-330 to 10^330. */
#define SC_GRID_EXPONENT_BINARY 1100
#define SC_GRID_EXPONENT_DECIMAL 330

typedef struct sc_grid {
    bool is_decimal;
    int exponent;      /* the step is 10^exponent, or 2^exponent */
    int64_t low, high; /* in steps, low < high */
    int64_t missing;   /* in steps, low <= missing <= high */
} sc_grid;

/* SCRIM_E_PARAM, naming the parameter, when the step is not a power of 2 or 10, when lower is not
 * below upper, when lower, upper or missing is not a multiple of the step, or missing lies
 * outside; SCRIM_E_LIMIT beyond the sizes above. missing may be NULL: then it is lower. */
SCRIM_MUST_USE scrim_status sc_grid_init(sc_grid *grid, const sc_ratio *step,
                                         const sc_ratio *lower, const sc_ratio *upper,
                                         const sc_ratio *missing, scrim_error *error);

/* The step as a rational. */
void sc_grid_step(const sc_grid *grid, sc_ratio *out);

/* The place of a value that is in steps already. */
static inline int64_t sc_grid_clamp(const sc_grid *grid, sc_int128 steps)
{
    const sc_int128 cut = steps < grid->low ? grid->low : steps;
    return cut > grid->high ? grid->high : (int64_t)cut;
}
/* The place of a value, in steps. */
int64_t sc_grid_of_double(const sc_grid *grid, double x);
int64_t sc_grid_of_ratio(const sc_grid *grid, const sc_ratio *x);
/* The exact value of a double; infinity is beyond all others. False for NaN. */
bool sc_grid_value_of_double(double x, sc_ratio *value);

/* A sensitivity D in the values' own unit becomes this many steps by rounding: ceil(D/step) for one
 * coordinate; floor(D/step) + changed for the l1 norm of a vector of which at most `changed`
 * coordinates change; and, rounded up, D/step + sqrt(changed) for the l2 norm. D >= 0; changed may be 0. */
void sc_grid_sensitivity_upper(const sc_grid *grid, const sc_ratio *distance,
                               sc_integer *out);
void sc_grid_sensitivity_l1_upper(const sc_grid *grid, const sc_ratio *distance,
                                  uint64_t changed, sc_integer *out);
void sc_grid_sensitivity_l2_upper(const sc_grid *grid, const sc_ratio *distance,
                                  uint64_t changed, sc_ratio *out);

#endif
