/* Checks that tests of mechanisms with noise have in common. */
#ifndef NOISE_CHECKS_H
#define NOISE_CHECKS_H

#include "check.h"
#include "goodness.h"
#include "model/measurement.h"

/* The measurement of a line, for data or as a model; NULL, with a failed check and the message,
 * when it is refused. */
scrim_measurement *noise_made(const char *line);
scrim_measurement *noise_modelled(const char *line);
/* The cost of a line for data; empty where it is refused. */
scrim_cost noise_cost(const char *line);
/* Checks that a line is refused with this status, with a message that holds a part. */
void noise_refused(const char *line, scrim_status status, const char *part);

/* Checks that a curve is never below the sum over the mechanism's own law on a pair, in both
 * directions, and equal to it where is_exact. */
void noise_check_curve(const char *line, const sc_pair *pair, bool is_exact);

/* Draws `count` values of noise for an input of 0 from a seeded tape, and holds them against the
 * law. */
void noise_check_draws(const char *line, const sc_law *law, uint64_t count);

/* Checks that two inputs, drawn with the same bits, differ by what they differed before, and take
 * the same number of bits. */
void noise_check_shift(const char *line, const int64_t *x, const int64_t *y,
                       size_t count);

#endif
