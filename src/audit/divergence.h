/* Two exact laws side by side, and how far apart they are. */
#ifndef SC_AUDIT_DIVERGENCE_H
#define SC_AUDIT_DIVERGENCE_H

#include "audit/bounds.h"
#include "model/outcomes.h"

/* Two exact laws side by side: their outcomes sorted by privacy loss, with running sums.
 *
 * An outcome's loss is ln P/Q. Sorted by it, largest first, the best event against Q is always
 * the outcomes up to some place, and what it weighs in either law is a running sum: a hundred
 * questions about divergences cost one sort.
 *
 * A law of noise lists all outcomes but a tail, whose mass is at most its rest. All outcomes that only
 * P lists have together, in Q, at most the rest of Q.
 *
 * Claim  comparison.order  no outcome is placed where its loss contradicts its neighbours' by
 *                          more than the slack; the running sums are those of the masses
 */

typedef enum sc_direction {
    SC_FORTH, /* P against Q */
    SC_BACK   /* Q against P */
} sc_direction;

/* An outcome that both laws list, with masses that are certainly above 0. */
typedef struct sc_shared_outcome {
    double loss_view; /* not above the loss, and within slack of it */
    sc_ball p, q, loss;
} sc_shared_outcome;

/* An outcome that both laws list, but one of whose masses may be 0, as far as its ball tells: it
 * has no loss. */
typedef struct sc_vague_outcome {
    sc_ball p, q;
} sc_vague_outcome;

/* The mass of outcomes that the other law does not list. */
typedef struct sc_unshared {
    sc_ball absent; /* mass at outcomes that the other law does not have */
    sc_ball hidden; /* mass where the other law has at most its rest in all */
    sc_ball rest;   /* at least the mass that this law does not list */
    bool has_rest;
} sc_unshared;

typedef struct sc_comparison {
    long bits;
    size_t shared_count, vague_count;
    sc_shared_outcome *shared; /* by loss_view, largest first */
    sc_vague_outcome *vague;
    double slack;
    /* Sums over the shared outcomes 0 .. i-1, and over i .. shared_count-1. */
    sc_ball *p_first, *q_first, *p_last, *q_last;
    sc_unshared p_unshared, q_unshared;
} sc_comparison;

/* A comparison of two sorted laws with keys of the same width (SCRIM_E_INTERNAL when they are not); nothing
 * of them is kept. bits is the precision of all that is computed from it. */
SCRIM_MUST_USE scrim_status sc_comparison_new(const sc_outcomes *p, const sc_outcomes *q,
                                              long bits, sc_comparison **out,
                                              scrim_error *error);
void sc_comparison_free(sc_comparison *comparison); /* NULL is allowed */

/* A comparison seen in one direction: P is the law in the numerator of the loss, and places
 * count from the largest loss of that direction. */
typedef struct sc_side {
    const sc_comparison *comparison;
    bool is_back;
    const sc_unshared *own, *other;
} sc_side;

sc_side sc_side_of(const sc_comparison *comparison, sc_direction direction);

/* A double within slack of the loss. */
double sc_side_loss_view(const sc_side *side, size_t place);
/* The number of places where it is above a bound. */
size_t sc_side_above(const sc_side *side, double bound);
/* The sums over the first `places` places. */
const sc_ball *sc_side_p_sum(const sc_side *side, size_t places);
const sc_ball *sc_side_q_sum(const sc_side *side, size_t places);

/* Some mass of P lies where no loss is known. */
bool sc_side_is_partial(const sc_side *side);

static inline const sc_ball *sc_side_p(const sc_side *side,
                                       const sc_shared_outcome *outcome)
{
    return side->is_back ? &outcome->q : &outcome->p;
}
static inline const sc_ball *sc_side_q(const sc_side *side,
                                       const sc_shared_outcome *outcome)
{
    return side->is_back ? &outcome->p : &outcome->q;
}

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
