#include "query/language/extent.h"

static bool is_within(sc_int128 value)
{
    return value >= -SC_EXTENT_MAX && value <= SC_EXTENT_MAX;
}

static sc_uint128 common_divisor(sc_uint128 a, sc_uint128 b)
{
    while (b != 0) {
        const sc_uint128 rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* A fraction above 0, reduced; false beyond the limits. */
static bool set_step(sc_int128 numerator, sc_int128 denominator, sc_value_step *out)
{
    const sc_int128 divisor =
        (sc_int128)common_divisor((sc_uint128)numerator, (sc_uint128)denominator);
    numerator /= divisor;
    denominator /= divisor;
    if (!is_within(numerator) || !is_within(denominator))
        return false;
    *out = (sc_value_step){(int64_t)numerator, (int64_t)denominator};
    return true;
}

/* Products of parts of steps are below 2^124. */
static sc_int128 wide(int64_t a, int64_t b)
{
    return (sc_int128)a * b;
}

static bool multiply_steps(sc_value_step a, sc_value_step b, sc_value_step *out)
{
    return set_step(wide(a.numerator, b.numerator), wide(a.denominator, b.denominator),
                    out);
}

static bool divide_steps(sc_value_step a, sc_value_step b, sc_value_step *out)
{
    return multiply_steps(a, (sc_value_step){b.denominator, b.numerator}, out);
}

bool sc_step_equal(sc_value_step a, sc_value_step b)
{
    return a.numerator == b.numerator && a.denominator == b.denominator;
}

bool sc_extent_is_constant(const sc_extent *extent)
{
    return extent->low == extent->high;
}

static bool is_zero(const sc_extent *extent)
{
    return extent->low == 0 && extent->high == 0;
}

/* Extents of constants and columns. */

static bool part_of(const sc_integer *part, int64_t *out)
{
    sc_int128 value;
    if (!sc_integer_get_int128(part, &value) || !is_within(value))
        return false;
    *out = (int64_t)value;
    return true;
}

static bool step_of(const sc_ratio *value, sc_value_step *out)
{
    SC_OWN(sc_integer, numerator, denominator);
    sc_ratio_numerator(value, &numerator);
    sc_ratio_denominator(value, &denominator);
    sc_value_step step;
    const bool fits =
        part_of(&numerator, &step.numerator) && part_of(&denominator, &step.denominator);
    if (fits)
        *out = step;
    return fits;
}

bool sc_extent_of_ratio(const sc_ratio *value, sc_extent *out)
{
    const int sign = sc_ratio_sign(value);
    sc_extent extent = {.low = sign, .high = sign, .step = {1, 1}};
    if (sign != 0 && !step_of(value, &extent.step))
        return false;
    if (sign < 0)
        extent.step.numerator = -extent.step.numerator;
    *out = extent;
    return true;
}

bool sc_extent_of_grid(const sc_grid *grid, sc_extent *out)
{
    sc_extent extent = {.low = grid->low, .high = grid->high};
    SC_OWN(sc_ratio, step);
    sc_grid_step(grid, &step);
    const bool fits = step_of(&step, &extent.step);
    if (fits)
        *out = extent;
    return fits;
}

bool sc_extent_count_of(const sc_extent *c, sc_value_step step, int64_t *count)
{
    sc_value_step ratio;
    if (is_zero(c)) {
        *count = 0;
        return true;
    }
    if (!divide_steps(c->step, step, &ratio))
        return false;
    const sc_int128 product = wide(ratio.numerator, c->low);
    if (product % ratio.denominator != 0 || !is_within(product / ratio.denominator))
        return false;
    *count = (int64_t)(product / ratio.denominator);
    return true;
}

void sc_extent_value(sc_value_step step, int64_t count, sc_ratio *out)
{
    SC_OWN(sc_integer, numerator, denominator);
    sc_integer_set_int128(&numerator, wide(step.numerator, count));
    sc_integer_set_int128(&denominator, step.denominator);
    sc_ratio_set_fraction(out, &numerator, &denominator);
}

/* Operations. */

bool sc_extent_common(const sc_extent *a, const sc_extent *b, sc_value_step *step,
                      int64_t *times_a, int64_t *times_b)
{
    /* Zero lies on every grid. */
    const sc_value_step of_a = is_zero(a) ? b->step : a->step;
    const sc_value_step of_b = is_zero(b) ? a->step : b->step;
    sc_value_step common, ratio_a, ratio_b;
    /* p/q and r/s are whole multiples of gcd(p s, r q) / (q s), and of nothing coarser. */
    const sc_int128 left = wide(of_a.numerator, of_b.denominator);
    const sc_int128 right = wide(of_b.numerator, of_a.denominator);
    if (!set_step((sc_int128)common_divisor((sc_uint128)left, (sc_uint128)right),
                  wide(of_a.denominator, of_b.denominator), &common) ||
        !divide_steps(of_a, common, &ratio_a) || !divide_steps(of_b, common, &ratio_b))
        return false;
    *step = common;
    *times_a = ratio_a.numerator;
    *times_b = ratio_b.numerator;
    return true;
}

static bool set_range(sc_int128 low, sc_int128 high, sc_value_step step, sc_extent *out)
{
    if (!is_within(low) || !is_within(high))
        return false;
    *out = (sc_extent){(int64_t)low, (int64_t)high, step};
    return true;
}

bool sc_extent_scale(const sc_extent *a, int64_t times, sc_value_step step,
                     sc_extent *out)
{
    const sc_int128 low = wide(a->low, times), high = wide(a->high, times);
    return times >= 0 ? set_range(low, high, step, out) : set_range(high, low, step, out);
}

bool sc_extent_add(const sc_extent *a, const sc_extent *b, sc_extent *out)
{
    return set_range((sc_int128)a->low + b->low, (sc_int128)a->high + b->high, a->step,
                     out);
}

bool sc_extent_subtract(const sc_extent *a, const sc_extent *b, sc_extent *out)
{
    return set_range((sc_int128)a->low - b->high, (sc_int128)a->high - b->low, a->step,
                     out);
}

void sc_extent_join(const sc_extent *a, const sc_extent *b, sc_extent *out)
{
    *out = (sc_extent){a->low < b->low ? a->low : b->low,
                       a->high > b->high ? a->high : b->high, a->step};
}

bool sc_extent_multiply(const sc_extent *a, const sc_extent *b, bool is_square,
                        sc_extent *out)
{
    const sc_int128 corners[] = {wide(a->low, b->low), wide(a->low, b->high),
                                 wide(a->high, b->low), wide(a->high, b->high)};
    sc_int128 low = corners[0], high = corners[0];
    sc_value_step step;
    for (size_t i = 1; i < 4; i++) {
        low = corners[i] < low ? corners[i] : low;
        high = corners[i] > high ? corners[i] : high;
    }
    if (is_square && low < 0) /* 0 is between them */
        low = 0;
    return multiply_steps(a->step, b->step, &step) && set_range(low, high, step, out);
}

bool sc_extent_constant_step(const sc_extent *c, sc_value_step *out)
{
    return set_step(wide(c->step.numerator, c->low < 0 ? -c->low : c->low),
                    c->step.denominator, out);
}

bool sc_extent_multiply_constant(const sc_extent *a, const sc_extent *c, int64_t *times,
                                 sc_extent *out)
{
    sc_value_step step;
    *times = c->low < 0 ? -1 : 1;
    return sc_extent_constant_step(c, &step) && multiply_steps(a->step, step, &step) &&
           sc_extent_scale(a, *times, step, out);
}

bool sc_extent_divide_constant(const sc_extent *a, const sc_extent *c, int64_t *times,
                               sc_extent *out)
{
    sc_value_step step;
    *times = c->low < 0 ? -1 : 1;
    return sc_extent_constant_step(c, &step) && divide_steps(a->step, step, &step) &&
           sc_extent_scale(a, *times, step, out);
}

void sc_extent_absolute(const sc_extent *a, sc_extent *out)
{
    const int64_t left = a->low < 0 ? -a->low : a->low;
    const int64_t right = a->high < 0 ? -a->high : a->high;
    const int64_t least = left < right ? left : right;
    *out = (sc_extent){a->low <= 0 && a->high >= 0 ? 0 : least,
                       left > right ? left : right, a->step};
}

bool sc_extent_quotient(const sc_extent *a, sc_value_step width, bool is_rounded,
                        sc_quotient *quotient, sc_extent *out)
{
    sc_value_step ratio;
    sc_extent inside;
    if (!divide_steps(a->step, width, &ratio))
        return false;
    /* floor(n t / b + 1/2) = floor((2 n t + b) / (2 b)) */
    const int64_t twice = is_rounded ? 2 : 1;
    if (ratio.numerator > SC_EXTENT_MAX / twice ||
        ratio.denominator > SC_EXTENT_MAX / twice)
        return false;
    *quotient = (sc_quotient){ratio.numerator * twice, is_rounded ? ratio.denominator : 0,
                              ratio.denominator * twice};
    if (!set_range(wide(a->low, quotient->times) + quotient->plus,
                   wide(a->high, quotient->times) + quotient->plus, width, &inside) ||
        !is_within(wide(a->low, quotient->times)))
        return false;
    *out = (sc_extent){sc_floor_divide(inside.low, quotient->by),
                       sc_floor_divide(inside.high, quotient->by), width};
    return true;
}

sc_bar_grid sc_bar_grid_of(int64_t low, int64_t high, int64_t width)
{
    const int64_t first = sc_floor_divide(low, width);
    return (sc_bar_grid){.low = low,
                         .high = high,
                         .width = width,
                         .first = first,
                         .count = (uint64_t)sc_floor_divide(high, width) -
                                  (uint64_t)first + 1};
}

uint64_t sc_bar_grid_place(const sc_bar_grid *grid, int64_t value)
{
    return (uint64_t)sc_floor_divide(value, grid->width) - (uint64_t)grid->first;
}

int64_t sc_bar_grid_start(const sc_bar_grid *grid, uint64_t place)
{
    return (grid->first + (int64_t)place) * grid->width;
}

int64_t sc_bar_grid_low(const sc_bar_grid *grid, uint64_t place)
{
    const int64_t start = sc_bar_grid_start(grid, place);
    return start < grid->low ? grid->low : start;
}

int64_t sc_bar_grid_high(const sc_bar_grid *grid, uint64_t place)
{
    const sc_int128 last = (sc_int128)sc_bar_grid_start(grid, place) + (grid->width - 1);
    return last > grid->high ? grid->high : (int64_t)last;
}

int64_t sc_bar_grid_middle(const sc_bar_grid *grid, uint64_t place)
{
    const int64_t low = sc_bar_grid_low(grid, place);
    return low + (sc_bar_grid_high(grid, place) - low) / 2;
}

int64_t sc_bar_grid_radius(const sc_bar_grid *grid)
{
    const sc_int128 values = (sc_int128)grid->high - grid->low + 1;
    return (int64_t)((grid->width < values ? grid->width : values) / 2);
}

int64_t sc_bar_grid_reach(const sc_bar_grid *grid)
{
    /* If there are several buckets, the first one has all values up to its end. */
    return sc_bar_grid_high(grid, 0) - sc_bar_grid_start(grid, 0);
}

int64_t sc_bar_grid_least_width(int64_t low, int64_t high, uint64_t most)
{
    /* n values meet at most (n - 2) / width + 2 buckets, for n >= 2. */
    const sc_int128 values = (sc_int128)high - low + 1;
    const sc_int128 between = (sc_int128)most - 1;
    if (values <= (sc_int128)most)
        return 1;
    const sc_int128 width = (values - 2) / between + 1;
    return width < INT64_MAX ? (int64_t)width : INT64_MAX;
}
