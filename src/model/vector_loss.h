/* The privacy loss of shifted Laplace noise against a shift of 1: four values.
 *
 * Noise of bounded_laplace.h, its support -q..0, is added to x + 1 and to x. Side by side, the two
 * laws have the ratio exp(+-epsilon) or 1, and at one end of each there is mass where the other has
 * no mass. With d = P(Z = 0) and m = floor(q/2), under the law of x + 1:
 *
 *     infinite   d                                     only x + 1 can give it
 *     up         d (e^epsilon + ... + e^(m epsilon))   the loss is epsilon
 *     level      d e^(m epsilon), q odd only           the loss is 0
 *     down       d (1 + ... + e^((m-1) epsilon))       the loss is -epsilon
 *
 * Under the law of x the two middle ones change places, and so they do the other way round: the pair
 * is its own mirror image. Of K releases, or of K independent bars that one unit moves by one each,
 *
 *     delta(e) = 1 - (1-d)^K + sum K!/(i! j! (K-i-j)!) up^i down^j level^(K-i-j)
 *                                                     max(0, 1 - e^(e - (i-j) epsilon))
 *
 * Claim  shifted-loss.exact  the balls hold these masses, and this delta
 *
 * Reference  spec/flexible-accuracy.md 5.3
 */
#ifndef VECTOR_LOSS_H
#define VECTOR_LOSS_H

#include "base/number/ball.h"
#include "model/curve_kind.h"
#include "model/grid.h"

typedef struct sc_shifted_loss {
    sc_ball infinite, up, level, down;
} sc_shifted_loss;

/* epsilon > 0, 1 <= q <= 2^60. */
void sc_shifted_loss_init(sc_shifted_loss *loss, const sc_ratio *epsilon, uint64_t q,
                          long bits);
void sc_shifted_loss_clear(sc_shifted_loss *loss);

/* delta(at) of `copies` >= 1 releases; the time grows with the square of their number. */
void sc_shifted_loss_delta(const sc_shifted_loss *loss, const sc_ratio *epsilon,
                           uint64_t copies, const sc_ratio *at, long bits, sc_ball *out);

/* How a value comes to its place on a grid: as it is, moved to an end of the range, or rounded to
 * a step. The place alone does not tell; this is for the owner, who wants to know whether the
 * declared range and step fit what is there.
 *
 * Claim  landing.exact  a value is below or above exactly when it is less than the lower end of the
 *                       range or more than the upper one, and rounded exactly when it lies
 *                       within and is no multiple of the step; the place is the one that
 *                       data_number.h gives
 */

typedef struct sc_landing {
    int64_t place;
    bool is_below, is_above, is_rounded; /* at most one */
} sc_landing;

/* False for what sc_data_number_read does not read. */
bool sc_landing_of_text(const sc_grid *grid, sc_text text, sc_landing *out);

/* The privacy loss of discrete Gaussian noise on several integers that one unit moves together.
 *
 * If the true vector moves by integers s, the loss depends on W = s_1 Y_1 + s_2 Y_2 + ... alone:
 *
 *     delta_s(e) = P(W > e v - n/2) - exp(e) P(W > e v + n/2),  n = s_1^2 + s_2^2 + ..., v the variance
 *
 * It does not fall if one s_i grows, so of all moves of a given length only the maximal ones count: those
 * in which no number can be raised. No single one is the worst at every e. The largest of their deltas is
 * the delta of the release, and as a curve it composes adaptively.
 *
 * Claim  vector-loss.exact  the ball holds the largest delta_s(e) over all moves with n at most square in
 *                           at most this many numbers
 *
 * Reference  spec/papers-additions.md 1.3
 */

typedef struct sc_vector_loss sc_vector_loss;

#define SC_VECTOR_LOSS_SQUARE 100 /* the largest square */

/* How many maximal moves there are. square is at most SC_VECTOR_LOSS_SQUARE, numbers at least 1. */
size_t sc_vector_loss_count(uint64_t square, uint64_t numbers);
/* NULL, and no error, where this takes more steps than a release should wait for: the variance, the
 * square and the numbers decide. SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_vector_loss_new(const sc_ratio *variance, uint64_t square,
                                               uint64_t numbers, sc_vector_loss **out,
                                               scrim_error *error);
void sc_vector_loss_free(sc_vector_loss *loss); /* NULL is nothing */
/* To about 160 bits after the point. */
void sc_vector_loss_delta(const sc_vector_loss *loss, const sc_ratio *epsilon,
                          sc_ball *out);

/* The curve of it, and of the concentration rho that it has besides. loss outlives the curve. */
void sc_curve_set_vector(sc_curve *curve, const sc_vector_loss *loss,
                         const sc_ratio *rho);

#endif
