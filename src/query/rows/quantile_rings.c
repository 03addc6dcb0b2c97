#include "query/rows/quantile_rings.h"

/* How many doublings reach over the range. */
static unsigned bits_of(int64_t low, int64_t high)
{
    unsigned bits = 0;
    for (uint64_t width = (uint64_t)high - (uint64_t)low; width > 0; width >>= 1)
        bits++;
    return bits;
}

/* Ends to either side of a quantile, its own and those that are farther away. */
static size_t ends_of(unsigned bits, unsigned growth)
{
    return 1 + (bits + growth - 1) / growth;
}

/* By how many doublings a ring is farther away than the one before. */
static unsigned growth_of(unsigned bits, size_t quantiles)
{
    unsigned growth = 1;
    while (growth < bits && 2 * quantiles * ends_of(bits, growth) + 1 > SC_RINGS_MOST)
        growth++;
    return growth;
}

size_t sc_rings_most(int64_t low, int64_t high, size_t quantiles)
{
    const unsigned bits = bits_of(low, high);
    return 2 * quantiles * ends_of(bits, growth_of(bits, quantiles)) + 1;
}

/* The ends that are being made. */
typedef struct making {
    int64_t *ends;
    size_t count;
    unsigned bits, growth;
} making;

/* How far the place-th end is from the quantile's own: 0, 1, 2, 4, 8; or by a larger factor. */
static sc_int128 distance_of(const making *m, size_t place)
{
    return place == 0 ? 0 : (sc_int128)1 << (place - 1) * m->growth;
}

/* Those of one quantile that are above what is there, between least and most. */
static void push_about(making *m, int64_t quantile, int64_t least, int64_t most)
{
    const size_t count = ends_of(m->bits, m->growth);
    for (size_t i = 2 * count; i-- > 0;) {
        const sc_int128 end = i < count ? quantile + 1 + distance_of(m, count - 1 - i)
                                        : quantile - distance_of(m, i - count);
        if (end >= least && end <= most && end > m->ends[m->count - 1])
            m->ends[m->count++] = (int64_t)end;
    }
}

static void sort(int64_t *values, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        const int64_t value = values[i];
        size_t at = i;
        for (; at > 0 && values[at - 1] > value; at--)
            values[at] = values[at - 1];
        values[at] = value;
    }
}

/* Half way between two, rounded to the lower one or to the higher one. */
static int64_t middle(int64_t a, int64_t b, bool is_up)
{
    const sc_int128 half = ((sc_int128)b - a) / 2;
    return (int64_t)(is_up ? b - half : a + half);
}

size_t sc_rings_of(int64_t low, int64_t high, const sc_int128 *quantiles, size_t count,
                   int64_t *ends)
{
    const unsigned bits = bits_of(low, high);
    making m = {.ends = ends, .count = 1, .bits = bits, .growth = growth_of(bits, count)};
    int64_t sorted[SC_RINGS_QUANTILES];
    for (size_t i = 0; i < count; i++)
        sorted[i] = quantiles[i] < low    ? low
                    : quantiles[i] > high ? high
                                          : (int64_t)quantiles[i];
    sort(sorted, count);
    ends[0] = low;
    for (size_t i = 0; i < count; i++) {
        const int64_t most =
            i + 1 < count ? middle(sorted[i], sorted[i + 1], false) : high;
        const int64_t least = i > 0 ? middle(sorted[i - 1], sorted[i], true) : low;
        push_about(&m, sorted[i], least, most);
    }
    ends[m.count] = high + 1;
    return m.count;
}

/* How many values are below an end. */
static uint64_t below(const int64_t *values, uint64_t count, int64_t end)
{
    uint64_t from = 0;
    while (count > 0) {
        const uint64_t half = count / 2;
        if (values[from + half] < end) {
            from += half + 1;
            count -= half + 1;
        } else {
            count = half;
        }
    }
    return from;
}

void sc_rings_count(const int64_t *ends, size_t rings, const int64_t *values,
                    uint64_t value_count, sc_int128 *out)
{
    uint64_t before = 0;
    for (size_t i = 0; i < rings; i++) {
        const uint64_t up_to =
            i + 1 < rings ? below(values, value_count, ends[i + 1]) : value_count;
        out[i] = (sc_int128)up_to - before;
        before = up_to;
    }
}
