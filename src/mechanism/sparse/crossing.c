#include "mechanism/sparse/crossing.h"

#include "mechanism/sparse/law_sequence.h"

/* Sums have at most so many terms to a side, tables so many entries. */
#define REACH_MAX ((int64_t)1 << 16)
#define TAIL_MAX ((uint64_t)1 << 18)

/* ceil(0.7 bits scale) + 1 or ceil(sqrt(1.4 bits variance)) + 1: 0.7 is above ln 2. */
static bool choose_reach(const sc_law *law, long bits, int64_t *out)
{
    sc_int128 low, high;
    law->functions->support(law, &low, &high);
    if (high <= REACH_MAX) {
        *out = (int64_t)high;
        return true;
    }
    const bool is_gaussian = law->functions == &sc_discrete_gaussian_law;
    uint64_t value = 0;
    SC_OWN(sc_ratio, width, tenths);
    SC_OWN(sc_integer, reach);
    sc_ratio_set_int64(&tenths, 10);
    sc_ratio_div(&width, &law->shape, &tenths);
    sc_ratio_set_int64(&tenths, (is_gaussian ? 14 : 7) * (int64_t)bits);
    sc_ratio_mul(&width, &width, &tenths);
    sc_ratio_ceil(&width, &reach);
    if (is_gaussian)
        sc_integer_sqrt(&reach, &reach);
    bool fits = sc_integer_get_uint64(&reach, &value) && value < (uint64_t)REACH_MAX - 1;
    if (fits)
        *out = (int64_t)value + 2;
    return fits;
}

scrim_status sc_crossing_init(sc_crossing *crossing, const sc_law *threshold,
                              const sc_law *query, uint64_t farthest, long bits,
                              scrim_error *error)
{
    const long more = bits + SC_SEQUENCE_GUARD;
    *crossing = (sc_crossing){.query = query, .bits = more};
    sc_ball_init(&crossing->outside);
    if (!choose_reach(threshold, bits, &crossing->reach)) {
        sc_crossing_clear(crossing);
        return sc_fail(error, SCRIM_E_LIMIT,
                       "the distribution of noise this wide has too many terms to sum; "
                       "ask for a larger epsilon or a smaller scale");
    }
    farthest += (uint64_t)crossing->reach;
    crossing->tail_count = farthest < TAIL_MAX ? farthest + 2 : TAIL_MAX;
    crossing->threshold = sc_balls_new((size_t)crossing->reach + 1);
    crossing->tail = sc_balls_new(crossing->tail_count);
    if (crossing->threshold == NULL || crossing->tail == NULL ||
        !sc_law_tail_sequence(query, crossing->tail_count, more, crossing->tail)) {
        sc_crossing_clear(crossing);
        return sc_no_memory(error, "the law of a sparse vector");
    }
    sc_law_pmf_sequence(threshold, (size_t)crossing->reach + 1, more,
                        crossing->threshold);
    sc_law_at_least(threshold, (sc_int128)crossing->reach + 1, more, &crossing->outside);
    return SCRIM_OK;
}

void sc_crossing_clear(sc_crossing *crossing)
{
    sc_balls_free(crossing->threshold, (size_t)crossing->reach + 1);
    sc_balls_free(crossing->tail, crossing->tail_count);
    sc_ball_clear(&crossing->outside);
}

/* P(noise >= m), m >= 1. */
static void tail_at(const sc_crossing *crossing, sc_int128 m, sc_ball *out)
{
    if (m <= (sc_int128)crossing->tail_count)
        sc_ball_set(out, &crossing->tail[(size_t)m - 1]);
    else
        sc_law_at_least(crossing->query, m, crossing->bits, out);
}

static void complement(sc_ball *x, long bits)
{
    sc_ball_neg(x, x);
    sc_ball_add_int64(x, x, 1, bits);
}

void sc_crossing_above(const sc_crossing *crossing, sc_int128 k, sc_ball *out)
{
    tail_at(crossing, k >= 1 ? k : 1 - k, out);
    if (k < 1)
        complement(out, crossing->bits);
}

void sc_crossing_below(const sc_crossing *crossing, sc_int128 k, sc_ball *out)
{
    sc_crossing_above(crossing, 1 - k, out);
}
