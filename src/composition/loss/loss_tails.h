/* The tails of a pair's loss at many rational points, sampling included.
 *
 * Which losses lie above a rational is decided exactly: where they lie on a lattice, by integers;
 * where sampling bends it, with as many bits as it takes (the two sides are equal at 0 only, by
 * Lindemann and Weierstrass). What a discrete Gaussian has above each of its points is summed once,
 * and powers that all points of a discrete Laplace share are computed once.
 *
 * Claim  loss-tails.table  the tables of Gaussians, and these powers, hold what their laws say
 *
 * Reference  spec/local-and-accounting.md 8.2, 8.5
 */
#ifndef SC_COMPOSITION_LOSS_TAILS_H
#define SC_COMPOSITION_LOSS_TAILS_H

#include "composition/loss/loss_pair.h"

typedef struct sc_loss_tails {
    const sc_loss_pair *pair;
    long bits;
    sc_ratio offset, step; /* of the lattice before sampling, where there is one */
    sc_ratio low, high;    /* the edges, where there are any */
    sc_ball infinite;      /* before sampling */
    sc_ball *above;        /* of a discrete Gaussian: P(Y >= m), m = 0, 1, ... */
    sc_ball *below; /* of a continuous one, above and below: see sc_loss_tails_tabulate */
    size_t count;
    sc_ratio half;    /* half a step of the grid */
    int64_t apart;    /* of the points of the table, in half steps */
    int64_t farthest; /* the last point of the table, in half steps */
    /* Discrete Laplace, r = exp(-1/scale), D the shift: 1 / (1 + r) and r^(D+1), where there are any. */
    bool has_powers;
    sc_ball share, last;
} sc_loss_tails;

void sc_loss_tails_init(sc_loss_tails *tails, const sc_loss_pair *pair, long bits);
void sc_loss_tails_clear(sc_loss_tails *tails);
/* Sums what is needed for many points where that pays. No memory is no failure: every point is then
 * computed by itself. */
void sc_loss_tails_prepare(sc_loss_tails *tails);

/* The tails of Gaussian noise that is not sampled at the points of a grid from low to high, in the
 * middles between them, or both, all together; those of other pairs, and all other points, one by one. */
typedef enum sc_loss_tails_places {
    SC_LOSS_TAILS_POINTS,
    SC_LOSS_TAILS_MIDDLES,
    SC_LOSS_TAILS_BOTH
} sc_loss_tails_places;
void sc_loss_tails_tabulate(sc_loss_tails *tails, const sc_ratio *step, int64_t low,
                            int64_t high, sc_loss_tails_places places);
/* Steps for the tails at one point, and for all that was prepared (loss_pair.h). */
uint64_t sc_loss_tails_price(const sc_loss_tails *tails);
uint64_t sc_loss_tails_spent(const sc_loss_tails *tails);

/* P(Z > e) and Q(Z > e), Z finite. */
void sc_loss_tails_at(const sc_loss_tails *tails, const sc_ratio *e, sc_ball *p,
                      sc_ball *q);
/* P(Z >= e) and Q(Z >= e), Z finite. */
void sc_loss_tails_from(const sc_loss_tails *tails, const sc_ratio *e, sc_ball *p,
                        sc_ball *q);
/* The largest j with offset + j step <= e, for a lattice that is not sampled. */
sc_int128 sc_loss_tails_index(const sc_loss_tails *tails, const sc_ratio *e);

#endif
