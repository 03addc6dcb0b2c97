/* The calculator of flexible accuracy: what a second stage makes of the statement of the first.
 *
 * A statement of M1 for f1 says how far M1 may be off and on which distorted input; a second stage
 * works on what the first gives. Each rule checks that the pieces fit: distortions and metrics by
 * name, worst case and average never mixed, counts and shares never added.
 *
 * Claim  flexible-composition.triple  alpha is alpha1 + sigma(alpha2), of a drop after a drop
 *                                     1 - (1 - alpha1)(1 - sigma); beta is what the second stage
 *                                     makes of beta1, with its own; gammas add up, to 1 at most
 * Claim  flexible-composition.types   pieces that do not fit, and an infinite sigma, are refused;
 *                                     what has no bound stays without one
 *
 * Reference  spec/flexible-accuracy.md 4.3, 4.4; errata E14, E20, E29
 */
#ifndef SC_ACCURACY_FLEXIBLE_COMPOSITION_H
#define SC_ACCURACY_FLEXIBLE_COMPOSITION_H

#include "distance/flexible.h"

/* How a bound grows on its way through a function. bound sets out, for at >= 0, and is false where
 * there is none. is_linear: a multiple of at, so that it holds for means as it does for the
 * worst. */
typedef struct sc_modulus {
    bool (*bound)(const void *context, const sc_ratio *at, sc_ratio *out);
    const void *context;
    bool is_linear;
} sc_modulus;

extern const sc_modulus sc_modulus_same; /* at: maximum, quantiles, added noise */
extern const sc_modulus
    sc_modulus_unbounded; /* 0 at 0 and no bound beyond: mode, max_k */

/* An exact statistic of what the first stage gives: its modulus is the metric sensitivity among
 * histograms of equal size, which is all that is needed (E14). */
typedef struct sc_flexible_statistic {
    const char *input_metric;  /* the first stage's */
    const char *output_metric; /* of the result */
    const sc_modulus *growth;
} sc_flexible_statistic;

/* (alpha1, growth(beta1), gamma1). SCRIM_E_PARAM where metrics do not fit, or the growth of an
 * average is not linear. out may be first. */
SCRIM_MUST_USE scrim_status sc_flexible_apply(const sc_flexible_claim *first,
                                              const sc_flexible_statistic *statistic,
                                              sc_flexible_claim *out, scrim_error *error);

/* A second stage with a statement of its own, for f2 on what f1 gives. */
typedef struct sc_flexible_stage {
    const sc_flexible_claim *second;
    const char *input_metric; /* in which growth takes its argument: the first stage's */
    /* W(M2(X), M2(X')) at gamma is at most growth(b) wherever W(X, X') at gamma is at most b. */
    const sc_modulus *growth;
    /* Of f1: a distortion of what it gives by a is one of its input by sigma(a). */
    const sc_modulus *sigma;
    sc_distortion sigma_from, sigma_to;
    /* Where that holds only up to omega, but for sigma_gamma; NULL: exactly. */
    const sc_ratio *sigma_gamma, *omega;
} sc_flexible_stage;

/* (alpha1 + sigma(alpha2), beta2 + growth(beta1 + omega), gamma1 + gamma2 + sigma_gamma). */
SCRIM_MUST_USE scrim_status sc_flexible_then(const sc_flexible_claim *first,
                                             const sc_flexible_stage *stage,
                                             sc_flexible_claim *out, scrim_error *error);

#endif
