/* A threshold with noise against queries with noise, as tables of balls: how likely each value of
 * the threshold's noise is, and how likely the query's noise is to reach a number. */
#ifndef SC_MECHANISM_CROSSING_H
#define SC_MECHANISM_CROSSING_H

#include "sampling/law.h"

/* Both laws are symmetric about 0. */
typedef struct sc_crossing {
    const sc_law *query;
    long bits;
    int64_t reach;      /* Z: the threshold's noise is summed from -Z to Z */
    sc_ball *threshold; /* P(noise = z), z = 0 .. Z */
    sc_ball outside;    /* P(noise > Z) */
    uint64_t tail_count;
    sc_ball *tail; /* P(query noise >= m), m = 1 .. tail_count */
} sc_crossing;

/* Z is the least for which what lies outside weighs some 2^-bits. The tail is tabulated up to
 * farthest, or as far as is reasonable. SCRIM_E_LIMIT when Z is too large for a sum. */
SCRIM_MUST_USE scrim_status sc_crossing_init(sc_crossing *crossing,
                                             const sc_law *threshold, const sc_law *query,
                                             uint64_t farthest, long bits,
                                             scrim_error *error);
void sc_crossing_clear(sc_crossing *crossing);

/* P(query noise >= k) and P(query noise < k), each accurate relative to itself. */
void sc_crossing_above(const sc_crossing *crossing, sc_int128 k, sc_ball *out);
void sc_crossing_below(const sc_crossing *crossing, sc_int128 k, sc_ball *out);

#endif
