/* The true delta of a few releases, outcome by outcome: the plain road to what a privacy loss
 * bounds. Nothing here knows of tails, grids or directions of a loss. */
#ifndef LOSS_TRUTH_H
#define LOSS_TRUTH_H

#include "composition/loss/loss_pair.h"
#include "exact.h"

/* The outcomes of one release and their probabilities under both laws. */
typedef struct loss_truth {
    sc_ball *p, *q;
    size_t count;
    sc_ball beyond; /* no less than what P has outside of them */
} loss_truth;

/* A pair on the integers, or one that a claim stands for. False, with a failed check, for the
 * continuous ones. */
bool loss_truth_open(loss_truth *truth, const sc_loss_pair *pair);
void loss_truth_close(loss_truth *truth);

/* sum max(0, p - exp(epsilon) q) over all sequences of `releases` outcomes. */
void loss_truth_delta(const loss_truth *truth, unsigned releases, const sc_ratio *epsilon,
                      sc_ball *out);
/* `releases` releases of randomised response: a sum of binomials. */
void loss_truth_response(const sc_ratio *epsilon0, uint64_t releases,
                         const sc_ratio *epsilon, sc_ball *out);
/* Continuous Gaussian noise, where many releases are one with sigma/sqrt(releases); sampled,
 * of one release. */
void loss_truth_gaussian(const sc_loss_pair *pair, uint64_t releases,
                         const sc_ratio *epsilon, sc_ball *out);
/* One release of continuous Laplace noise. */
void loss_truth_laplace(const sc_loss_pair *pair, const sc_ratio *epsilon, sc_ball *out);

#endif
