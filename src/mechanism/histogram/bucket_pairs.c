#include "mechanism/histogram/bucket_pairs.h"

/* Under replace, rows of each of the two buckets that stay. */
#define STAY 4

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

size_t sc_bucket_pair_count(const sc_bucket_family *f)
{
    if (f->group > room(f))
        return 0;
    const size_t spare = room(f) - (size_t)f->group;
    if (!f->is_replace)
        return least(spare, 2 * f->q + 2) + 1;
    const size_t each = least(STAY, spare / 2 + 1);
    return each * each;
}

/* Rows in the first bucket, or in another one if there is any. */
static void put_rows(const sc_bucket_family *f, size_t rows, bool is_other, int64_t *out,
                     size_t *count)
{
    const sc_buckets *b = f->buckets;
    for (size_t row = 0; row < rows; row++) {
        for (size_t i = 0; i < width_of(f); i++)
            out[*count + i] = 0;
        if (is_other && b->is_labelled)
            out[*count + b->dimensions] = 1;
        else if (is_other && b->per_axis > 1)
            out[*count + b->dimensions - 1] = 1;
        *count += width_of(f);
    }
}

void sc_bucket_pair(const sc_bucket_family *f, size_t index, sc_pair *out)
{
    const size_t group = (size_t)f->group;
    out->x_count = out->y_count = 0;
    if (!f->is_replace) {
        put_rows(f, index, false, out->x, &out->x_count);
        put_rows(f, index + group, false, out->y, &out->y_count);
        return;
    }
    const size_t each = least(STAY, (room(f) - group) / 2 + 1);
    const size_t a = index % each, b = index / each;
    put_rows(f, a + group, false, out->x, &out->x_count);
    put_rows(f, b, true, out->x, &out->x_count);
    put_rows(f, a, false, out->y, &out->y_count);
    put_rows(f, b + group, true, out->y, &out->y_count);
}
