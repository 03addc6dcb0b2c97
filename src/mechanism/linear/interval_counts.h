/* Counts of all intervals of a line, of all half-planes over points of the unit circle, or of all half-spaces over
 * points of a cube.
 *
 * Input       rows, a number each. On a line it lies between lower and upper; on the circle (circle=yes)
 *             it is an angle in degrees, and any number is one; in a cube (dimensions=d) a row has d numbers
 *             between lower and upper. Other rows are left out
 * Output      for each of `cells` equal cells (of a cube cells^d, the first number counts most) the number of its rows plus Z, P(Z = z) proportional to
 *             exp(-|z| epsilon / D), D = 1 under add-remove and 2 under replace
 * Use         the count of an interval is the sum of its cells. A half-plane cuts an arc out of the
 *             circle, so that its count is the sum of the cells of the arc. In a cube the count of a half-space
 *             is the sum of the cells whose centres it has
 * Claim       interval-counts.privacy   epsilon-DP, pure: a row lies in one cell
 * Claim       interval-counts.exact     the law is exactly that
 * Claim       interval-counts.accuracy  with the stated probability the counts of all intervals, or of
 *                                       all half-spaces, are within beta of the truth for an input in
 *                                       which each row moves by at most alpha
 * Time        depends on the number of rows and on the noise
 * Reference   Blum, Ligett, Roth 2013, for the classes; spec/flexible-accuracy.md 4.1
 *
 * Proof of accuracy. Ends of an interval that are moved to the nearest border of a cell change its count
 * as if rows had moved by half a cell, which is alpha: on the circle psi = pi / cells, as the chord of an
 * angle psi is 2 sin(psi / 2) <= psi. The noise of an interval is W_j - W_i, W_k the sum of the first k
 * of n noises. These are symmetric and independent, so that by Levy P(max |W_k| > t) <= 2 P(|W_n| > t),
 * and by Chernoff, for every u below the rate w, P(|W_n| > t) <= 2 M(u)^n exp(-u (t + 1)),
 * M(u) = (1 - x)^2 / ((1 - x e^u) (1 - x e^-u)), x = exp(-w). An interval has at most 2 t then, an arc
 * over the beginning of the circle at most 3 t.
 *
 * In a cube rows move to the centre of their cell, by half of its diagonal at most. Half-spaces cut at most
 * S = 2 (C(n-1,0) + ... + C(n-1,d)) sets out of n centres (Cover 1965). The noise of a set of k centres is
 * beyond t with probability at most 2 M(u)^k exp(-u (t + 1)), and M(u) is at least 1, so that S times
 * 2 M(u)^n exp(-u (t + 1)) bounds all of them.
 */
#ifndef SC_MECHANISM_INTERVAL_COUNTS_H
#define SC_MECHANISM_INTERVAL_COUNTS_H

#include "model/measurement.h"

#define SC_INTERVAL_CELLS 65536

extern const sc_mechanism sc_interval_counts;

/* The cell of a number, from 0 on; -1 for a row that is left out. */
int64_t sc_interval_cell(const scrim_measurement *measurement, const sc_ratio *value);
/* A t that max |W_k|, or the noise of any set of centres, passes with probability at most gamma. */
uint64_t sc_interval_walk(const scrim_measurement *measurement, const sc_ratio *gamma);

#endif
