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
#ifndef SC_ACCURACY_FLEXIBLE_H
#define SC_ACCURACY_FLEXIBLE_H

#include "base/number/ratio.h"
#include "model/certificate.h"
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

#endif
