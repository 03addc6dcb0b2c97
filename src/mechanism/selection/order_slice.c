#include "mechanism/selection/order_slice.h"

#include "base/checked.h"
#include "base/memory.h"

#include <string.h>

#define BUCKET_BITS 12
#define BUCKETS ((size_t)1 << BUCKET_BITS)
/* Rows are counted in this many tables in turn: consecutive equal keys would wait for each other in a single counter. */
#define LANES 4
#define STRIPE (BUCKETS + 1)
#define COUNTS (LANES * STRIPE)

/* Fewer rows than this are sorted at once; of more, every 16th or fewer are sampled. */
#define FEW 4096
#define SAMPLE_STRIDE 16

#define DIGIT_BITS 11
#define DIGITS ((size_t)1 << DIGIT_BITS)

/* An interval of keys that is known to hold the row of a rank. */
typedef struct interval {
    uint64_t low, high;
    uint64_t below, inside; /* rows */
} interval;

/* One end of the slice that is looked for. */
typedef struct end {
    uint64_t rank;
    interval at;
    bool is_wary; /* the sample was wrong once, so it is not used any more */
} end;

scrim_status sc_order_slice_init(sc_order_slice *slice, size_t width, scrim_error *error)
{
    sc_order_slice new = {.width = width};
    size_t bytes;
    /* A run for each end that is resolved stands beside what is gathered. */
    if (!sc_size_add(width, SC_ORDER_SLACK + 2, &new.room) ||
        !sc_size_mul(new.room, sizeof *new.keys, &bytes))
        return sc_fail(error, SCRIM_E_LIMIT, "a slice of ranks is too wide");
    /* Each is written before it is read, and seldom whole. */
    new.keys = sc_allocate_raw(bytes);
    new.below = sc_allocate_raw(bytes);
    new.counts = sc_allocate_raw(COUNTS * sizeof *new.counts);
    new.sample = sc_allocate_raw(SC_ORDER_SAMPLE * sizeof *new.sample);
    if (new.keys == NULL || new.below == NULL || new.counts == NULL ||
        new.sample == NULL) {
        sc_order_slice_clear(&new);
        return sc_no_memory(error, "a slice of ranks");
    }
    *slice = new;
    return SCRIM_OK;
}

void sc_order_slice_clear(sc_order_slice *slice)
{
    sc_free_wiped(slice->keys, slice->touched * sizeof *slice->keys);
    sc_free_wiped(slice->below, slice->touched * sizeof *slice->below);
    sc_free_wiped(slice->counts, slice->has_counts ? COUNTS * sizeof *slice->counts : 0);
    sc_free_wiped(slice->sample, slice->sampled * sizeof *slice->sample);
    *slice = (sc_order_slice){0};
}

static uint64_t largest_key(const sc_order_rows *r)
{
    return (uint64_t)r->high - (uint64_t)r->low;
}

static inline uint64_t key_of(int64_t x, int64_t low, int64_t high)
{
    x = x < low ? low : x;
    x = x > high ? high : x;
    return (uint64_t)x - (uint64_t)low;
}

/* An interval of keys in terms of the rows as they come: those beyond the ends of the range
 * belong to the keys at its ends. */
static void raw_interval(const sc_order_rows *r, uint64_t low, uint64_t high,
                         int64_t *raw_low, int64_t *raw_high)
{
    *raw_low = low == 0 ? INT64_MIN : (int64_t)((uint64_t)r->low + low);
    *raw_high = high == largest_key(r) ? INT64_MAX : (int64_t)((uint64_t)r->low + high);
}

/* Notes how much of keys and below may hold private values, for wiping. */
static void touch(sc_order_slice *w, size_t count)
{
    w->touched = w->touched < count ? count : w->touched;
}

/* Sorting. */

static void sort_few(uint64_t *keys, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        uint64_t key = keys[i];
        size_t j = i;
        for (; j > 0 && keys[j - 1] > key; j--)
            keys[j] = keys[j - 1];
        keys[j] = key;
    }
}

/* One pass of a radix sort by the digit of key - base at shift. */
static void sort_digit(const uint64_t *from, uint64_t *to, size_t count, uint64_t base,
                       unsigned shift)
{
    size_t place[DIGITS] = {0};
    for (size_t i = 0; i < count; i++)
        place[(from[i] - base) >> shift & (DIGITS - 1)]++;
    size_t start = 0;
    for (size_t d = 0; d < DIGITS; d++) {
        size_t here = place[d];
        place[d] = start;
        start += here;
    }
    for (size_t i = 0; i < count; i++)
        to[place[(from[i] - base) >> shift & (DIGITS - 1)]++] = from[i];
}

/* Sorts keys that lie in [base, base + span]; spare is as long. */
static void sort(uint64_t *keys, uint64_t *spare, size_t count, uint64_t base,
                 uint64_t span)
{
    if (count <= 64) {
        sort_few(keys, count);
        return;
    }
    uint64_t *from = keys, *to = spare;
    for (unsigned shift = 0; shift < sc_bit_length64(span); shift += DIGIT_BITS) {
        sort_digit(from, to, count, base, shift);
        uint64_t *swap = from;
        from = to;
        to = swap;
    }
    if (from != keys)
        memcpy(keys, from, count * sizeof *keys);
}

/* Scanning. */

/* How many low bits of the distance from the first key a bucket ignores. */
static unsigned bucket_shift(uint64_t span)
{
    unsigned bits = sc_bit_length64(span);
    return bits > BUCKET_BITS ? bits - BUCKET_BITS : 0;
}

/* Keeps the keys in an interval from keys on, up to room of them, and counts them by bucket
 * where there are counts; returns how many there were. For an interval in which few rows lie,
 * so that the branch is predictable. */
static inline size_t scan_sparse(const sc_order_rows *r, const interval *at,
                                 uint64_t *below, uint64_t *counts, uint64_t *keys,
                                 size_t room)
{
    const int64_t first = r->low, last = r->high, *rows = r->rows;
    const uint64_t low = at->low;
    const unsigned shift = bucket_shift(at->high - low);
    int64_t raw_low, raw_high;
    raw_interval(r, low, at->high, &raw_low, &raw_high);
    const uint64_t raw_span = (uint64_t)raw_high - (uint64_t)raw_low;
    uint64_t less = 0;
    size_t inside = 0;
    for (size_t i = 0; i < r->count; i++) {
        less += rows[i] < raw_low;
        if ((uint64_t)rows[i] - (uint64_t)raw_low <= raw_span) {
            uint64_t key = key_of(rows[i], first, last);
            if (counts != NULL)
                counts[(key - low) >> shift]++;
            if (inside < room)
                keys[inside] = key;
            inside++;
        }
    }
    *below = less;
    return inside;
}

/* Only counts, without a branch: for an interval in which many rows lie, so that a branch would be unpredictable. Rows outside
 * go to a bucket of their own. */
static void scan_dense(const sc_order_rows *r, const interval *at, uint64_t *below,
                       uint64_t *counts)
{
    const int64_t first = r->low, last = r->high, *rows = r->rows;
    const uint64_t low = at->low, span = at->high - at->low;
    const unsigned shift = bucket_shift(span);
    uint64_t less = 0;
    size_t i = 0;
    for (; i + LANES <= r->count; i += LANES)
        for (size_t lane = 0; lane < LANES; lane++) {
            uint64_t key = key_of(rows[i + lane], first, last);
            size_t bucket = (size_t)((key - low) >> shift);
            less += key < low;
            counts[lane * STRIPE + (key - low <= span ? bucket : BUCKETS)]++;
        }
    for (; i < r->count; i++) {
        uint64_t key = key_of(rows[i], first, last);
        less += key < low;
        counts[key - low <= span ? (size_t)((key - low) >> shift) : BUCKETS]++;
    }
    *below = less;
}

/* Counts the rows in [at->low, at->high], and those below it; by bucket, unless they are only
 * gathered. When asked to keep them, keys[1 ..] then holds them all, if there is room. */
typedef enum duty { GATHER, COUNT_AND_KEEP, COUNT } duty;

static void scan_rows(sc_order_slice *w, const sc_order_rows *r, duty what, interval *at)
{
    const size_t room = w->room - 2;
    w->scans++;
    if (what != GATHER) {
        memset(w->counts, 0, COUNTS * sizeof *w->counts);
        w->has_counts = true;
    }
    if (what != COUNT) {
        at->inside = what == GATHER
                         ? scan_sparse(r, at, &at->below, NULL, w->keys + 1, room)
                         : scan_sparse(r, at, &at->below, w->counts, w->keys + 1, room);
        touch(w, 1 + (at->inside < room ? (size_t)at->inside : room));
        return;
    }
    if (at->low == at->high) {
        sc_order_count(r, at->low, &at->below, &at->inside);
        w->counts[0] = at->inside;
        return;
    }
    scan_dense(r, at, &at->below, w->counts);
    at->inside = 0;
    for (size_t b = 0; b < BUCKETS; b++) {
        for (size_t lane = 1; lane < LANES; lane++)
            w->counts[b] += w->counts[lane * STRIPE + b];
        at->inside += w->counts[b];
    }
}

/* Narrowing. */

static bool is_same(const interval *a, const interval *b)
{
    return a->low == b->low;
}

static bool is_resolved(const interval *a)
{
    return a->low == a->high;
}

static bool holds_rank(const interval *a, uint64_t rank)
{
    return rank > a->below && rank <= a->below + a->inside;
}

/* The bucket of an interval that was counted which holds the row of a rank. */
static interval bucket_of(const interval *counted, const uint64_t *counts, uint64_t rank)
{
    const unsigned shift = bucket_shift(counted->high - counted->low);
    uint64_t below = counted->below;
    size_t b = 0;
    while (rank > below + counts[b])
        below += counts[b++];
    uint64_t low = counted->low + ((uint64_t)b << shift);
    uint64_t high = low + (((uint64_t)1 << shift) - 1);
    return (interval){.low = low,
                      .high = high < counted->high ? high : counted->high,
                      .below = below,
                      .inside = counts[b]};
}

/* Narrows an end after an interval was counted: to a bucket of it or, if the sample had suggested a wrong interval, to everything on
 * one side of it. */
static void move_end(end *e, const interval *counted, const uint64_t *counts)
{
    const interval known = e->at;
    const uint64_t upto = counted->below + counted->inside;
    if (holds_rank(counted, e->rank)) {
        e->at = bucket_of(counted, counts, e->rank);
        return;
    }
    e->is_wary = true;
    if (e->rank <= counted->below) {
        e->at.high = counted->low - 1;
        e->at.inside = counted->below - known.below;
    } else {
        e->at.low = counted->high + 1;
        e->at.below = upto;
        e->at.inside = known.below + known.inside - upto;
    }
}

static void take_sample(sc_order_slice *w, const sc_order_rows *r)
{
    size_t stride = r->count / SC_ORDER_SAMPLE + 1;
    stride = stride < SAMPLE_STRIDE ? SAMPLE_STRIDE : stride;
    size_t sampled = r->count / stride;
    for (size_t i = 0; i < sampled; i++)
        w->sample[i] = key_of(r->rows[i * stride], r->low, r->high);
    touch(w, sampled);
    w->sampled = sampled;
    sort(w->sample, w->below, sampled, 0, largest_key(r));
}

/* How many sampled keys are at most this one. */
static size_t sample_upto(const sc_order_slice *w, uint64_t key)
{
    size_t low = 0, high = w->sampled;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (w->sample[middle] <= key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static size_t sample_below(const sc_order_slice *w, uint64_t key)
{
    return key == 0 ? 0 : sample_upto(w, key - 1);
}

/* Rows that a sample leads to expect in a part of an interval; all of them when it has not
 * seen any. */
static uint64_t expected(const sc_order_slice *w, const interval *at,
                         const interval *part)
{
    const size_t seen = sample_upto(w, at->high) - sample_below(w, at->low);
    const size_t here = sample_upto(w, part->high) - sample_below(w, part->low);
    return seen == 0 ? at->inside : (uint64_t)((sc_uint128)here * at->inside / seen);
}

/* Where in an interval a sample sees the ranks first .. last: from four standard deviations
 * below to four above, or to the ends of the interval. A part that is still crowded is cut to
 * what the sample has seen, which makes a point of many equal keys. */
static interval suggest(const sc_order_slice *w, const interval *at, uint64_t first,
                        uint64_t last)
{
    interval out = *at;
    const size_t from = sample_below(w, at->low);
    const size_t seen = sample_upto(w, at->high) - from;
    if (seen == 0)
        return out;
    size_t margin = 1;
    while (margin * margin < 4 * seen)
        margin++;
    size_t left = (size_t)((sc_uint128)(first - 1 - at->below) * seen / at->inside);
    size_t right = (size_t)((sc_uint128)(last - at->below) * seen / at->inside) + margin;
    if (left >= margin)
        out.low = w->sample[from + left - margin];
    if (right < seen)
        out.high = w->sample[from + right];
    if (expected(w, at, &out) > w->room - 2) {
        out.low = left >= margin ? out.low : w->sample[from];
        out.high = right < seen ? out.high : w->sample[from + seen - 1];
    }
    return out;
}

/* The rows that would be gathered now. A single key needs none: its rows are counted. */
static uint64_t needed(const end *first, const end *last)
{
    const interval *a = &first->at, *b = &last->at;
    uint64_t ends = is_resolved(a) ? 0 : a->inside;
    if (is_same(a, b))
        return ends;
    ends += is_resolved(b) ? 0 : b->inside;
    return ends + b->below - (a->below + a->inside);
}

/* One scan, around one end or, while they are together, around both. Returns the interval it
 * went over, and whether all the slice is among what it has kept. */
static interval narrow(sc_order_slice *w, const sc_order_rows *r, end *first, end *last,
                       bool *has_kept)
{
    const bool is_one = is_same(&first->at, &last->at);
    const bool take_last =
        !is_one && !is_resolved(&last->at) &&
        (is_resolved(&first->at) || last->at.inside > first->at.inside);
    end *here = take_last ? last : first;
    interval counted = here->at;
    if (!here->is_wary)
        counted = suggest(w, &here->at, here->rank, is_one ? last->rank : here->rank);
    const uint64_t rows = expected(w, &here->at, &counted);
    const bool keep = rows <= w->room - 2 || rows <= r->count / 16;
    scan_rows(w, r, keep ? COUNT_AND_KEEP : COUNT, &counted);
    *has_kept = keep && counted.inside <= w->room - 2 &&
                holds_rank(&counted, first->rank) && holds_rank(&counted, last->rank);
    if (is_one)
        move_end(last, &counted, w->counts);
    move_end(here, &counted, w->counts);
    return counted;
}

/* Gathering. */

/* Moves those of `count` kept keys that lie in [low, high] to the front; returns their number. */
static size_t pick(uint64_t *at, size_t count, uint64_t low, uint64_t high)
{
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        uint64_t key = at[i];
        at[found] = key;
        found += key - low <= high - low;
    }
    return found;
}

static void put_run(sc_order_slice *w, uint64_t key, uint64_t below)
{
    w->keys[w->runs] = key;
    w->below[w->runs] = below;
    w->runs++;
}

/* Writes the runs of the sorted keys[1 .. count], with `below` rows below the first. No run is put where
 * a key has yet to be read. */
static void put_runs(sc_order_slice *w, size_t count, uint64_t below)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t key = w->keys[1 + i];
        if (i == 0 || key != w->keys[w->runs - 1])
            put_run(w, key, below + i);
    }
}

/* Fills the runs once both ends are found. kept is the interval whose rows are in keys[1 ..]; it is empty if no
 * interval was kept. */
static scrim_status fill(sc_order_slice *w, const sc_order_rows *r, const end *first,
                         const end *last, const interval *kept, scrim_error *error)
{
    const size_t wanted = (size_t)needed(first, last);
    const interval *a = &first->at, *b = &last->at;
    const bool has_first = is_resolved(a), has_last = is_resolved(b) && !is_same(a, b);
    interval between = {.low = a->low + has_first, .high = b->high - has_last};
    touch(w, wanted + 2);
    if (wanted > 0) {
        size_t found = (size_t)kept->inside;
        if (kept->inside == 0) {
            scan_rows(w, r, GATHER, &between);
            found = (size_t)between.inside;
        }
        if (found > w->room - 2 ||
            pick(w->keys + 1, found, between.low, between.high) != wanted)
            return sc_fail(error, SCRIM_E_INTERNAL, "rows changed while they were read");
        sort(w->keys + 1, w->below, wanted, between.low, between.high - between.low);
    }
    w->runs = 0;
    if (has_first)
        put_run(w, a->low, a->below);
    put_runs(w, wanted, has_first ? a->below + a->inside : a->below);
    if (has_last)
        put_run(w, b->low, b->below);
    w->upto = b->below + b->inside;
    return SCRIM_OK;
}

scrim_status sc_order_slice_find(sc_order_slice *w, const sc_order_rows *rows,
                                 uint64_t first, uint64_t last, scrim_error *error)
{
    if (first < 1 || last < first || last > rows->count || last - first >= w->width)
        return sc_fail(error, SCRIM_E_INTERNAL, "a slice of ranks is not valid");
    const interval all = {.high = largest_key(rows), .inside = rows->count};
    end from = {.rank = first, .at = all}, to = {.rank = last, .at = all};
    interval kept = {0};
    bool has_kept = false;
    w->scans = 0;
    if (rows->count > FEW) {
        take_sample(w, rows);
        kept = narrow(w, rows, &from, &to, &has_kept);
    }
    while (!has_kept && needed(&from, &to) > w->room - 2)
        kept = narrow(w, rows, &from, &to, &has_kept);
    kept.inside = has_kept ? kept.inside : 0;
    return fill(w, rows, &from, &to, &kept, error);
}

bool sc_order_slice_locate(const sc_order_slice *w, uint64_t key, uint64_t *below,
                           uint64_t *equal)
{
    if (w->runs == 0 || key < w->keys[0] || key > w->keys[w->runs - 1])
        return false;
    size_t low = 0, high = w->runs - 1; /* the first run that is not below the key */
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (w->keys[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    *below = w->below[low];
    *equal = w->keys[low] == key ? sc_order_slice_upto(w, low) - w->below[low] : 0;
    return true;
}

void sc_order_count(const sc_order_rows *r, uint64_t key, uint64_t *below,
                    uint64_t *equal)
{
    uint64_t less = 0, same = 0;
    int64_t low, high;
    raw_interval(r, key, key, &low, &high);
    for (size_t i = 0; i < r->count; i++) {
        less += r->rows[i] < low;
        same += r->rows[i] <= high;
    }
    *below = less;
    *equal = same - less;
}
