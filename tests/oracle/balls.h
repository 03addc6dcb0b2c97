/* Balls, for tests: read from decimals and held against each other. */
#ifndef BALLS_H
#define BALLS_H

#include "base/number/ball.h"
#include "model/outcomes.h"

/* Reads a decimal such as "0.4621" or "1e-9" as a ball that holds it; false if it is not one. */
bool ball_set_text(sc_ball *out, const char *text, long bits);
bool ball_contains_ratio(const sc_ball *a, const sc_ratio *inside);
/* True when the balls have a point in common. */
bool ball_overlaps(const sc_ball *a, const sc_ball *b);
/* The regularised upper incomplete gamma function Q(s, x). */
void ball_gamma_upper(sc_ball *out, const sc_ball *s, const sc_ball *x, long bits);

/* The mass of a key in sorted outcomes; 0 when it is not listed and rest is 0, else
 * [0, rest]. */
void outcomes_mass(const sc_outcomes *outcomes, const int64_t *key, sc_ball *out);

#endif
