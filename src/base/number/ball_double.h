/* Conversions between balls and doubles, for tables of computations in doubles whose error is proved. A double here is an exact
 * number. */
#ifndef SC_BASE_BALL_DOUBLE_H
#define SC_BASE_BALL_DOUBLE_H

#include "base/number/ball.h"

/* Exactly this number, which is finite. */
void sc_ball_set_double(sc_ball *out, double value);
/* x as the sum of two doubles: high is within an ulp of x; if the ball is narrow enough, the sum is within 2^-105 |x|. */
void sc_ball_split(const sc_ball *x, double *high, double *low);
/* A double near x: within 2^-52, relatively. */
double sc_ball_near(const sc_ratio *x);
/* out[j] = values[j] 2^-bits for integers >= 0, each with a relative error of at most 2^-52. */
void sc_ball_doubles(const fmpz *values, size_t count, long bits, double *out);
/* The sum of values[j] 2^-bits, exactly. */
void sc_ball_sum(const fmpz *values, size_t count, long bits, sc_ball *out);
/* sin(pi a) and cos(pi a). */
void sc_ball_sin_cos_pi(sc_ball *sine, sc_ball *cosine, const sc_ball *a, long bits);

/* The sum of x[i stride] y[i stride] for i < count. */
void sc_ball_dot(sc_ball *out, const sc_ball *x, const sc_ball *y, size_t count,
                 size_t stride, long bits);

#endif
