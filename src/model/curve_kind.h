/* A privacy curve as data: its kind, a constant of functions, and the parameters of the kind.
 *
 * curve.h sets and asks curves; renyi_conversion.h converts their Renyi divergences.
 */
#ifndef SC_MODEL_CURVE_KIND_H
#define SC_MODEL_CURVE_KIND_H

#include "base/number/ball.h"
#include "base/status.h"

typedef struct sc_curve sc_curve;

/* The pair of laws that has exactly the deltas of a kind; composition needs it. */
typedef enum sc_curve_pair {
    SC_CURVE_PAIR_NONE = 0,    /* none that has a name */
    SC_CURVE_PAIR_PURE,        /* randomised response of epsilon */
    SC_CURVE_PAIR_APPROXIMATE, /* the same, and delta where all is told */
    SC_CURVE_PAIR_LAPLACE,     /* discrete Laplace of scale shape, shifted by count */
    SC_CURVE_PAIR_GAUSSIAN,    /* discrete Gaussian of variance shape, shifted by count */
    SC_CURVE_PAIR_SHIFTED, /* shifted Laplace of epsilon shape and q = count, moved by 1 */
    SC_CURVE_PAIR_SHIFTED_TWICE,      /* two of them */
    SC_CURVE_PAIR_CONTINUOUS_LAPLACE, /* of scale shape, shifted by 1 */
    SC_CURVE_PAIR_CONTINUOUS_GAUSSIAN /* of standard deviation shape, shifted by 1 */
} sc_curve_pair;

typedef struct sc_curve_functions {
    const char *name;
    /* delta at epsilon >= 0; NULL: it follows from renyi. */
    void (*delta)(const sc_curve *curve, const sc_ratio *epsilon, long bits,
                  sc_ball *out);
    /* D_order, order > 1; NULL: nothing finite is proved. */
    void (*renyi)(const sc_curve *curve, const sc_ratio *order, long bits, sc_ball *out);
    sc_curve_pair pair;
    /* The curve of groups of 2 or more units, into an initialised one; false: nothing is proved. NULL: it
     * follows from (epsilon, delta) or from a line. */
    bool (*group)(const sc_curve *curve, uint64_t units, sc_curve *out);
} sc_curve_functions;

/* The parameters that a kind needs; the rest stays 0. */
struct sc_curve {
    const sc_curve_functions *functions;
    sc_ratio epsilon; /* or rho, by the kind */
    sc_ratio delta;
    sc_ratio shape;      /* scale, variance or epsilon of noise, or xi */
    uint64_t count;      /* copies, or the integer shift of noise, or q */
    const void *context; /* for kinds of a mechanism; lives as long as the measurement */
    /* There are neighbours whose answers have the laws of the kind's pair, so that bounds from
     * below follow from it too; an epsilon of their own is at most 2^-60 of it less. */
    bool is_attained;
};

#endif
