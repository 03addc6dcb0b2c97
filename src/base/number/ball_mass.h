/* Probability masses as integers in units of 2^-bits, from balls (intervals that hold a real number), rounded up or down.
 *
 * Claim  ball-mass.rounding  a mass rounded up is not below any point of its ball, one rounded down not
 *                       above any; neither is negative
 */
#ifndef SC_BASE_BALL_MASS_H
#define SC_BASE_BALL_MASS_H

#include "base/number/ball.h"

/* False, with out untouched, when the ball is not finite or beyond 2^64. */
bool sc_mass_up(const sc_ball *x, long bits, fmpz_t out);
bool sc_mass_down(const sc_ball *x, long bits, fmpz_t out);
/* out = mass 2^-bits, exactly. */
void sc_mass_ball(const fmpz_t mass, long bits, sc_ball *out);
/* out = x + mass 2^-bits. */
void sc_mass_add(sc_ball *out, const sc_ball *x, const fmpz_t mass, long bits,
                 long precision);
/* Is the ball's radius below 2^-bits? */
bool sc_mass_is_sharp(const sc_ball *x, long bits);
/* The middle of a ball; and its lower end, rounded down to a number of this many bits. Both are exact. */
void sc_mass_middle(const sc_ball *x, sc_ball *out);
void sc_mass_floor(const sc_ball *x, long bits, sc_ball *out);

/* ceil or floor of mass / 2^bits. */
void sc_mass_shift_up(fmpz_t mass, long bits);
void sc_mass_shift_down(fmpz_t mass, long bits);

#endif
