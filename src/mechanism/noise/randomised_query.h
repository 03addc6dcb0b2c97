/* A randomised query: a number is drawn from the distribution of the input, and discrete Laplace noise
 * is added to it.
 *
 * Input       which of the listed inputs it is, an integer from 0 on; beyond the last it is the last
 * Output      v + Z, v drawn from the law of the input, P(Z = z) proportional to
 *             exp(-|z| epsilon / S); v itself where S is 0
 * Neighbours  replace: the inputs of each declared pair, of any two unless pairs are given. The list
 *             must hold every input of the domain
 * Claim       randomised-query.privacy   (epsilon, theta)-DP, where S is the theta-sensitivity: the
 *                                        largest distance of the laws of neighbours but for a mass of
 *                                        theta (distance/theta_steps.c); with S = 0 (0, theta)-DP,
 *                                        with theta = 0 pure
 * Claim       randomised-query.exact     the law is exactly that
 * Claim       randomised-query.accuracy  P(|Z| > t) = 2 a^(t+1) / (1 + a), a = exp(-epsilon/S), about
 *                                        the number that was drawn
 * Time        depends on the draw and on the noise, and not on the input: all laws are walked
 * Reference   spec/papers-additions.md 5.3; spec/flexible-accuracy.md 12.3; errata E23, E24, E26
 *
 * Laws are given one behind the other: places are integers, masses add up to 1 in each law, and sizes
 * say how many places each law has. Proof: robust_laplace.h, for the laws of two neighbours.
 */
#ifndef SC_MECHANISM_NOISE_RANDOMISED_QUERY_H
#define SC_MECHANISM_NOISE_RANDOMISED_QUERY_H

#include "model/measurement.h"

extern const sc_mechanism sc_randomised_query;

#endif
