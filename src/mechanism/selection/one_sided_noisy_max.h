/* The index of the largest score with exponential noise: it is permute-and-flip.
 *
 * Input       scores s_i of N >= 1 public candidates, whole numbers of steps, each of sensitivity D
 * Output      arg max of s_i + X_i, X_i exponential of rate h = epsilon / (2 D), or epsilon / D
 *             where scores are monotone; drawn as permute-and-flip, whose law it has
 * Neighbours  add-remove or replace, for which D holds; monotone only under add-remove
 * Claim       one-sided-noisy-max.privacy  pure epsilon-DP, as permute-and-flip
 * Claim       one-sided-noisy-max.same     its law is that of permute-and-flip
 * Reference   Ding, Kifer and others 2021; spec/mechanisms.md 5.4
 *
 * Why. Let t be the value of exp(-h X_i) for the winner, uniform in (0, 1). Candidate j does not
 * beat s_i + X_i when X_j <= X_i + s_i - s_j. Against the best score, exp(-h (X_i + s_i - best))
 * = t exp(g_i) must be below 1, and j stays below with probability 1 - t exp(g_i - g_j). With
 * u = t exp(g_i) the probability of i is w_i times the integral over u in (0, 1) of the product
 * over j of 1 - u w_j; and that is permute-and-flip with u the place of i in the random order.
 * Continuous noise is never drawn: with it the choice could not be exact.
 */
#ifndef SC_MECHANISM_SELECTION_ONE_SIDED_NOISY_MAX_H
#define SC_MECHANISM_SELECTION_ONE_SIDED_NOISY_MAX_H

#include "model/mechanism.h"

extern const sc_mechanism sc_one_sided_noisy_max;

#endif
