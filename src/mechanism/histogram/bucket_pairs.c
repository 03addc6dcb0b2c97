#include "mechanism/histogram/bucket_pairs.h"

/* Under replace, rows that stay: small numbers, and one of each bucket that makes it the worst. */
#define SMALL 4
#define STAYS (SMALL + 1)

static size_t width_of(const sc_bucket_family *f)
{
    return f->buckets->dimensions + (f->buckets->is_labelled ? 1 : 0);
}

/* Rows that a table of a pair may have. */
static size_t room(const sc_bucket_family *f)
{
    return SC_PAIR_VALUES / width_of(f);
}

static size_t least(size_t a, uint64_t b)
{
    return b < a ? (size_t)b : a;
}

static bool has_two(const sc_bucket_family *f)
{
    return f->is_replace && f->buckets->count > 1;
}

/* Rows that stay in the bucket that gets some, and then in the one that loses them: the first, of
 * q + 1 - group, gives away its lowest answers; of half of q, the second has no ratio that the end
 * at 0 hides. */
static size_t stay(const sc_bucket_family *f, size_t index, bool is_other, size_t spare)
{
    if (index < SMALL)
        return least(spare, index);
    return least(spare, is_other ? (f->q + 1) / 2 : f->q + 1 - f->group);
}

size_t sc_bucket_pair_count(const sc_bucket_family *f)
{
    if (f->group > room(f))
        return 0;
    if (has_two(f))
        return (size_t)STAYS * STAYS;
    return least(room(f) - (size_t)f->group, 2 * f->q + 2) + 1;
}

typedef enum where { FIRST, OTHER, NOWHERE } where;

/* Rows in the first bucket, in another one, or such as are left out. */
static void put_rows(const sc_bucket_family *f, size_t rows, where at, int64_t *out,
                     size_t *count)
{
    const sc_buckets *b = f->buckets;
    for (size_t row = 0; row < rows; row++) {
        for (size_t i = 0; i < width_of(f); i++)
            out[*count + i] = at == NOWHERE ? -1 : 0;
        if (at == OTHER)
            out[*count + b->dimensions - (b->is_labelled ? 0 : 1)] = 1;
        *count += width_of(f);
    }
}

void sc_bucket_pair(const sc_bucket_family *f, size_t index, sc_pair *out)
{
    const size_t group = (size_t)f->group;
    out->x_count = out->y_count = 0;
    if (!has_two(f)) {
        put_rows(f, index, FIRST, out->x, &out->x_count);
        put_rows(f, f->is_replace ? group : 0, NOWHERE, out->x, &out->x_count);
        put_rows(f, index + group, FIRST, out->y, &out->y_count);
        return;
    }
    const size_t spare = room(f) - group;
    const size_t a = stay(f, index % STAYS, false, spare),
                 b = stay(f, index / STAYS, true, spare - a);
    put_rows(f, a, FIRST, out->x, &out->x_count);
    put_rows(f, b + group, OTHER, out->x, &out->x_count);
    put_rows(f, a + group, FIRST, out->y, &out->y_count);
    put_rows(f, b, OTHER, out->y, &out->y_count);
}
