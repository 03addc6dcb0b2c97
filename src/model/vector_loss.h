/* The privacy loss of discrete Gaussian noise on several integers that one unit moves together.
 *
 * If the true vector moves by integers s, the loss depends on W = s_1 Y_1 + s_2 Y_2 + ... alone:
 *
 *     delta_s(e) = P(W > e v - n/2) - exp(e) P(W > e v + n/2),  n = s_1^2 + s_2^2 + ..., v the variance
 *
 * It does not fall if one s_i grows, so of all moves of a given length only the maximal ones count: those
 * in which no number can be raised. None of them is the worst at every e. The largest of their deltas is
 * the delta of the release, and as a curve it composes adaptively.
 *
 * Claim  vector-loss.exact  the ball holds the largest delta_s(e) over all moves with n at most square in
 *                           at most so many numbers
 *
 * Reference  spec/papers-additions.md 1.3
 */
#ifndef SC_MODEL_VECTOR_LOSS_H
#define SC_MODEL_VECTOR_LOSS_H

#include "model/curve_kind.h"

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
