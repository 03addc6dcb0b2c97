/* Between balls and doubles that are taken as exact: for tables of a computation in doubles whose
 * error is proved. */
#ifndef SC_BASE_BALL_DOUBLE_H
#define SC_BASE_BALL_DOUBLE_H

#include "base/number/ball.h"

/* Exactly this number, which is finite. */
void sc_ball_set_double(sc_ball *out, double value);
/* x as a sum of two doubles, high within an ulp of it; of a ball narrow enough, the sum is within
 * 2^-105 |x|. */
void sc_ball_split(const sc_ball *x, double *high, double *low);
/* A double near x: within 2^-52, relatively. */
double sc_ball_near(const sc_ratio *x);
/* values[j] 2^-bits for integers >= 0, each as near as that. */
void sc_ball_doubles(const fmpz *values, size_t count, long bits, double *out);
/* The sum of values[j] 2^-bits, exactly. */
void sc_ball_sum(const fmpz *values, size_t count, long bits, sc_ball *out);
/* sin(pi a) and cos(pi a). */
void sc_ball_sin_cos_pi(sc_ball *sine, sc_ball *cosine, const sc_ball *a, long bits);

/* The sum of x[i stride] y[i stride] for i < count. */
void sc_ball_dot(sc_ball *out, const sc_ball *x, const sc_ball *y, size_t count,
                 size_t stride, long bits);

#endif
