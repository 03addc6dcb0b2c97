/* The law of composed losses, tilted and read on a slice: what one pair of transforms gives.
 *
 * With masses m_s of the composed loss at s step, the tilted ones are T_s = m_s exp(theta s step -
 * log_scale). The law holds y, with
 *
 *   the vector of y_s - T_s + (what wrapped) has a 2-norm of at most noise,
 *   the T_s beyond the slice's end add up to at most above, those before its beginning to at most
 *   below, and each of them wrapped to one point of the slice;
 *
 * T being that of masses rounded up on the upper side and down on the lower one. Every delta can be
 * read from it; where epsilon is near the mean of the tilted law, well.
 *
 * A delta is read from the points above epsilon, with weights that fall as exp(-theta t). So the
 * slice need not show what is far below epsilon: wrapped, it comes to lie one slice above where
 * it was, and in delta it weighs its mass times exp(-theta slice), or less. Such a slice is open.
 *
 * Claim  fast-law.noise    y is as near to the tilted masses as noise and what wrapped say
 * Claim  fast-law.outside  no more than above and below lies beyond the slice
 * Claim  fast-law.open     delta read from an open slice is on its side
 *
 * Reference  spec/local-and-accounting.md 8.3, docs/accounting.md
 */
#ifndef SC_COMPOSITION_FAST_LAW_H
#define SC_COMPOSITION_FAST_LAW_H

#include "composition/fast/fft.h"
#include "composition/fast/tilt.h"

typedef struct sc_fast_law {
    sc_loss_side side;
    sc_ratio step;
    double theta;
    sc_ball log_scale;
    sc_int128 first; /* s of the slice's first point */
    sc_int128 last;  /* no mass is above it */
    size_t points;   /* of the slice */
    double *y;       /* of slice point i at (turn + i) mod points, with the sign below */
    size_t turn;
    double sign;   /* of points before the turn's end; after it the other */
    sc_ball total; /* at least the sum of T */
    sc_ball noise;
    sc_ball
        above; /* and j points further no more than exp(-(above_tilt - theta) j step) of it */
    double above_tilt; /* > theta */
    sc_ball below;     /* of an open slice: all of it, maybe */
    bool is_open;
    sc_ball log_folded; /* where it is: at least ln(exp(-theta slice) times all mass) */
    sc_ball infinite;   /* mass at infinity */
    sc_exponentials slow, fast; /* exp(-theta j step), exp(-(theta + 1) j step) */
} sc_fast_law;

#define SC_FAST_BITS 256

void sc_fast_law_init(sc_fast_law *law);
void sc_fast_law_clear(sc_fast_law *law);
/* Tilted by theta >= 0, with a slice wide enough for about exp(-depth) of all to lie outside; in
 * an open one, if it may be open, for no more than that to change a delta near the mean of the
 * tilted law. fft is left as it was prepared, for the next law. SCRIM_E_LIMIT when it would have
 * more than SC_LOSS_POINTS points or take more than the work, SCRIM_E_MEMORY. Parts are of one
 * side, step and bits, none without finite mass. */
#define SC_FAST_DEPTH 28
SCRIM_MUST_USE scrim_status sc_fast_law_set(sc_fast_law *law, const sc_fast_part *parts,
                                            size_t count, const sc_saddle *saddle,
                                            double theta, double depth, bool may_open,
                                            sc_fft *fft, sc_loss_work *work,
                                            scrim_error *error);

/* y of slice point i. */
double sc_fast_law_at(const sc_fast_law *law, size_t i);
/* delta at epsilon, a bound by the side of the law: upper end or lower end. */
void sc_fast_law_delta(const sc_fast_law *law, const sc_ratio *epsilon, sc_ball *out);

#endif
