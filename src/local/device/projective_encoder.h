/* Projective geometry response (Feldman, Nelson, Nguyen, Talwar 2022).
 *
 * Values and outputs are the points of a projective space over the field of q elements, q prime: vectors
 * of t digits whose first nonzero digit is 1, K = (q^t-1)/(q-1) of them. An output on the hyperplane of
 * the value (the points whose product with it is 0) has weight a, each other one has weight b:
 *
 *     u = uniform(c a + q^(t-1) b), c = (q^(t-1)-1)/(q-1) points on a hyperplane
 *     u < c a:  z = digits of point (u div a) of the geometry with t-1 digits;          product 0
 *     else      z = the t-1 digits of (u - c a) div b;                                  product 1
 *     y = z with the one digit at the place of the value's leading 1 that makes this the product,
 *     divided by its first nonzero digit
 *
 * Digits are counted from the last: the point of index i whose leading 1 has weight q^j is the number
 * q^j + i - (q^j-1)/(q-1) in base q.
 */
#ifndef SL_PROJECTIVE_ENCODER_H
#define SL_PROJECTIVE_ENCODER_H

#include "local/device/kind.h"

extern const sl_kind sl_projective;

#endif
