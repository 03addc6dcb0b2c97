/* The probabilities of a binomial distribution around its mean, as balls, with bounds on the rest. */
#ifndef SC_LOCAL_BINOMIAL_WINDOW_H
#define SC_LOCAL_BINOMIAL_WINDOW_H

#include "base/number/ball.h"
#include "base/status.h"

#define SC_AMPLIFY_BITS 128 /* precision of all balls of this room */

typedef struct sc_binomial_window {
    uint64_t first;
    size_t count;
    sc_ball *mass;        /* of first, first + 1, ... */
    sc_ball below, above; /* at least the probability before and behind the window */
} sc_binomial_window;

void sc_binomial_window_init(sc_binomial_window *window);
void sc_binomial_window_clear(sc_binomial_window *window);
/* Of `trials` trials that succeed with probability w, 0 <= w < 1; about exp(-depth) is left out on
 * each side. SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_binomial_window_set(sc_binomial_window *window,
                                                   uint64_t trials, const sc_ball *w,
                                                   double depth, scrim_error *error);

#endif
