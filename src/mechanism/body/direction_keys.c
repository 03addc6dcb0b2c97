#include "mechanism/body/direction_keys.h"

#include "base/checked.h"
#include "base/memory.h"
#include "base/workers.h"

#include <stdatomic.h>

/* Rows that are turned into columns at a time, and those that are summed in registers. */
#define BLOCK 1024
#define STRIP 8
/* Added to an entry, which is at least -2^30. */
#define RAISE ((uint32_t)1 << SC_DIRECTION_BITS)

/* The grid of a direction. */

static void span_of(const sc_direction_keys *p, const int32_t *a, int64_t *low,
                    int64_t *high)
{
    *low = *high = 0;
    for (size_t j = 0; j < p->directions->dimension; j++) {
        const int64_t end = (int64_t)a[j] * p->extents[j];
        *(end < 0 ? low : high) += end;
    }
}

static uint64_t last_key(uint64_t span, unsigned shift)
{
    const uint64_t half = shift == 0 ? 0 : (uint64_t)1 << (shift - 1);
    return (span + half) >> shift;
}

/* All places along a direction are multiples of 2 to this power. */
static unsigned common_power(const int32_t *a, size_t dimension)
{
    uint32_t all = 0;
    for (size_t j = 0; j < dimension; j++)
        all |= (uint32_t)a[j];
    return all == 0 ? 0 : (unsigned)__builtin_ctz(all);
}

static void mirror(const sc_direction_axis *of, sc_direction_axis *axis)
{
    *axis = *of;
    axis->origin = -(of->origin + ((sc_int128)of->last << of->shift));
}

static bool set_axis(const sc_direction_keys *p, size_t i, uint64_t cells)
{
    const size_t other = p->directions->mirrors[i];
    sc_direction_axis *axis = &p->axes[i];
    int64_t high;
    if (other != SC_DIRECTION_ALONE) {
        mirror(&p->axes[other], axis);
        return true;
    }
    span_of(p, sc_direction_at(p->directions, i), &axis->low, &high);
    if (high == axis->low)
        return false;
    const uint64_t span = (uint64_t)high - (uint64_t)axis->low;
    axis->shift =
        common_power(sc_direction_at(p->directions, i), p->directions->dimension);
    while (last_key(span, axis->shift) > cells)
        axis->shift++;
    axis->last = last_key(span, axis->shift);
    axis->origin = axis->low;
    return true;
}

scrim_status sc_direction_keys_init(sc_direction_keys *p, const sc_directions *directions,
                                    const int64_t *extents, uint64_t cells,
                                    scrim_error *error)
{
    *p = (sc_direction_keys){.directions = directions};
    if (cells == 0 || cells > SC_DIRECTION_CELLS)
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "cells",
                                 "a direction has from 1 to 1e12 cells");
    for (size_t j = 0; j < directions->dimension; j++) {
        if (extents[j] < 1 || extents[j] > SC_DIRECTION_EXTENT)
            return sc_fail(error, SCRIM_E_INTERNAL, "a coordinate has no extent");
        p->extents[j] = extents[j];
    }
    p->axes = sc_allocate(directions->count, sizeof *p->axes);
    if (p->axes == NULL)
        return sc_fail(error, SCRIM_E_MEMORY, "out of memory for directions");
    for (size_t i = 0; i < directions->count; i++)
        if (!set_axis(p, i, cells)) {
            sc_direction_keys_clear(p);
            return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE,
                                     "directions", "direction %zu has no length", i + 1);
        }
    return SCRIM_OK;
}

void sc_direction_keys_clear(sc_direction_keys *p)
{
    sc_free(p->axes);
    p->axes = NULL;
}

/* One row. */

static int64_t clamped(int64_t c, int64_t extent)
{
    return c < 0 ? 0 : c > extent ? extent : c;
}

static int64_t key_at(const sc_direction_axis *axis, int64_t sum)
{
    const uint64_t half = axis->shift == 0 ? 0 : (uint64_t)1 << (axis->shift - 1);
    return (int64_t)(((uint64_t)sum - (uint64_t)axis->low + half) >> axis->shift);
}

int64_t sc_direction_key(const sc_direction_keys *p, const int64_t *row, size_t direction)
{
    const sc_directions *d = p->directions;
    const sc_direction_axis *axis = &p->axes[direction];
    const size_t other = d->mirrors[direction];
    const int32_t *a =
        sc_direction_at(d, other == SC_DIRECTION_ALONE ? direction : other);
    int64_t sum = 0;
    for (size_t j = 0; j < d->dimension; j++) {
        if (row[j] == SC_DIRECTION_MISSING)
            return 0;
        sum += a[j] * clamped(row[j], p->extents[j]);
    }
    const int64_t key = key_at(axis, sum);
    return other == SC_DIRECTION_ALONE ? key : (int64_t)axis->last - key;
}

/* Many. A block of rows is turned into columns of 32-bit numbers; products of two of them are of 64 bits. The same code is
 * compiled again for wider registers, for processors that have them. */

#define INLINE static inline __attribute__((always_inline))

typedef struct block {
    uint32_t *columns;       /* dimension times BLOCK */
    uint64_t present[BLOCK]; /* all bits, or none in a row with a missing number */
    uint64_t all[BLOCK];     /* 2^30 times the sum of a row's numbers */
    uint64_t sums[BLOCK];
} block;

INLINE void turn_rows(const sc_direction_keys *p, const int64_t *rows, size_t count,
                      block *b)
{
    const size_t d = p->directions->dimension;
    for (size_t r = 0; r < BLOCK; r++) {
        b->present[r] = UINT64_MAX;
        b->all[r] = 0;
    }
    for (size_t j = 0; j < d; j++) {
        uint32_t *column = b->columns + j * BLOCK;
        const int64_t extent = p->extents[j], *at = rows + j;
        for (size_t r = 0; r < count; r++, at += d) {
            const int64_t c = *at;
            b->present[r] &= 0 - (uint64_t)(c != SC_DIRECTION_MISSING);
            column[r] = (uint32_t)clamped(c, extent);
        }
        for (size_t r = count; r < BLOCK; r++)
            column[r] = 0;
        for (size_t r = 0; r < BLOCK; r++)
            b->all[r] += (uint64_t)column[r] << SC_DIRECTION_BITS;
    }
}

/* Sums of a_j c_j, modulo 2^64: a_j + 2^30 is not negative, and 2^30 times the sum of all c_j is taken away again. */
INLINE void sum_block(const sc_direction_keys *p, const int32_t *a, block *b)
{
    const size_t d = p->directions->dimension;
    uint32_t raised[SC_DIRECTION_DIMENSIONS];
    for (size_t j = 0; j < d; j++)
        raised[j] = (uint32_t)a[j] + RAISE;
    for (size_t r = 0; r < BLOCK; r += STRIP) {
        uint64_t sum[STRIP];
        for (size_t k = 0; k < STRIP; k++)
            sum[k] = 0 - b->all[r + k];
        for (size_t j = 0; j < d; j++) {
            const uint32_t *column = b->columns + j * BLOCK + r;
            for (size_t k = 0; k < STRIP; k++)
                sum[k] += (uint64_t)column[k] * raised[j];
        }
        for (size_t k = 0; k < STRIP; k++)
            b->sums[r + k] = sum[k];
    }
}

INLINE void put_keys(const sc_direction_axis *axis, bool is_mirrored, const block *b,
                     size_t count, int64_t *keys)
{
    const uint64_t half = axis->shift == 0 ? 0 : (uint64_t)1 << (axis->shift - 1);
    const uint64_t from = half - (uint64_t)axis->low, sign = is_mirrored ? UINT64_MAX : 0,
                   end = is_mirrored ? axis->last + 1
                                     : 0; /* last - key is ~key + last + 1 */
    const unsigned shift = axis->shift;
    for (size_t r = 0; r < count; r++)
        keys[r] =
            (int64_t)(((((b->sums[r] + from) >> shift) ^ sign) + end) & b->present[r]);
}

INLINE void do_block(const sc_direction_keys *p, const sc_direction_task *t, size_t first,
                     block *b)
{
    const size_t rest = t->count - first, count = rest < BLOCK ? rest : BLOCK;
    size_t summed = SC_DIRECTION_ALONE;
    turn_rows(p, t->rows + first * p->directions->dimension, count, b);
    for (size_t i = 0; i < t->which_count; i++) {
        const size_t which = t->which[i], other = p->directions->mirrors[which];
        const bool is_mirrored = other != SC_DIRECTION_ALONE;
        const size_t own = is_mirrored ? other : which;
        if (own != summed)
            sum_block(p, sc_direction_at(p->directions, own), b);
        summed = own;
        put_keys(&p->axes[which], is_mirrored, b, count, t->keys[i] + first);
    }
}

static void do_plain(const sc_direction_keys *p, const sc_direction_task *t, size_t first,
                     block *b)
{
    do_block(p, t, first, b);
}

#if defined __x86_64__
__attribute__((target("avx2"))) static void
do_wide(const sc_direction_keys *p, const sc_direction_task *t, size_t first, block *b)
{
    do_block(p, t, first, b);
}

static bool has_wide(void)
{
    return __builtin_cpu_supports("avx2");
}
#else
#define do_wide do_plain

static bool has_wide(void)
{
    return false;
}
#endif

typedef struct running {
    const sc_direction_keys *projection;
    const sc_direction_task *task;
    atomic_size_t next; /* block; taken by all workers */
    bool is_wide;
} running;

static scrim_status work(void *context, unsigned worker, scrim_error *error)
{
    running *s = context;
    const size_t blocks = (s->task->count + BLOCK - 1) / BLOCK,
                 bytes = s->projection->directions->dimension * BLOCK * sizeof(uint32_t);
    block b = {.columns = sc_allocate(s->projection->directions->dimension * BLOCK,
                                      sizeof(uint32_t))};
    (void)worker;
    if (b.columns == NULL)
        return sc_fail(error, SCRIM_E_MEMORY, "out of memory for directions");
    for (;;) {
        const size_t at = atomic_fetch_add(&s->next, 1);
        if (at >= blocks)
            break;
        (s->is_wide ? do_wide : do_plain)(s->projection, s->task, at * BLOCK, &b);
    }
    sc_free_wiped(b.columns, bytes);
    sc_wipe(&b, sizeof b);
    return SCRIM_OK;
}

scrim_status sc_direction_keys_run(const sc_direction_keys *p,
                                   const sc_direction_task *task, scrim_error *error)
{
    running s = {.projection = p, .task = task, .is_wide = has_wide()};
    return sc_workers_run(task->workers, work, &s, error);
}
