/* How far apart two exact laws are.
 *
 * For finite laws P and Q these are plain sums. A law of noise lists all but a tail, whose mass
 * is at most its rest; what is unknown about a tail is counted for and against, so that each
 * answer is a pair of bounds that encloses the true value.
 *
 * Claim  divergence.hockey-stick  lower <= sum max(0, P - e^epsilon Q) <= upper, for every way
 *                                 of spreading what is not listed
 * Claim  divergence.loss          the largest ln P/Q: infinite exactly when an outcome has a
 *                                 mass in P and none in Q; the bounds count every outcome that
 *                                 both laws list, and all that only P lists as one event
 * Claim  divergence.renyi         the Renyi divergence of a rational order > 1, and of order 1
 *                                 (Kullback and Leibler), in enclosures
 *
 * At an epsilon the divergence is a difference of two running sums of the comparison, but for
 * the outcomes whose loss cannot be told from epsilon.
 *
 * Reference  spec/mechanisms.md 7
 */
#ifndef SC_AUDIT_DIVERGENCE_H
#define SC_AUDIT_DIVERGENCE_H

#include "audit/bounds.h"
#include "audit/comparison.h"

/* H_epsilon = sum max(0, P - e^epsilon Q), at any epsilon. */
void sc_divergence_hockey_stick(const sc_comparison *comparison, sc_direction direction,
                                const sc_ratio *epsilon, sc_enclosure *out);
/* The largest loss. unlisted (may be NULL) gets the mass of P that the upper bound does not
 * cover. */
void sc_divergence_loss(const sc_comparison *comparison, sc_direction direction,
                        sc_enclosure *out, sc_ball *unlisted);
/* D_order, order >= 1; at 1 the divergence of Kullback and Leibler. */
void sc_divergence_renyi(const sc_comparison *comparison, sc_direction direction,
                         const sc_ratio *order, sc_enclosure *out);

#endif
