/* Privacy curves and their numbers from text, for tests. */
#ifndef CURVES_H
#define CURVES_H

#include "exact.h"
#include "model/curve.h"

/* A kind that one number makes, and one of noise against a shift (or of copies). */
typedef void curves_set(sc_curve *curve, const sc_ratio *number);
typedef void curves_set_noise(sc_curve *curve, const sc_ratio *shape, uint64_t shift);

/* Each initialises out. */
void curves_of(curves_set *set, const char *number, sc_curve *out);
void curves_of_noise(curves_set_noise *set, const char *shape, uint64_t shift,
                     sc_curve *out);

/* The answers, with EXACT_BITS. */
void curves_delta(const sc_curve *curve, const char *epsilon, sc_ball *out);
void curves_renyi(const sc_curve *curve, const char *order, sc_ball *out);

#endif
