#include "data/value/contribution.h"

#include "base/checked.h"

bool sc_bounds_are_whole(const sc_bounds *bounds)
{
    return bounds->total > 0 || (bounds->groups > 0 && bounds->rows > 0);
}

bool sc_bounds_equal(const sc_bounds *a, const sc_bounds *b)
{
    return a->groups == b->groups && a->rows == b->rows && a->total == b->total;
}

sc_bounds sc_bounds_over(const sc_bounds *said, const sc_bounds *defaults)
{
    sc_bounds own = *said;
    if (sc_bounds_are_whole(said))
        return own;
    if (own.groups == 0)
        own.groups = defaults->groups;
    if (own.rows == 0)
        own.rows = defaults->rows;
    own.total = defaults->total;
    return own;
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

sc_bounds sc_bounds_normal(const sc_bounds *bounds, uint64_t groups)
{
    sc_bounds n = {.groups = bounds->groups > 0 ? bounds->groups : bounds->total,
                   .rows = bounds->rows > 0 ? bounds->rows : bounds->total};
    if (groups > 0)
        n.groups = smaller(n.groups, groups);
    /* At most 10^9 groups of 10^9 rows, below 2^60; wider bounds are in 128 bits. */
    const sc_uint128 most = (sc_uint128)n.groups * n.rows;
    n.total = bounds->total > 0 && bounds->total < most ? bounds->total
              : most < UINT64_MAX                       ? (uint64_t)most
                                                        : UINT64_MAX;
    n.rows = smaller(n.rows, n.total);
    n.groups = smaller(n.groups, n.total);
    return n;
}
