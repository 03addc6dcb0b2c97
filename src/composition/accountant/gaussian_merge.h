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
#ifndef SC_COMPOSITION_GAUSSIAN_MERGE_H
#define SC_COMPOSITION_GAUSSIAN_MERGE_H

#include "composition/accountant/accountant.h"
#include "composition/loss/loss_items.h"

/* Are the items one such release, and nothing else? */
bool sc_gaussian_merge_is(const sc_loss_items *items);
/* Both ends of epsilon at a delta in (0, 1); false, and out untouched, where epsilon is above 2^20 or
 * below 2^-200. */
bool sc_gaussian_merge_epsilon(const sc_loss_items *items, const sc_ratio *delta,
                               sc_enclosure *out);
/* Both ends of delta at an epsilon >= 0. */
void sc_gaussian_merge_delta(const sc_loss_items *items, const sc_ratio *epsilon,
                             sc_enclosure *out);

#endif
