/* Neighbours whose values lie between the places of the grid.
 *
 * A mechanism's own family of pairs is in steps, and so knows nothing of rounding. These pairs are
 * numbers that differ by what was declared of neighbours (sc_change), chosen just below the border
 * between two places, and brought into the domain as the gate brings texts there. Where the gate
 * would not take so many texts there is no pair, nor where values are declared whole. One that lies
 * apart as a pair of the family does is left out.
 *
 * Claim  off-grid.neighbours  before they are rounded, the two sides of each pair differ by no more
 *                             than was declared
 */
#ifndef SC_AUDIT_OFF_GRID_H
#define SC_AUDIT_OFF_GRID_H

#include "model/measurement.h"

/* How many there are, and each. */
size_t sc_off_grid_count(const scrim_measurement *measurement);
void sc_off_grid_pair(const scrim_measurement *measurement, size_t index, sc_pair *out);

/* The values of a shape before they are rounded: x and y, of SC_OFF_GRID_VALUES each, initialised.
 * Returns how many there are; 0: the measurement has no pair of that shape. */
#define SC_OFF_GRID_SHAPES 4
#define SC_OFF_GRID_VALUES 2
size_t sc_off_grid_values(const scrim_measurement *measurement, size_t shape, sc_ratio *x,
                          sc_ratio *y);

#endif
