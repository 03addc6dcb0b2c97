/* The heaviest losses of a pair that has single ones, as doubles: for the choice of a grid.
 *
 * A loss that lies alone between two points must be moved to one of them in a lower loss, and is
 * spread over both in an upper one: a grid near whose points the heavy ones lie is the better one.
 * Nothing here is a bound.
 *
 * Reference  spec/local-and-accounting.md 8.2
 */
#ifndef SC_COMPOSITION_LOSS_ATOMS_H
#define SC_COMPOSITION_LOSS_ATOMS_H

#include "composition/loss/loss_pair.h"

#define SC_LOSS_ATOMS 64

typedef struct sc_loss_atoms {
    double at[4 * SC_LOSS_ATOMS], mass[4 * SC_LOSS_ATOMS];
    size_t count;
} sc_loss_atoms;

/* Adds those of a pair whose losses are on a lattice before sampling, each counted so many times:
 * none where there are more of them than SC_LOSS_ATOMS that matter, for the loss is then nearly
 * continuous, and none where the list is full. */
void sc_loss_atoms_add(const sc_loss_pair *pair, double times, sc_loss_atoms *out);
/* The largest of them, whatever its sign. */
double sc_loss_atoms_reach(const sc_loss_atoms *atoms);
/* How far they are from the points of a grid of this step, in all. */
double sc_loss_atoms_distance(const sc_loss_atoms *atoms, double step);

#endif
