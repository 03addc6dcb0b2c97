/* A statement of flexible accuracy: a mechanism M is (alpha, beta, gamma)-accurate for a function
 * f where for each input x there is a random X', no value of which is further than alpha from x in
 * the distortion named here, such that M(x) and f(X') are within beta but for a probability of
 * gamma: their lossy Wasserstein distance at gamma is at most beta.
 *
 * beta is the largest distance that mass is moved, or in the average form the mean one; two forms
 * are never mixed. Every number of a statement is an upper bound, and is rounded up.
 *
 * Claim  flexible.record  what is shown of a statement names its distortion, its metric and its
 *                         form, and no number of it is below the one that was proved
 *
 * Reference  spec/flexible-accuracy.md 4.1, 4.2
 */
#ifndef SC_DISTANCE_FLEXIBLE_H
#define SC_DISTANCE_FLEXIBLE_H

#include "base/number/ratio.h"
#include "distance/wasserstein.h"
#include "model/certificate.h"
#include "model/outcomes.h"
#include "scrim/measurement.h"

typedef enum sc_distortion {
    SC_DISTORTION_DROP = 1, /* the share of the elements that are left out */
    SC_DISTORTION_MOVE,     /* the furthest that an element moves; none is left out */
    SC_DISTORTION_DROP_MOVE /* the first, and eta times the second */
} sc_distortion;

/* The distances in which beta is measured: constant text, compared as text. Others may be
 * named. */
#define SC_METRIC_ABSOLUTE "absolute"   /* |a - b| of numbers */
#define SC_METRIC_SUP "sup"             /* the larger of the two ends of intervals */
#define SC_METRIC_HAUSDORFF "hausdorff" /* of finite sets */
/* Histograms of equal size: the furthest that an element moves, in the norm of the places. */
#define SC_METRIC_MOVE "move"
#define SC_METRIC_MOVE_L1 "move-l1"
#define SC_METRIC_MOVE_L2 "move-l2"
#define SC_METRIC_MOVE_MAX "move-max"

typedef struct sc_flexible_claim {
    sc_ratio alpha, beta, gamma;
    sc_distortion distortion;
    sc_ratio eta;       /* of SC_DISTORTION_DROP_MOVE: the price of a step; else 0 */
    const char *metric; /* of beta; constant text */
    bool is_average;    /* beta is a mean; else a largest distance */
    bool is_count;      /* alpha is a number of elements, because the size is private */
    bool is_beta_unbounded; /* no guarantee of the distance; beta is 0 */
} sc_flexible_claim;

/* (0, 0, 0), worst case, for drop and SC_METRIC_ABSOLUTE: what an exact answer has. */
void sc_flexible_init(sc_flexible_claim *out);
void sc_flexible_clear(sc_flexible_claim *x);
void sc_flexible_set(sc_flexible_claim *out, const sc_flexible_claim *x);
/* A statement that can be true: no number below 0, gamma at most 1, eta only where it belongs, a
 * metric; an alpha that counts is whole and not of move. SCRIM_E_PARAM. */
SCRIM_MUST_USE scrim_status sc_flexible_check(const sc_flexible_claim *x,
                                              scrim_error *error);
/* "drop", "move", "drop-move"; and back, false for other words. */
const char *sc_distortion_name(sc_distortion distortion);
bool sc_distortion_parse(sc_text word, sc_distortion *out);

/* One line: "alpha=0.054 beta=0.1 gamma=0 distortion=drop metric=absolute case=worst". A count is
 * "dropped=27" in place of alpha, a beta without bound "beta=unbounded", and eta follows the
 * distortion that has one. Each number is exact where it is short, else rounded up. Writes at most
 * capacity bytes with the terminator and returns the length it needs, as snprintf does;
 * SC_FLEXIBLE_TEXT_BYTES is enough for the metrics named above. */
#define SC_FLEXIBLE_TEXT_BYTES (4 * SCRIM_NUMBER_BYTES + 128)
size_t sc_flexible_format(const sc_flexible_claim *x, char *text, size_t capacity);
/* As the certificate of a measurement; a beta without bound is the empty text. excludes is
 * constant text, or NULL. */
void sc_flexible_certificate(const sc_flexible_claim *x, const char *excludes,
                             sc_certificate *out);

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

/* How a bound grows on its way through a function. bound sets out, for at >= 0, and is false where
 * no such value exists. is_linear: a multiple of at, so that it holds for means as it does for the
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
    /* Distortion sensitivity of f1: distorting its output by a is distorting its input by sigma(a). */
    const sc_modulus *sigma;
    sc_distortion sigma_from, sigma_to;
    /* Where that holds only up to omega, but for sigma_gamma; NULL: exactly. */
    const sc_ratio *sigma_gamma, *omega;
} sc_flexible_stage;

/* (alpha1 + sigma(alpha2), beta2 + growth(beta1 + omega), gamma1 + gamma2 + sigma_gamma). */
SCRIM_MUST_USE scrim_status sc_flexible_then(const sc_flexible_claim *first,
                                             const sc_flexible_stage *stage,
                                             sc_flexible_claim *out, scrim_error *error);

/* A statement about histograms of equal size, read with a distortion that may also move elements: where elements of
 * the answer have moved by beta, the answer is a distorted input, and any statistic of it is exact for that one:
 * (alpha1 + eta beta1, 0, gamma1) in drop-move. The statistic needs no metric. SCRIM_E_PARAM for another distortion
 * than drop or drop-move at this eta, a count, an average, a beta without bound, or a beta that is not of moves. out
 * may be first.
 *
 * Claim  flexible-composition.distort  a move of beta is a distortion of eta beta, and beta is 0 then
 *
 * Reference  docs/spec/flexible-accuracy.md 11
 */
SCRIM_MUST_USE scrim_status sc_flexible_distort(const sc_flexible_claim *first,
                                                const sc_ratio *eta,
                                                const char *output_metric,
                                                sc_flexible_claim *out,
                                                scrim_error *error);

/* How accurate a mechanism is on one input, from its exact law: the best beta for a gamma.
 *
 * With R the values f(x') over all x' within distortion alpha of x, and err(y) the distance of an
 * outcome y from the nearest of R, the best beta at gamma is the (1 - gamma)-quantile of err: the
 * least b with P(err > b) <= gamma. The mean of err is the average form at gamma 0; at gamma
 * the largest errors of that probability count as 0.
 *
 * Claim  flexible-evaluation.quantile  no outcome that is beyond beta has its probability left out:
 *                                      P(err > beta) <= gamma, and below beta_lower it is not
 *
 * Claim  flexible-evaluation.average   the average form at gamma: the mean of err without the largest errors, which have
 *                                      together the probability gamma; of outcomes that are not listed, an upper bound
 *                                      by the mean of err^2
 *
 * Reference  spec/flexible-accuracy.md 4.1
 */

typedef struct sc_evaluation {
    sc_distance beta; /* P(err > beta) <= gamma; infinite where too much is not listed */
    sc_distance
        beta_lower; /* no smaller b has that; the same but where masses are vague */
    sc_ball mean;   /* of err; not finite where there is a tail that is not listed */
    sc_ball
        average; /* at gamma; with a larger tail than that, which is not listed, an upper
                      * bound, and not finite where nothing is known of it */
} sc_evaluation;

void sc_evaluation_init(sc_evaluation *out);
void sc_evaluation_clear(sc_evaluation *evaluation);
/* law has outcomes of one number each; reachable, sorted and not empty, are the values of R; square is
 * at least the mean of err^2, NULL where no bound is known.
 * SCRIM_E_PARAM otherwise, and for a gamma outside of [0, 1]; SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_evaluate(const sc_outcomes *law,
                                        const sc_masses *reachable, const sc_ratio *gamma,
                                        const sc_ball *square, long bits,
                                        sc_evaluation *out, scrim_error *error);

#endif
