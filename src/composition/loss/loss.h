/* A privacy loss distribution on a grid, in integers: what releases cost together.
 *
 * Masses are multiples of 2^-bits at the points (low + j) step, and one at infinity. An upper loss
 * has masses rounded up and dominates what it stands for; a lower loss has masses rounded down and
 * is dominated. delta is a positive linear functional of them and convolution is positively
 * bilinear, so bounds stay bounds through everything below: there is no other error to track.
 *
 * Claim  loss.upper   the delta of an upper loss is at no epsilon below that of what was composed
 * Claim  loss.lower   that of a lower loss is at no epsilon above it
 * Claim  loss.dots    the gap between the two is of second order in the step
 * Claim  loss.lattice  where all losses lie on the grid nothing but rounding separates the two
 *
 * Reference  spec/local-and-accounting.md 8
 */
#ifndef SC_COMPOSITION_LOSS_H
#define SC_COMPOSITION_LOSS_H

#include "base/status.h"
#include "composition/loss/loss_pair.h"

typedef enum sc_loss_side { SC_LOSS_UPPER, SC_LOSS_LOWER } sc_loss_side;

typedef struct sc_loss {
    sc_loss_side side;
    sc_ratio step;
    long bits;   /* a mass of 2^bits is 1 */
    int64_t low; /* the first point is low * step */
    fmpz *mass;  /* count of them, none negative */
    size_t count;
    fmpz infinite;
} sc_loss;

#define SC_LOSS_BITS 192

/* Above, what is left out has probability 2^-tail. Below, 2^-SC_LOSS_LOW_TAIL will do: a loss below
 * nearly all others weighs less in delta than its probability, however small delta is. */
#define SC_LOSS_LOW_TAIL 64
static inline long sc_loss_low_tail(long tail)
{
    return tail < SC_LOSS_LOW_TAIL ? tail : SC_LOSS_LOW_TAIL;
}

void sc_loss_init(sc_loss *loss); /* nothing: no mass at all */
void sc_loss_clear(sc_loss *loss);
void sc_loss_swap(sc_loss *a, sc_loss *b);
/* Sets `count` points from low on, each of mass 0, for a discretisation to fill. SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_loss_reset(sc_loss *loss, sc_loss_side side,
                                          const sc_ratio *step, long bits, int64_t low,
                                          size_t count, scrim_error *error);

/* The grid of a discretisation: its step, the bits of a mass, and the tail of probability 2^-tail that is
 * left out. */
typedef struct sc_loss_grid {
    const sc_ratio *step;
    long bits, tail;
} sc_loss_grid;

/* One release: by connected dots from above, by supporting lines from below, exactly where the
 * pair's lattice is of this grid. Mass beyond a tail of 2^-tail goes to infinity (upper) or is
 * lost (lower). SCRIM_E_LIMIT beyond SC_LOSS_PART points or the work, SCRIM_E_MEMORY. */
#define SC_LOSS_PART ((size_t)1 << 20)
SCRIM_MUST_USE scrim_status sc_loss_from_pair(const sc_loss_pair *pair, sc_loss_side side,
                                              const sc_loss_grid *grid,
                                              sc_loss_work *work, sc_loss *out,
                                              scrim_error *error);
/* Both sides of it, for less than one after the other. */
SCRIM_MUST_USE scrim_status sc_loss_sides_from_pair(const sc_loss_pair *pair,
                                                    const sc_loss_grid *grid,
                                                    sc_loss_work *work, sc_loss *upper,
                                                    sc_loss *lower, scrim_error *error);
/* The same, upper only, of a curve of which only delta at epsilon >= 0 is known, in both
 * directions. */
SCRIM_MUST_USE scrim_status sc_loss_from_curve(const sc_curve *curve,
                                               const sc_loss_grid *grid,
                                               sc_loss_work *work, sc_loss *out,
                                               scrim_error *error);
/* All mass at 0: what costs nothing. */
SCRIM_MUST_USE scrim_status sc_loss_set_nothing(sc_loss_side side, const sc_ratio *step,
                                                long bits, sc_loss *out,
                                                scrim_error *error);
#define SC_LOSS_POINTS ((size_t)1 << 24)

/* Both, one after the other, of one side, step and bits; tails of 2^-tail are trimmed. out may be
 * one of them. SCRIM_E_LIMIT where the two have more than SC_LOSS_PRODUCT points of 192 bits, or as
 * much of another size: a few seconds and 300 MB. The fast implementation goes further. */
#define SC_LOSS_PRODUCT ((size_t)1 << 19)
SCRIM_MUST_USE scrim_status sc_loss_compose(const sc_loss *a, const sc_loss *b, long tail,
                                            sc_loss *out, scrim_error *error);
/* count >= 1 times the same. */
SCRIM_MUST_USE scrim_status sc_loss_power(const sc_loss *loss, uint64_t count, long tail,
                                          sc_loss *out, scrim_error *error);

/* delta at any real epsilon: of the upper side its upper end counts, of the lower its lower. */
void sc_loss_delta(const sc_loss *loss, const sc_ball *epsilon, long bits, sc_ball *out);
/* The smallest epsilon >= 0 whose delta is at most this one, in [0, 1): upper end or lower end by
 * side. False: the mass at infinity is more than delta, so no epsilon is enough. */
bool sc_loss_epsilon(const sc_loss *loss, const sc_ratio *delta, long bits, sc_ball *out);

#endif
