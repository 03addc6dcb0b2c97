#include "mechanism/body/direction_keys.h"

#include "base/checked.h"
#include "base/memory.h"
#include "base/workers.h"

#include <stdatomic.h>
#include <string.h>

static bool add_block(sc_direction_rows *r)
{
    if (!sc_make_room(&r->blocks, r->block_count, &r->capacity, sizeof *r->blocks))
        return false;
    int32_t *columns = sc_allocate(r->dimension * SC_DIRECTION_BLOCK, sizeof *columns);
    if (columns == NULL)
        return false;
    r->blocks[r->block_count++] = (sc_direction_block){.columns = columns};
    return true;
}

static bool is_missing(const sc_direction_rows *r, const int64_t *row)
{
    bool is = false;
    for (size_t j = 0; j < r->dimension; j++)
        is |= row[j] == SC_DIRECTION_MISSING;
    return is;
}

static int64_t clamped(int64_t c, int64_t extent)
{
    return c < 0 ? 0 : c > extent ? extent : c;
}

scrim_status sc_direction_rows_add(sc_direction_rows *r, const int64_t *row,
                                   const int64_t *extents, uint64_t copies,
                                   scrim_error *error)
{
    if (is_missing(r, row)) {
        r->missing += (size_t)copies;
        return SCRIM_OK;
    }
    for (uint64_t i = 0; i < copies; i++) {
        if ((r->block_count == 0 ||
             r->blocks[r->block_count - 1].count == SC_DIRECTION_BLOCK) &&
            !add_block(r))
            return sc_no_memory(error, "the rows of a body");
        sc_direction_block *block = &r->blocks[r->block_count - 1];
        for (size_t j = 0; j < r->dimension; j++)
            block->columns[j * SC_DIRECTION_BLOCK + block->count] =
                (int32_t)clamped(row[j], extents[j]);
        block->count++;
        r->complete++;
    }
    return SCRIM_OK;
}

scrim_status sc_direction_rows_join(sc_direction_rows *r, sc_direction_rows *from,
                                    scrim_error *error)
{
    for (; from->block_count > 0; from->block_count--) {
        if (!sc_make_room(&r->blocks, r->block_count, &r->capacity, sizeof *r->blocks))
            return sc_no_memory(error, "the rows of a body");
        const sc_direction_block *block = &from->blocks[from->block_count - 1];
        r->blocks[r->block_count++] = *block;
        r->complete += block->count;
        from->complete -= block->count;
    }
    r->missing += from->missing;
    from->missing = 0;
    return SCRIM_OK;
}

void sc_direction_rows_clear(sc_direction_rows *r)
{
    for (size_t i = 0; i < r->block_count; i++)
        sc_free_wiped(r->blocks[i].columns,
                      r->dimension * SC_DIRECTION_BLOCK * sizeof(int32_t));
    sc_free(r->blocks);
    *r = (sc_direction_rows){.dimension = r->dimension};
}

/* The list of blocks doubles when it is full, and while it is copied both are there: three
 * entries for each block. */
size_t sc_direction_rows_bytes(size_t dimension, size_t rows)
{
    const size_t blocks = rows / SC_DIRECTION_BLOCK + 1,
                 each = dimension * SC_DIRECTION_BLOCK * sizeof(int32_t) +
                        3 * sizeof(sc_direction_block);
    size_t bytes;
    return sc_size_mul(blocks, each, &bytes) ? bytes : SIZE_MAX;
}

#if defined __x86_64__
#include <immintrin.h>
#endif

/* SUMS directions are summed at once, so that a column is read once for all of them; the sums of
 * STRIP rows stay in registers. */
#define SUMS 4
#define STRIP 8

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

/* All products with this direction are multiples of 2 to this power, so a coarser grid loses
 * nothing. */
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
        return sc_no_memory(error, "directions");
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

/* Many rows. A block stays in the nearest cache while all directions are computed. Coordinates
 * and entries have 32 bits, products 64. */

typedef struct task_plan {
    size_t owns[SC_DIRECTION_AT_ONCE]; /* directions that are summed */
    size_t own_count;
    /* sum_of[i]: the place in owns of task->which[i]. Mirrored directions share a sum. */
    size_t sum_of[SC_DIRECTION_AT_ONCE];
} task_plan;

typedef struct block_sums {
    int64_t at[SUMS][SC_DIRECTION_BLOCK];
} block_sums;

/* SUMS directions from `first` on; the last one is repeated if there are fewer. */
static void take_entries(const sc_direction_keys *p, const task_plan *plan, size_t first,
                         const int32_t *a[SUMS])
{
    for (size_t i = 0; i < SUMS; i++) {
        const size_t at = first + i < plan->own_count ? first + i : plan->own_count - 1;
        a[i] = sc_direction_at(p->directions, plan->owns[at]);
    }
}

typedef void summing(const sc_direction_block *block, size_t dimension,
                     const int32_t *const a[SUMS], block_sums *out);

static void sum_plain(const sc_direction_block *block, size_t dimension,
                      const int32_t *const a[SUMS], block_sums *out)
{
    for (size_t i = 0; i < SUMS; i++)
        for (size_t r = 0; r < SC_DIRECTION_BLOCK; r += STRIP) {
            int64_t sum[STRIP] = {0};
            for (size_t j = 0; j < dimension; j++) {
                const int32_t *column = block->columns + j * SC_DIRECTION_BLOCK + r;
                for (size_t k = 0; k < STRIP; k++)
                    sum[k] += (int64_t)column[k] * a[i][j];
            }
            for (size_t k = 0; k < STRIP; k++)
                out->at[i][r + k] = sum[k];
        }
}

#if defined __x86_64__
__attribute__((target("avx2"))) static void sum_avx2(const sc_direction_block *block,
                                                     size_t dimension,
                                                     const int32_t *const a[SUMS],
                                                     block_sums *out)
{
    for (size_t r = 0; r < SC_DIRECTION_BLOCK; r += STRIP) {
        __m256i low[SUMS], high[SUMS];
        for (size_t i = 0; i < SUMS; i++)
            low[i] = high[i] = _mm256_setzero_si256();
        for (size_t j = 0; j < dimension; j++) {
            const int32_t *column = block->columns + j * SC_DIRECTION_BLOCK + r;
            const __m256i first = _mm256_cvtepi32_epi64(
                              _mm_loadu_si128((const __m128i *)(const void *)column)),
                          second = _mm256_cvtepi32_epi64(_mm_loadu_si128(
                              (const __m128i *)(const void *)(column + STRIP / 2)));
            for (size_t i = 0; i < SUMS; i++) {
                const __m256i entry = _mm256_set1_epi32(a[i][j]);
                low[i] = _mm256_add_epi64(low[i], _mm256_mul_epi32(first, entry));
                high[i] = _mm256_add_epi64(high[i], _mm256_mul_epi32(second, entry));
            }
        }
        for (size_t i = 0; i < SUMS; i++) {
            _mm256_storeu_si256((__m256i *)(void *)(out->at[i] + r), low[i]);
            _mm256_storeu_si256((__m256i *)(void *)(out->at[i] + r + STRIP / 2), high[i]);
        }
    }
}

static summing *usual_summing(void)
{
    return sc_processor_has(SC_AVX2) ? sum_avx2 : sum_plain;
}
#else
static summing *usual_summing(void)
{
    return sum_plain;
}
#endif

static void put_keys(const sc_direction_axis *axis, bool is_mirrored, const int64_t *sums,
                     size_t count, int64_t *keys)
{
    const uint64_t half = axis->shift == 0 ? 0 : (uint64_t)1 << (axis->shift - 1);
    const uint64_t from = half - (uint64_t)axis->low, sign = is_mirrored ? UINT64_MAX : 0,
                   end = is_mirrored ? axis->last + 1
                                     : 0; /* last - key is ~key + last + 1 */
    const unsigned shift = axis->shift;
    for (size_t r = 0; r < count; r++)
        keys[r] = (int64_t)(((((uint64_t)sums[r] + from) >> shift) ^ sign) + end);
}

typedef struct running {
    const sc_direction_keys *projection;
    const sc_direction_task *task;
    task_plan plan;
    const size_t *starts; /* of the rows of a block */
    summing *sum;
    atomic_size_t next; /* block; taken by all workers */
} running;

static void do_block(const running *s, size_t at, block_sums *sums)
{
    const sc_direction_keys *p = s->projection;
    const sc_direction_task *t = s->task;
    const sc_direction_block *block = &t->rows->blocks[at];
    for (size_t first = 0; first < s->plan.own_count; first += SUMS) {
        const int32_t *a[SUMS];
        take_entries(p, &s->plan, first, a);
        s->sum(block, p->directions->dimension, a, sums);
        for (size_t i = 0; i < t->which_count; i++) {
            const size_t sum = s->plan.sum_of[i];
            if (sum >= first && sum < first + SUMS)
                put_keys(&p->axes[t->which[i]],
                         p->directions->mirrors[t->which[i]] != SC_DIRECTION_ALONE,
                         sums->at[sum - first], block->count, t->keys[i] + s->starts[at]);
        }
    }
}

static scrim_status work(void *context, unsigned worker, scrim_error *error)
{
    running *s = context;
    block_sums *sums = sc_allocate(1, sizeof *sums);
    (void)worker;
    if (sums == NULL)
        return sc_no_memory(error, "directions");
    for (size_t at; (at = atomic_fetch_add(&s->next, 1)) < s->task->rows->block_count;)
        do_block(s, at, sums);
    sc_free_wiped(sums, sizeof *sums);
    return SCRIM_OK;
}

static void plan_task(const sc_direction_keys *p, const sc_direction_task *t,
                      task_plan *plan)
{
    plan->own_count = 0;
    for (size_t i = 0; i < t->which_count; i++) {
        const size_t other = p->directions->mirrors[t->which[i]],
                     own = other == SC_DIRECTION_ALONE ? t->which[i] : other;
        size_t k = 0;
        while (k < plan->own_count && plan->owns[k] != own)
            k++;
        plan->owns[k] = own;
        plan->sum_of[i] = k;
        plan->own_count += k == plan->own_count;
    }
}

static scrim_status run(const sc_direction_keys *p, const sc_direction_task *t,
                        summing *sum, scrim_error *error)
{
    running s = {.projection = p, .task = t, .sum = sum};
    size_t *starts = sc_allocate(t->rows->block_count + 1, sizeof *starts);
    if (starts == NULL)
        return sc_no_memory(error, "directions");
    for (size_t i = 0; i < t->rows->block_count; i++)
        starts[i + 1] = starts[i] + t->rows->blocks[i].count;
    s.starts = starts;
    plan_task(p, t, &s.plan);
    for (size_t i = 0; i < t->which_count; i++)
        memset(t->keys[i] + t->rows->complete, 0, t->rows->missing * sizeof *t->keys[i]);
    const scrim_status status = sc_workers_run(t->workers, work, &s, error);
    sc_free(starts);
    return status;
}

scrim_status sc_direction_keys_run(const sc_direction_keys *p, const sc_direction_task *t,
                                   scrim_error *error)
{
    return run(p, t, usual_summing(), error);
}

scrim_status sc_direction_keys_plain(const sc_direction_keys *p,
                                     const sc_direction_task *t, scrim_error *error)
{
    return run(p, t, sum_plain, error);
}
