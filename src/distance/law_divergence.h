/* Divergences of two laws in integers; scrim/divergence.h has their definitions.
 *
 * A value is exact where it is a fraction, or a multiple of the logarithm of one; else it is a ball,
 * which is asked for with more bits until it has its digits.
 *
 * Claim  law-divergence.exact    each divergence is the value of its definition, over events where it
 *                                speaks of events: both directions, zeros on either side included
 * Claim  law-divergence.rounded  a decimal is never below the value
 */
#ifndef SC_DISTANCE_LAW_DIVERGENCE_H
#define SC_DISTANCE_LAW_DIVERGENCE_H

#include "base/number/ball.h"
#include "distance/law_pair.h"

/* One direction of the laws: from `from` to the other side. */
typedef struct sc_law_side {
    const scrim_laws *laws;
    unsigned from;
} sc_law_side;

/* The question to a kind of divergence, as numbers. e^epsilon is a fraction where has_growth. */
typedef struct sc_divergence_numbers {
    sc_ratio order, epsilon, growth, delta;
    bool has_growth;
    uint64_t group;
} sc_divergence_numbers;

typedef enum sc_divergence_form {
    SC_DIVERGENCE_BALL,     /* ball */
    SC_DIVERGENCE_FRACTION, /* number */
    SC_DIVERGENCE_LOG,      /* factor ln(number) / divisor; number is above 0 */
    SC_DIVERGENCE_INFINITE,
    SC_DIVERGENCE_MINUS_INFINITE
} sc_divergence_form;

typedef struct sc_divergence_value {
    sc_divergence_form form;
    sc_ratio number;
    uint64_t factor, divisor;
    sc_ball ball;
} sc_divergence_value;

void sc_divergence_value_init(sc_divergence_value *out);
void sc_divergence_value_clear(sc_divergence_value *value);
/* The value as a ball; not of an infinite one. */
void sc_divergence_value_ball(const sc_divergence_value *value, long bits, sc_ball *out);

/* Each fills a value that is initialised; bits is the precision of a ball. */
typedef void sc_divergence_function(const sc_law_side *side,
                                    const sc_divergence_numbers *numbers, long bits,
                                    sc_divergence_value *out);
sc_divergence_function sc_law_tv, sc_law_kl, sc_law_renyi, sc_law_max,
    sc_law_hockey_stick, sc_law_kl_bound, sc_law_renyi_bound, sc_law_group_max,
    sc_law_group_delta;
/* The outcomes by p/q, largest first: the caller frees it. NULL without memory. */
typedef struct sc_law_term {
    const sc_integer *p, *q;
} sc_law_term;
sc_law_term *sc_law_sorted(const sc_law_side *side);
/* By the sorted outcomes. */
void sc_law_approximate_max(const sc_law_side *side, const sc_law_term *sorted,
                            const sc_ratio *delta, sc_divergence_value *out);

#endif
