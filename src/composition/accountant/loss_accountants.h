/* Accountants that compose privacy losses, and the closed form for continuous Gaussians alone. */
#ifndef SC_COMPOSITION_LOSS_ACCOUNTANTS_H
#define SC_COMPOSITION_LOSS_ACCOUNTANTS_H

#include "composition/accountant/accountant.h"
#include "composition/loss/bag_parts.h"

/* The loss of one continuous Gaussian release, read without a grid: what a bag of them is merged into.
 *
 * With mu = 1/sigma, delta(e) = Phi(mu/2 - e/mu) - exp(e) Phi(-mu/2 - e/mu), for the pair of
 * neighbours that moves every release by its sensitivity. That falls in e, so that epsilon at a delta
 * is found by halving between balls.
 *
 * Claim  gaussian-merge.exact  both ends of epsilon hold the true one and are at most 1e-12 apart, both
 *                              ends of delta are within 2^-100 of it, whatever the number of releases
 *
 * Reference  spec/papers-additions.md 1.1; spec/mechanisms.md 4.3
 */

/* Are the items one such release, and nothing else? */
bool sc_gaussian_merge_is(const sc_loss_items *items);
/* Both ends of epsilon at a delta in (0, 1); false, and out untouched, where epsilon is above 2^20 or
 * below 2^-200. */
bool sc_gaussian_merge_epsilon(const sc_loss_items *items, const sc_ratio *delta,
                               sc_enclosure *out);

/* The accountants over privacy losses: in integers, and by the fast transform.
 *
 *     loss        loss.h: integers, on one grid; the normative method, up to a size
 *     fast-loss   fast_loss.h: doubles with a proved error, on ever finer grids until both bounds are
 *                 within a thousandth
 *
 * Continuous Gaussians are merged into one before any grid (bag_parts.h), and read without one where
 * there is nothing else. Parts of which no loss is known are composed by their Renyi
 * curves at half of delta (or of epsilon), and both totals are added; they are left out from below. Of
 * samples both directions are composed apart, and the larger counts, from below too.
 *
 * Claim  loss-roads.upper  no upper bound is below what the bag has
 * Claim  loss-roads.lower  no lower bound is above it
 *
 * Reference  spec/local-and-accounting.md 8
 */

extern const sc_accountant sc_accountant_loss;
extern const sc_accountant sc_accountant_fast_loss;

#endif
