#include "mechanism/body/direction_arithmetic.h"

/* Below this length a vector is as good as none. */
#define SHORT (SC_DIRECTION_ONE >> 8)

uint64_t sc_direction_root(sc_uint128 x)
{
    uint64_t root = 0;
    for (int bit = 63; bit >= 0; bit--) {
        const uint64_t tried = root | (uint64_t)1 << bit;
        if ((sc_uint128)tried * tried <= x)
            root = tried;
    }
    return root;
}

/* x y in fixed point, rounded to nearest. */
static int64_t product(int64_t x, int64_t y)
{
    const sc_int128 half = (sc_int128)1 << (SC_DIRECTION_FIXED - 1);
    return (int64_t)(((sc_int128)x * y + half) >> SC_DIRECTION_FIXED);
}

/* The circle. Series of an angle of at most an eighth of a turn, in finer steps. */

#define FINE 60
/* floor(2 pi 2^60), of 63 bits. */
#define WHOLE_TURN ((sc_uint128)7244019458077122842)

static int64_t fine_product(int64_t x, int64_t y)
{
    return (int64_t)((sc_int128)x * y >> FINE);
}

/* sum of (-1)^k angle^(2k + first)/(2k + first)!. */
static int64_t series(int64_t angle, int first)
{
    const int64_t square = fine_product(angle, angle);
    int64_t term = first == 0 ? (int64_t)1 << FINE : angle, sum = term;
    for (int k = first + 1; term != 0; k += 2) {
        term = -fine_product(term, square) / ((int64_t)k * (k + 1));
        sum += term;
    }
    return sum;
}

static int64_t coarse(int64_t fine)
{
    const int shift = FINE - SC_DIRECTION_FIXED;
    return (fine + ((int64_t)1 << (shift - 1))) >> shift;
}

/* From 0 to a quarter of a turn. */
static void quarter(uint64_t turn, uint64_t turns, int64_t *x, int64_t *y)
{
    const bool is_far = 8 * turn > turns;
    const uint64_t near = is_far ? turns / 4 - turn : turn;
    const int64_t angle = (int64_t)(WHOLE_TURN * near / turns);
    const int64_t along = coarse(series(angle, 0)), across = coarse(series(angle, 1));
    *x = is_far ? across : along;
    *y = is_far ? along : across;
}

void sc_direction_circle(uint64_t turn, uint64_t turns, int64_t *x, int64_t *y)
{
    const uint64_t each = turns / 4;
    int64_t a, b;
    quarter(turn % each, turns, &a, &b);
    switch (turn / each % 4) {
    case 0:
        *x = a, *y = b;
        break;
    case 1:
        *x = -b, *y = a;
        break;
    case 2:
        *x = -a, *y = -b;
        break;
    default:
        *x = b, *y = -a;
        break;
    }
}

/* Vectors. */

static int64_t inner(const int64_t *a, const int64_t *b, size_t count)
{
    sc_int128 sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += (sc_int128)a[i] * b[i];
    return (int64_t)(sum >> SC_DIRECTION_FIXED);
}

static bool make_unit(int64_t *v, size_t count)
{
    sc_uint128 squares = 0;
    for (size_t i = 0; i < count; i++)
        squares += (sc_uint128)((sc_int128)v[i] * v[i]);
    const int64_t length = (int64_t)sc_direction_root(squares);
    if (length < SHORT)
        return false;
    for (size_t i = 0; i < count; i++)
        v[i] = (int64_t)((sc_int128)v[i] * SC_DIRECTION_ONE / length);
    return true;
}

bool sc_direction_join(int64_t *v, const int64_t *units, size_t known, size_t count)
{
    /* Again, on a vector of length 1: what rounding has left of the others is gone then. */
    for (int turn = 0; turn < 3; turn++) {
        for (size_t k = 0; k < known; k++) {
            const int64_t *unit = units + k * count, along = inner(v, unit, count);
            for (size_t i = 0; i < count; i++)
                v[i] -= product(along, unit[i]);
        }
        if (!make_unit(v, count))
            return false;
    }
    return true;
}
