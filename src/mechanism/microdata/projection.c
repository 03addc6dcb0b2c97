#include "mechanism/microdata/projection.h"

#include <string.h>

/* A table of bins: as many as there are values, between these. */
#define BINS_LOG_LOW 3
#define BINS_LOG_HIGH 10
#define BINS_MAX ((size_t)1 << BINS_LOG_HIGH)

static unsigned bins_log(size_t count)
{
    const unsigned log = sc_bit_length64(count);
    if (log < BINS_LOG_LOW)
        return BINS_LOG_LOW;
    return log < BINS_LOG_HIGH ? log : BINS_LOG_HIGH;
}

/* gamma. With F(x) = sum max(0, a_i - x), which falls, F(gamma) = r. Known so far: low <= gamma <
 * low + 2^width, and the number and sum of the values from that end on. */
typedef struct search {
    int64_t low;
    unsigned width;
    uint64_t above;
    sc_int128 sum_above;
} search;

typedef struct bins {
    uint64_t count[BINS_MAX];
    sc_uint128 sum[BINS_MAX]; /* of what the values exceed low by */
} bins;

static int64_t floor_quotient(sc_int128 a, sc_int128 b)
{
    const sc_int128 q = a / b;
    return (int64_t)(a % b < 0 ? q - 1 : q);
}

/* F(max - r) >= r, and F(x) >= sum - d x; F(max) = 0 < r. */
static void begin(const int64_t *values, size_t count, int64_t total, search *s)
{
    int64_t most = values[0];
    sc_int128 sum = 0;
    for (size_t i = 0; i < count; i++) {
        most = values[i] > most ? values[i] : most;
        sum += values[i];
    }
    const int64_t low = floor_quotient(sum - total, (sc_int128)count);
    s->low = most - total > low ? most - total : low;
    s->width = sc_bit_length64((uint64_t)(most - s->low));
    s->above = 0;
    s->sum_above = 0;
}

static void fill(const int64_t *values, size_t count, const search *s, unsigned step,
                 size_t used, bins *b)
{
    memset(b->count, 0, used * sizeof *b->count);
    memset(b->sum, 0, used * sizeof *b->sum);
    for (size_t i = 0; i < count; i++) {
        const uint64_t by = (uint64_t)values[i] - (uint64_t)s->low;
        if (values[i] < s->low || by >> step >= used)
            continue;
        b->count[by >> step]++;
        b->sum[by >> step] += by;
    }
}

/* Into the highest bin at whose start F is at least r. False once no value is in it: then all from its end on
 * are above gamma, and no others. */
static bool narrow(const search *from, const bins *b, unsigned step, size_t used,
                   int64_t total, search *s)
{
    *s = *from;
    s->width = step;
    for (size_t k = used; k-- > 0;) {
        const int64_t start = from->low + (int64_t)((uint64_t)k << step);
        const uint64_t above = s->above + b->count[k];
        const sc_int128 sum =
            s->sum_above + (sc_int128)b->sum[k] + (sc_int128)b->count[k] * from->low;
        s->low = start;
        if (sum - (sc_int128)above * start >= total)
            return b->count[k] > 0 && step > 0;
        s->above = above;
        s->sum_above = sum;
    }
    return false;
}

void sc_project(const int64_t *values, size_t count, int64_t total, sc_projection *out)
{
    const unsigned log = bins_log(count);
    search s, next;
    bins b;
    *out = (sc_projection){.total = total};
    if (total == 0)
        return;
    begin(values, count, total, &s);
    for (bool is_open = true; is_open; s = next) {
        const unsigned step = s.width > log ? s.width - log : 0;
        const size_t used = (size_t)1 << (s.width - step);
        fill(values, count, &s, step, used, &b);
        is_open = narrow(&s, &b, step, used, total, &next);
    }
    out->support = s.above;
    out->sum = s.sum_above;
}

sc_int128 sc_projection_weight(const sc_projection *p, int64_t value)
{
    const sc_int128 weight = (sc_int128)p->support * value - (p->sum - p->total);
    return p->support == 0 || weight < 0 ? 0 : weight;
}

/* Ties. A unit goes to each cell from g on whose hash is below a border, and to the first few of those on
 * it. */

#define CHUNK ((size_t)256)

typedef struct border {
    uint64_t hash;
    uint64_t on; /* how many of those on it */
} border;

/* The hashes of `size` places from `at` on. */
static void hash_chunk(const sc_tie_order *order, const sc_hash_half *half, size_t at,
                       size_t size, uint64_t *hashes)
{
    uint64_t places[CHUNK];
    for (size_t i = 0; i < size; i++)
        places[i] = order->first + at + i;
    sc_hash_seconds(half, places, size, hashes);
}

/* Counts the cells from g on by the bits of their hashes, from the bit `low` on, where the bits above agree
 * with those of prefix. */
typedef struct hash_bins {
    uint64_t prefix;
    unsigned high, low; /* the bits low..high-1 of a hash name its bin */
    uint64_t count[BINS_MAX];
} hash_bins;

static void count_hashes(const int64_t *values, size_t count, int64_t g,
                         const sc_tie_order *order, const sc_hash_half *half,
                         hash_bins *b)
{
    uint64_t hashes[CHUNK];
    const uint64_t mask = ((uint64_t)1 << (b->high - b->low)) - 1;
    memset(b->count, 0, (size_t)(mask + 1) * sizeof *b->count);
    for (size_t at = 0; at < count; at += CHUNK) {
        const size_t size = count - at < CHUNK ? count - at : CHUNK;
        hash_chunk(order, half, at, size, hashes);
        for (size_t i = 0; i < size; i++) {
            const bool is_inside =
                b->high == 64 || hashes[i] >> b->high == b->prefix >> b->high;
            if (values[at + i] >= g && is_inside)
                b->count[hashes[i] >> b->low & mask]++;
        }
    }
}

/* The border below which `wanted` places lie, 1 <= wanted < the number of places from g on. */
static border find_border(const int64_t *values, size_t count, int64_t g, uint64_t wanted,
                          const sc_tie_order *order, const sc_hash_half *half)
{
    const unsigned log = bins_log(count);
    hash_bins b;
    b.prefix = 0;
    b.high = 64;
    for (;;) {
        uint64_t bin = 0;
        b.low = b.high > log ? b.high - log : 0;
        count_hashes(values, count, g, order, half, &b);
        for (; b.count[bin] <= wanted; bin++)
            wanted -= b.count[bin];
        b.prefix |= bin << b.low;
        if (wanted == 0 || b.low == 0)
            return (border){.hash = b.prefix, .on = wanted};
        b.high = b.low;
    }
}

static void give_in_order(int64_t *values, size_t count, int64_t g, uint64_t wanted,
                          const sc_tie_order *order)
{
    uint64_t hashes[CHUNK];
    const sc_hash_half half = sc_hash_first(&order->key, 0);
    border end = find_border(values, count, g, wanted, order, &half);
    for (size_t at = 0; at < count; at += CHUNK) {
        const size_t size = count - at < CHUNK ? count - at : CHUNK;
        hash_chunk(order, &half, at, size, hashes);
        for (size_t i = 0; i < size; i++) {
            if (values[at + i] < g)
                continue;
            const bool is_on = hashes[i] == end.hash && end.on > 0;
            end.on -= is_on;
            values[at + i] += hashes[i] < end.hash || is_on;
        }
    }
}

static void give_first(int64_t *values, size_t count, int64_t g, uint64_t wanted)
{
    for (size_t i = 0; i < count && wanted > 0; i++)
        if (values[i] >= g) {
            values[i]++;
            wanted--;
        }
}

/* All above gamma get what they exceed g = ceil(gamma) by, and m g - (P - r) < m of them one more. */
void sc_project_integer(int64_t *values, size_t count, int64_t total,
                        const sc_tie_order *order)
{
    sc_projection p;
    sc_project(values, count, total, &p);
    if (total == 0) {
        memset(values, 0, count * sizeof *values);
        return;
    }
    const sc_int128 m = (sc_int128)p.support, excess = p.sum - total;
    const int64_t g = -floor_quotient(-excess, m);
    const uint64_t left = (uint64_t)(m * g - excess);
    if (left > 0 && order != NULL)
        give_in_order(values, count, g, left, order);
    else
        give_first(values, count, g, left);
    for (size_t i = 0; i < count; i++)
        values[i] = values[i] > g ? values[i] - g : 0;
}

void sc_top_down(const sc_tree_shape *shape, const sc_hash_key *key, int64_t *values)
{
    values[0] = values[0] < 0 ? 0 : values[0];
    for (size_t v = 0; v < shape->inner; v++) {
        const size_t first = shape->child[v];
        sc_tie_order order = {.first = first};
        if (key != NULL)
            order.key = *key;
        sc_project_integer(values + first, shape->child[v + 1] - first, values[v],
                           key == NULL ? NULL : &order);
    }
}
