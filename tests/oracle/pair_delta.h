/* The delta of a pair of laws from the tails of its loss, for tests that compare tails with truth. */
#ifndef PAIR_DELTA_H
#define PAIR_DELTA_H

#include "composition/loss/loss_pair.h"

/* delta at a real epsilon, the mass at infinity included; the ball holds both ends of epsilon. */
void pair_delta(const sc_loss_pair *pair, const sc_ball *epsilon, long bits,
                sc_ball *out);

#endif
