/* The accountants over privacy losses: in integers, and by the fast transform.
 *
 *     loss        loss.h: integers, on one grid; the normative road, up to a size
 *     fast-loss   fast_loss.h: doubles with a proved error, on ever finer grids until both bounds are
 *                 within a thousandth
 *
 * Continuous Gaussians are merged into one before any grid (loss_items.h), and read without one where
 * there is nothing else (gaussian_merge.h). Parts of which no loss is known are composed by their Renyi
 * curves at half of delta (or of epsilon), and both totals are added; they are left out from below. Of
 * samples both directions are composed apart, and the larger counts, from below too.
 *
 * Claim  loss-roads.upper  no upper bound is below what the bag has
 * Claim  loss-roads.lower  no lower bound is above it
 *
 * Reference  spec/local-and-accounting.md 8
 */
#ifndef SC_COMPOSITION_LOSS_ROADS_H
#define SC_COMPOSITION_LOSS_ROADS_H

#include "composition/accountant/accountant.h"

extern const sc_accountant sc_accountant_loss;
extern const sc_accountant sc_accountant_fast_loss;

#endif
