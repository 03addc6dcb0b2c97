/* The privacy loss of shifted Laplace noise against a shift of 1: four values.
 *
 * Noise of shifted_laplace.h, its support -q..0, is added to x + 1 and to x. Side by side, the two
 * laws have the ratio exp(+-epsilon) or 1, and at one end of each there is mass where the other has
 * none. With d = P(Z = 0) and m = floor(q/2), under the law of x + 1:
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
#ifndef SC_MODEL_SHIFTED_LOSS_H
#define SC_MODEL_SHIFTED_LOSS_H

#include "base/number/ball.h"

typedef struct sc_shifted_loss {
    sc_ball infinite, up, level, down;
} sc_shifted_loss;

/* epsilon > 0, 1 <= q <= 2^60. */
void sc_shifted_loss_init(sc_shifted_loss *loss, const sc_ratio *epsilon, uint64_t q,
                          long bits);
void sc_shifted_loss_clear(sc_shifted_loss *loss);

/* delta(at) of so many copies, at least 1; it takes a time that grows with their square. */
void sc_shifted_loss_delta(const sc_shifted_loss *loss, const sc_ratio *epsilon,
                           uint64_t copies, const sc_ratio *at, long bits, sc_ball *out);

#endif
