/* Pairs of laws and their privacy losses, with the limit on how much may be computed. */
#ifndef SC_COMPOSITION_LOSS_PAIR_H
#define SC_COMPOSITION_LOSS_PAIR_H

#include "base/number/ball.h"
#include "model/curve.h"

#include <stdbool.h>
#include <stdint.h>

/* How much a computation with privacy losses may do before it says that it is too much.
 *
 * Counted in steps and not by a clock, so that the answer to a question is the same on every machine
 * and every day. A step is about a microsecond of a processor of 2020; what a point, a product or a
 * transform costs is stated where it is paid for.
 *
 * Claim  loss-work.ends  what is paid for adds up to no more than was there at the start
 */

typedef struct sc_loss_work {
    uint64_t left;
} sc_loss_work;

/* One side of one question. */
#define SC_LOSS_WORK UINT64_C(4000000)

#define SC_LOSS_WORK_OVER "the privacy loss takes more work than it may"

/* Spends steps. If fewer are left, spends them all and returns false: the caller must stop. NULL is unlimited. */
bool sc_loss_work_spend(sc_loss_work *work, uint64_t steps);
/* times each, without overflow. */
bool sc_loss_work_spend_each(sc_loss_work *work, uint64_t times, uint64_t steps);
/* The cost at `bits` bits of operations that take `steps` steps at 64 bits: it grows, in the
 * end, as the square of the bits. */
uint64_t sc_loss_work_at(uint64_t steps, long bits);

/* Two laws that one release may have, on neighbouring inputs, by the tails of their privacy loss.
 *
 * With Z = ln(P/Q), a pair tells P(Z > e) and Q(Z > e) for every real e, and the mass of P where Q is
 * 0. Everything about its privacy follows: delta(e) = P(Z > e) - exp(e) Q(Z > e), and for
 * every event S the line P(S) - t Q(S) lies below delta at t = exp(e), so tails give lower bounds
 * as well as upper ones.
 *
 * Claim  loss-pair.tails  the balls hold the tails of the pair that the kind names
 * Claim  loss-pair.sampled  the two sampled pairs are those of Poisson sampling under add-remove
 *
 * Reference  spec/local-and-accounting.md 8.1, 8.2, 8.5
 */

typedef struct sc_loss_pair sc_loss_pair;

/* A kind without a lattice has tails, one with a lattice has above. All are symmetric: the pair
 * (Q, P) has the same loss. */
typedef struct sc_loss_kind {
    const char *name;
    /* P(Z > e) and Q(Z > e), a finite loss; low <= e < high of edges, where there are any. */
    void (*tails)(const sc_loss_pair *pair, const sc_ball *e, long bits, sc_ball *p,
                  sc_ball *q);
    /* All losses lie from low to high; NULL: anywhere. */
    void (*edges)(const sc_loss_pair *pair, sc_ratio *low, sc_ratio *high);
    /* The mass of P where Q is 0; NULL: it is 0. */
    void (*infinite)(const sc_loss_pair *pair, long bits, sc_ball *out);
    /* Losses of a lattice: all finite ones lie at offset + j step for integers j; NULL: they do
     * not. */
    void (*lattice)(const sc_loss_pair *pair, sc_ratio *offset, sc_ratio *step);
    /* P and Q of the finite losses above offset + j step. */
    void (*above)(const sc_loss_pair *pair, sc_int128 j, long bits, sc_ball *p,
                  sc_ball *q);
} sc_loss_kind;

/* Which of the two neighbours has the unit. */
typedef enum sc_direction {
    SC_DIRECTION_REMOVE, /* P has it */
    SC_DIRECTION_ADD     /* Q has it */
} sc_direction;

struct sc_loss_pair {
    const sc_loss_kind *kind;
    sc_ratio shape;  /* scale, variance or epsilon of noise, or epsilon, by the kind;
                        variance of Gaussian noise, in squared sensitivities where it is continuous */
    sc_ratio delta;  /* of an approximate claim */
    uint64_t shift;  /* of noise on the integers */
    uint64_t bound;  /* q of shifted noise */
    unsigned copies; /* of shifted noise: how many integers move by 1 */
    bool is_sampled; /* each unit is kept with probability rate */
    sc_ratio rate;
    sc_direction direction; /* of a sampled pair; the others are symmetric */
};

/* Discrete Gaussian noise, whose tails may be summed in advance. */
extern const sc_loss_kind sc_loss_kind_laplace;
extern const sc_loss_kind sc_loss_kind_gaussian;
extern const sc_loss_kind sc_loss_kind_continuous_gaussian;
/* Shifted Laplace noise, of four losses. */
extern const sc_loss_kind sc_loss_kind_shifted;

void sc_loss_pair_init(sc_loss_pair *pair);
void sc_loss_pair_clear(sc_loss_pair *pair);

/* Randomised response of epsilon, which dominates every epsilon-DP mechanism. */
void sc_loss_pair_set_pure(sc_loss_pair *pair, const sc_ratio *epsilon);
/* The worst of (epsilon, delta). */
void sc_loss_pair_set_approximate(sc_loss_pair *pair, const sc_ratio *epsilon,
                                  const sc_ratio *delta);
/* Discrete Laplace and discrete Gaussian noise against an integer shift. */
void sc_loss_pair_set_laplace(sc_loss_pair *pair, const sc_ratio *scale, uint64_t shift);
void sc_loss_pair_set_gaussian(sc_loss_pair *pair, const sc_ratio *variance,
                               uint64_t shift);
/* Shifted Laplace noise of epsilon and q on one integer that moves by 1, or on two. */
void sc_loss_pair_set_shifted(sc_loss_pair *pair, const sc_ratio *epsilon, uint64_t q,
                              unsigned copies);
/* The continuous ones, to compare with: scale and sigma in sensitivities. */
void sc_loss_pair_set_continuous_laplace(sc_loss_pair *pair, const sc_ratio *scale);
void sc_loss_pair_set_continuous_gaussian(sc_loss_pair *pair, const sc_ratio *sigma);
/* Poisson sampling in front of any of them. */
void sc_loss_pair_sample(sc_loss_pair *pair, const sc_ratio *rate,
                         sc_direction direction);

/* True, with the lattice on which all finite losses lie, where there is one: never of a sampled
 * pair. */
bool sc_loss_pair_lattice(const sc_loss_pair *pair, sc_ratio *offset, sc_ratio *step);
/* The mass at infinity, sampling included. */
void sc_loss_pair_infinite(const sc_loss_pair *pair, long bits, sc_ball *out);

/* The heaviest losses of a pair that has single ones, as doubles: for the choice of a grid.
 *
 * A loss that lies alone between two points must be moved to one of them in a lower loss, and is
 * spread over both in an upper one: a grid near whose points the heavy ones lie is the better one.
 * Nothing here is a bound.
 *
 * Reference  spec/local-and-accounting.md 8.2
 */

#define SC_LOSS_ATOMS 64

typedef struct sc_loss_atoms {
    double at[4 * SC_LOSS_ATOMS], mass[4 * SC_LOSS_ATOMS];
    size_t count;
} sc_loss_atoms;

/* Adds the atoms of a pair whose losses are on a lattice before sampling, each counted `times`
 * times. Adds no atom if more than SC_LOSS_ATOMS of them matter, because the loss is then nearly
 * continuous, or if the list is full. False where there is not that much work left. */
bool sc_loss_atoms_add(const sc_loss_pair *pair, double times, sc_loss_work *work,
                       sc_loss_atoms *out);
/* The largest of them, whatever its sign. */
double sc_loss_atoms_reach(const sc_loss_atoms *atoms);
/* How far they are from the points of a grid of this step, in all. */
double sc_loss_atoms_distance(const sc_loss_atoms *atoms, double step);

#endif
