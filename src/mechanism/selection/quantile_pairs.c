#include "mechanism/selection/quantile_pairs.h"

#include "base/checked.h"

/* Multisets of so many rows on so many points: C(rows + points - 1, rows); 2^40 and more is
 * told as 2^40. */
static uint64_t multisets(size_t rows, size_t points)
{
    const uint64_t many = (uint64_t)1 << 40;
    uint64_t count = 1;
    for (size_t i = 1; i < points; i++) {
        count = count * (rows + i) / i; /* C(rows + i, i) at each step */
        if (count > many)
            return many;
    }
    return count;
}

/* Units that x and y may have: one alone under add-remove, two that differ under replace. */
static uint64_t units_on(const sc_quantile_family *f, size_t points)
{
    uint64_t units = multisets(f->unit, points);
    if (f->neighbours != SCRIM_REPLACE || units > SC_QUANTILE_PAIRS_MAX)
        return units;
    return units * (units - 1) / 2;
}

/* As many points as there are, and fewer where units of many rows would make too many pairs. */
static size_t points_of(const sc_quantile_family *f)
{
    uint64_t largest = (uint64_t)f->high - (uint64_t)f->low;
    size_t points =
        largest < SC_QUANTILE_POINTS ? (size_t)largest + 1 : SC_QUANTILE_POINTS;
    while (points > 2 && units_on(f, points) > SC_QUANTILE_PAIRS_MAX / 10)
        points--;
    return points;
}

static int64_t point_at(const sc_quantile_family *f, size_t i)
{
    if (i == 0)
        return f->low;
    uint64_t largest = (uint64_t)f->high - (uint64_t)f->low;
    uint64_t place = (uint64_t)((sc_uint128)largest * i / (points_of(f) - 1));
    return (int64_t)((uint64_t)f->low + place);
}

/* The multiset of a number, from the largest rows down: of those with the largest row at point
 * v there are as many as multisets of one row less on the points up to v. */
static void list_multiset(const sc_quantile_family *f, size_t rows, uint64_t number,
                          int64_t *out)
{
    size_t points = points_of(f);
    for (size_t i = rows; i > 0; i--) {
        size_t v = 0;
        while (v + 1 < points && number >= multisets(i - 1, v + 1))
            number -= multisets(i - 1, ++v);
        out[i - 1] = point_at(f, v);
        points = v + 1;
    }
}

static uint64_t unit_pairs(const sc_quantile_family *f)
{
    return units_on(f, points_of(f));
}

static uint64_t pairs_with(const sc_quantile_family *f, size_t common)
{
    uint64_t tables = multisets(common, points_of(f)), units = unit_pairs(f);
    return tables > SC_QUANTILE_PAIRS_MAX || units > SC_QUANTILE_PAIRS_MAX
               ? (uint64_t)SC_QUANTILE_PAIRS_MAX * SC_QUANTILE_PAIRS_MAX
               : tables * units;
}

size_t sc_quantile_pair_count(const sc_quantile_family *f)
{
    const size_t most = f->rows - f->unit;
    uint64_t count = 0;
    for (size_t common = 0; common <= most; common++) {
        uint64_t more = count + pairs_with(f, common);
        if (more > SC_QUANTILE_PAIRS_MAX)
            break;
        count = more;
    }
    return (size_t)count;
}

/* Two different numbers below units, from the place of the pair. */
static void two_units(uint64_t place, uint64_t *a, uint64_t *b)
{
    *b = 1;
    while (place >= *b)
        place -= (*b)++;
    *a = place;
}

void sc_quantile_pair(const sc_quantile_family *f, size_t index, sc_pair *out)
{
    size_t common = 0;
    uint64_t place = index;
    while (place >= pairs_with(f, common))
        place -= pairs_with(f, common++);
    const uint64_t units = unit_pairs(f);
    list_multiset(f, common, place / units, out->x);
    list_multiset(f, common, place / units, out->y);
    out->x_count = out->y_count = common;
    if (f->neighbours == SCRIM_REPLACE) {
        uint64_t a, b;
        two_units(place % units, &a, &b);
        list_multiset(f, f->unit, a, out->x + common);
        list_multiset(f, f->unit, b, out->y + common);
        out->x_count += f->unit;
    } else {
        list_multiset(f, f->unit, place % units, out->y + common);
    }
    out->y_count += f->unit;
}
