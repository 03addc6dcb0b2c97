/* Pairs of laws and their privacy losses from text, for tests. */
#ifndef LOSSES_H
#define LOSSES_H

#include "composition/loss/loss.h"
#include "exact.h"

/* Each initialises out. kind: pure, laplace, gaussian, continuous-laplace, continuous-gaussian. */
void losses_pair(const char *kind, const char *shape, uint64_t shift, sc_loss_pair *out);
void losses_sampled(const char *kind, const char *shape, uint64_t shift, const char *rate,
                    sc_direction direction, sc_loss_pair *out);
/* count releases of the pair on a grid of this step; SC_LOSS_BITS, tails of 2^-LOSSES_TAIL. */
#define LOSSES_TAIL 140
void losses_of(const sc_loss_pair *pair, sc_loss_side side, const char *step,
               uint64_t count, sc_loss *out);

/* The bound that the side stands for: the upper end of an upper loss, the lower of a lower one. */
double losses_delta(const sc_loss *loss, const char *epsilon);
double losses_epsilon(const sc_loss *loss, const char *delta);

/* Does lower <= truth <= upper hold at epsilon, and is upper <= ratio * truth? */
#define CHECK_LOSSES(lower, upper, epsilon, truth, ratio)                                \
    losses_check((lower), (upper), (epsilon), (truth), (ratio), __FILE__, __LINE__)
bool losses_check(const sc_loss *lower, const sc_loss *upper, const char *epsilon,
                  const sc_ball *truth, double ratio, const char *file, int line);

#endif
