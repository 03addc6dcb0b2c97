/* Exact order statistics of many integers around a rank, without sorting them all.
 *
 * Rows are int64_t as they come. Each is clamped to [low, high] as it is read, and counted from
 * low on: its key is clamp(x) - low. A slice holds the keys of the ranks first .. last as runs
 * of equal keys, each with the number of rows below it, so that ties cost nothing.
 *
 * A scan reads all rows, counts those in an interval of keys by bucket, and keeps them while there is room.
 * The first scan takes an interval that should hold the slice, by a sample. Usually it is the
 * only one: the slice's buckets are picked from the rows that were kept, and sorted. If too many
 * rows lie in the interval, or the slice lies outside, further scans narrow down either end.
 * The room depends on the width of the slice only, never on the rows: each scan divides an interval by 4096
 * however the rows lie, and a single key needs no room.
 *
 * Claim  order-slice.exact    the runs are those of the sorted clamped rows, for any rows
 * Claim  order-slice.bounded  memory is set by the width; there are at most 15 scans
 * Time   depends on the rows; spec/floating-body.md 4.3 leaves timing outside
 */
#ifndef SC_MECHANISM_SELECTION_ORDER_SLICE_H
#define SC_MECHANISM_SELECTION_ORDER_SLICE_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Rows with the range that they are clamped to, low < high. Nothing is owned. */
typedef struct sc_order_rows {
    const int64_t *rows;
    size_t count;
    int64_t low, high;
} sc_order_rows;

/* Room beside the slice's own rows: this many more rows may be gathered. */
#define SC_ORDER_SLACK ((size_t)1 << 18)
/* The sample that suggests where to count has at most this many rows. */
#define SC_ORDER_SAMPLE ((size_t)1 << 15)

typedef struct sc_order_slice {
    size_t width;    /* last - first + 1 is at most this */
    size_t room;     /* of keys and below */
    size_t touched;  /* how many entries of both may hold private values, to be wiped */
    uint64_t *keys;  /* of the runs, increasing */
    uint64_t *below; /* how many rows lie below each run */
    size_t runs;
    uint64_t upto;    /* how many rows lie below the last run, or in it */
    uint64_t *counts; /* by bucket */
    bool has_counts;  /* something has been counted */
    uint64_t *sample; /* sorted */
    size_t sampled;
    unsigned scans; /* of all rows, in the last search */
} sc_order_slice;

/* SCRIM_E_LIMIT when a slice of `width` rows has no room in memory, SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_order_slice_init(sc_order_slice *slice, size_t width,
                                                scrim_error *error);
/* Wipes; also a slice of zeros. */
void sc_order_slice_clear(sc_order_slice *slice);

/* Fills the runs so that they hold the ranks first .. last, counted from 1, and perhaps some
 * beside them: 1 <= first <= last <= rows->count. SCRIM_E_INTERNAL when that is not so, or
 * the rows change meanwhile. */
SCRIM_MUST_USE scrim_status sc_order_slice_find(sc_order_slice *slice,
                                                const sc_order_rows *rows, uint64_t first,
                                                uint64_t last, scrim_error *error);

/* The rows up to the end of run i. */
static inline uint64_t sc_order_slice_upto(const sc_order_slice *slice, size_t i)
{
    return i + 1 < slice->runs ? slice->below[i + 1] : slice->upto;
}

/* How many keys are below `key`, and how many equal it: from the runs, or false if they do not tell; */
bool sc_order_slice_locate(const sc_order_slice *slice, uint64_t key, uint64_t *below,
                           uint64_t *equal);
/* or by a scan of all rows. */
void sc_order_count(const sc_order_rows *rows, uint64_t key, uint64_t *below,
                    uint64_t *equal);

#endif
