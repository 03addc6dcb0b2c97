/* The privacy loss of recorded draws, all of them together: what a charge for them may never be below.
 *
 * Two runs on neighbouring tables are the same calls with two inputs (recorder.h). Each call has a distribution on either
 * input: that of its noise, written down here, or the law of its descriptor. Given their inputs the draws are independent, so their
 * losses add up. Nothing here knows what a draw costs, which sensitivity it was made for, or how costs are
 * added up: no function of src/composition, of a ledger or of a curve is called.
 *
 * Where an input follows from an earlier answer (groups that were kept, rings around a quantile) it is the recorded one: a
 * composition bounds every such choice.
 *
 * Doubles. Bounds are from below: delta by a grid whose losses are rounded down, and what is not listed of a law is left out.
 */
#ifndef CALL_LOSSES_H
#define CALL_LOSSES_H

#include "recorder.h"

/* One number of one draw: logarithms of the probabilities of each outcome on either input. */
typedef struct call_factor {
    double *p, *q;
    size_t count;
    bool is_bounded; /* no outcome is possible on one input alone */
} call_factor;

typedef struct call_losses {
    call_factor *factors;
    size_t count, capacity;
} call_losses;

/* Measurements by their lines: reading one takes longer than its loss. Begins as zeros. */
#define CALL_LINES 64
typedef struct call_lines {
    scrim_measurement *measurements[CALL_LINES];
    size_t count;
} call_lines;
void call_lines_clear(call_lines *lines);

/* Adds the factors of all numbers that differ to out, which begins as zeros. False, with a failed check, where a call has no law. */
bool call_losses_add(call_lines *lines, const sc_recorder *first,
                     const sc_recorder *second, call_losses *out);
void call_losses_clear(call_losses *losses);

/* All that follows is of the worse of the two directions. */

/* The largest loss; infinite where an outcome is possible on one input alone. */
double call_losses_largest(const call_losses *losses);
/* The Renyi divergence of an order above 1, of bounded factors alone. */
double call_losses_renyi(const call_losses *losses, double order);
/* The largest divergence of any order, divided by it; again of bounded factors. */
double call_losses_rho(const call_losses *losses);
bool call_losses_are_bounded(const call_losses *losses);
/* delta at epsilon > 0; `steps` of the grid in epsilon. 0 where a divergence shows that it is below `most`. */
double call_losses_delta(const call_losses *losses, double epsilon, double most,
                         unsigned steps);

#endif
