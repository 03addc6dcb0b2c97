/* The cost of one release of a measurement: the pair that is charged, the concentrated figure
 * where there is one, and the whole curve behind them. */
#ifndef SC_MODEL_COST_H
#define SC_MODEL_COST_H

#include "model/curve.h"
#include "scrim/measurement.h"

typedef struct sc_exact_cost {
    scrim_neighbours neighbours;
    bool has_epsilon; /* (epsilon, delta) is promised */
    sc_ratio epsilon, delta;
    bool has_rho; /* (xi, rho)-concentrated; xi is 0 for all of the catalogue */
    sc_ratio rho, xi;
    /* Concentrated but for an event: (0, aside_rho) beside one of probability aside. */
    bool has_aside;
    sc_ratio aside, aside_rho;
    sc_curve curve;
} sc_exact_cost;

/* Charged numbers have at most this many bits above and below the line: they fit
 * SCRIM_NUMBER_BYTES as text. Mechanisms limit their parameters accordingly, or round up. */
#define SC_COST_BITS 180

void sc_cost_init(sc_exact_cost *cost);
void sc_cost_clear(sc_exact_cost *cost);
void sc_cost_set(sc_exact_cost *out, const sc_exact_cost *cost);

/* The usual ones: what follows from a pure epsilon (rho = epsilon^2/2), from bounded range
 * (epsilon^2/8), from (epsilon, delta) alone. Numbers with too many bits are rounded up. */
void sc_cost_set_pure(sc_exact_cost *cost, const sc_ratio *epsilon);
void sc_cost_set_bounded_range(sc_exact_cost *cost, const sc_ratio *epsilon);
void sc_cost_set_approximate(sc_exact_cost *cost, const sc_ratio *epsilon,
                             const sc_ratio *delta);

/* Is x of at most SC_COST_BITS above and below the line? */
bool sc_cost_fits(const sc_ratio *x);
/* x where it fits; else the next number above it, or below it, with 64 significant bits and no
 * binary place beyond the 170th. */
void sc_cost_round_up(const sc_ratio *x, sc_ratio *out);
void sc_cost_round_down(const sc_ratio *x, sc_ratio *out);
/* The same for the upper end of a ball; false when it is not finite. */
bool sc_cost_round_up_ball(const sc_ball *x, sc_ratio *out);
/* x >= 0 as text that parses back: exact where that is not too long, else rounded by the
 * direction in the name, to a power of 2 if need be. */
void sc_cost_put_upper(const sc_ratio *x, char text[SCRIM_NUMBER_BYTES]);
void sc_cost_put_lower(const sc_ratio *x, char text[SCRIM_NUMBER_BYTES]);
/* For sentences: a fraction in such a text becomes a decimal of six digits, rounded up or down, and
 * "0.000001" becomes "1e-6"; other numbers stay as they are. */
void sc_cost_say(char text[SCRIM_NUMBER_BYTES], bool up);

/* rho-concentrated, with no xi? */
bool sc_cost_is_line(const sc_exact_cost *cost);

/* The plain struct of the public interface. */
void sc_cost_format(const sc_exact_cost *cost, scrim_cost *out);
/* (epsilon, delta) of groups: k epsilon, delta expm1(k epsilon)/expm1(epsilon), rounded up.
 * SCRIM_E_PARAM when that delta reaches 1, or no guarantee. */
SCRIM_MUST_USE scrim_status sc_cost_group(const sc_exact_cost *cost, uint64_t units,
                                          scrim_cost *out, scrim_error *error);

/* All that a guarantee for one unit says of groups of 1 to 2^20 units: (epsilon, delta) as above
 * where the delta stays below 1, the line below, and a curve: noise has that of a shift `units`
 * times as far, a divergence of one order has one of a smaller order; any other curve is what those two say.
 * Only noise may still be attained. False
 * when nothing is proved. */
bool sc_cost_of_group(const sc_exact_cost *cost, uint64_t units, sc_exact_cost *out);

/* (xi, rho) of groups of 1 to 2^20 units: (xi k (1 + 1/2 + ... + 1/k), k^2 rho), rounded up. */
void sc_cost_group_line(const sc_ratio *xi, const sc_ratio *rho, uint64_t units,
                        sc_ratio *group_xi, sc_ratio *group_rho);

#endif
