#include "mechanism/body/depth_levels.h"

#include "base/checked.h"
#include "base/memory.h"
#include "mechanism/selection/order_slice.h"

/* Places along directions. A row with a missing number is at the lower end of each. */

static int64_t low_end(const sc_body_space *s, const int32_t *a)
{
    int64_t low = 0;
    for (size_t j = 0; j < s->dimension; j++)
        low += a[j] < 0 ? a[j] * s->extent : 0;
    return low;
}

static int64_t high_end(const sc_body_space *s, const int32_t *a)
{
    int64_t high = 0;
    for (size_t j = 0; j < s->dimension; j++)
        high += a[j] > 0 ? a[j] * s->extent : 0;
    return high;
}

static int64_t place_of(const sc_body_space *s, const int32_t *a, const int64_t *row)
{
    int64_t sum = 0;
    for (size_t j = 0; j < s->dimension; j++) {
        if (row[j] == SC_DIRECTION_MISSING)
            return low_end(s, a);
        sum += a[j] * row[j];
    }
    return sum;
}

uint64_t sc_depth_of(const sc_body_space *s, const int64_t *rows, size_t count,
                     const int64_t *point)
{
    uint64_t depth = UINT64_MAX;
    for (size_t i = 0; i < s->directions.count; i++) {
        const int32_t *a = sc_direction_at(&s->directions, i);
        const int64_t at = place_of(s, a, point);
        uint64_t beyond = 0;
        for (size_t r = 0; r < count; r++)
            beyond += place_of(s, a, rows + r * s->dimension) >= at;
        depth = beyond < depth ? beyond : depth;
    }
    return depth;
}

/* Candidates. */

uint64_t sc_depth_points(const sc_body_space *s, uint64_t points, int64_t *stride)
{
    const uint64_t extent = (uint64_t)s->extent, gaps = points > 1 ? points - 1 : 1;
    *stride = (int64_t)((extent + gaps - 1) / gaps);
    return extent / (uint64_t)*stride + 1;
}

scrim_status sc_depth_levels_init(sc_depth_levels *d, const sc_body_space *space,
                                  const sc_depth_scale *scale, scrim_error *error)
{
    *d = (sc_depth_levels){.space = space,
                           .offset = scale->offset,
                           .step = scale->step,
                           .levels = scale->levels};
    d->points = sc_depth_points(space, scale->points, &d->stride);
    d->lines = space->dimension == 1 ? 1 : d->points;
    d->bounds = sc_allocate(scale->levels * space->directions.count, sizeof *d->bounds);
    return d->bounds != NULL ? SCRIM_OK : sc_no_memory(error, "depths");
}

void sc_depth_levels_clear(sc_depth_levels *d)
{
    if (d->bounds != NULL)
        sc_free_wiped(d->bounds,
                      d->levels * d->space->directions.count * sizeof *d->bounds);
    d->bounds = NULL;
}

/* The place of a rank, counted from 1: the run that holds it. Runs are asked for in falling order. */
static int64_t place_at(const sc_order_slice *slice, int64_t low, uint64_t rank,
                        size_t *run)
{
    while (*run > 0 && slice->below[*run] >= rank)
        --*run;
    return (int64_t)((uint64_t)low + slice->keys[*run]);
}

static scrim_status find_bounds(sc_depth_levels *d, sc_order_slice *slice,
                                const int64_t *places, size_t count, size_t direction,
                                scrim_error *error)
{
    const sc_body_space *s = d->space;
    const int32_t *a = sc_direction_at(&s->directions, direction);
    const sc_order_rows rows = {
        .rows = places, .count = count, .low = low_end(s, a), .high = high_end(s, a)};
    /* The rank of the first level, and that of the last one that has rows enough. */
    const uint64_t last = count - d->offset - d->step + 1,
                   first = last - (d->reached - 1) * d->step;
    const scrim_status status = sc_order_slice_find(slice, &rows, first, last, error);
    if (status != SCRIM_OK)
        return status;
    size_t run = slice->runs - 1;
    for (uint64_t j = 0; j < d->reached; j++)
        d->bounds[j * s->directions.count + direction] =
            place_at(slice, rows.low, last - j * d->step, &run);
    return SCRIM_OK;
}

/* So many ranks from the first level to the last; not more than there are rows. */
static size_t slice_width(const sc_depth_levels *d, size_t count)
{
    const sc_uint128 ranks = (sc_uint128)d->levels * d->step;
    return ranks < count ? (size_t)ranks : count;
}

static void tell(const sc_depth_levels *d, size_t directions)
{
    if (d->progress != NULL)
        d->progress(d->context, directions, d->space->directions.count + 1);
}

scrim_status sc_depth_levels_find(sc_depth_levels *d, const int64_t *rows, size_t count,
                                  scrim_error *error)
{
    const sc_body_space *s = d->space;
    const uint64_t enough = count > d->offset ? (count - d->offset) / d->step : 0;
    d->reached = enough < d->levels ? enough : d->levels;
    sc_order_slice slice = {.width = 0};
    int64_t *places = sc_allocate(count > 0 ? count : 1, sizeof *places);
    scrim_status status = places == NULL
                              ? sc_no_memory(error, "depths")
                              : sc_order_slice_init(&slice, slice_width(d, count), error);
    for (size_t i = 0; status == SCRIM_OK && i < s->directions.count; i++) {
        const int32_t *a = sc_direction_at(&s->directions, i);
        for (size_t r = 0; d->reached > 0 && r < count; r++)
            places[r] = place_of(s, a, rows + r * s->dimension);
        if (d->reached > 0)
            status = find_bounds(d, &slice, places, count, i, error);
        tell(d, i + 1);
    }
    sc_order_slice_clear(&slice);
    sc_free_wiped(places, count * sizeof *places);
    return status;
}

/* Counting. */

static int64_t floor_div(int64_t a, int64_t b)
{
    const int64_t q = a / b;
    return q - (a % b != 0 && (a < 0) != (b < 0));
}

/* Cuts first .. last down to the candidates k of a line with step k <= rest. */
static void cut(int64_t step, int64_t rest, int64_t *first, int64_t *last)
{
    if (step > 0) {
        const int64_t most = floor_div(rest, step);
        *last = most < *last ? most : *last;
    } else if (step < 0) {
        const int64_t least = -floor_div(rest, -step); /* ceil(rest/step) */
        *first = least > *first ? least : *first;
    } else if (rest < 0) {
        *last = -1;
    }
}

uint64_t sc_depth_line(const sc_depth_levels *d, uint64_t level, uint64_t line,
                       uint64_t *first)
{
    const sc_directions *all = &d->space->directions;
    int64_t from = 0, to = (int64_t)d->points - 1;
    *first = 0;
    if (level == 0)
        return d->points;
    if (level > d->reached)
        return 0;
    for (size_t i = 0; i < all->count; i++) {
        const int32_t *a = sc_direction_at(all, i);
        int64_t rest = d->bounds[(level - 1) * all->count + i];
        if (d->space->dimension == 2)
            rest -= a[1] * (int64_t)line * d->stride;
        cut(a[0] * d->stride, rest, &from, &to);
    }
    if (to < from)
        return 0;
    *first = (uint64_t)from;
    return (uint64_t)(to - from) + 1;
}

uint64_t sc_depth_count(const sc_depth_levels *d, uint64_t level)
{
    uint64_t count = 0, first;
    for (uint64_t line = 0; line < d->lines; line++)
        count += sc_depth_line(d, level, line, &first);
    return count;
}
