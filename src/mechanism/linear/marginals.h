/* Noise on the counts of several tables of the same rows: marginals.
 *
 * Input       the counts of the cells of each table, one table behind the other. tables has the number
 *             of cells of each; a row is in one cell of every table, and a unit has at most max-rows
 *             rows, r
 * Output      each count plus Z: of epsilon, P(Z = z) proportional to exp(-|z| epsilon / D1); of rho, or
 *             epsilon and delta, proportional to exp(-z^2 / (2 variance)), variance = D2 / (2 rho)
 * Neighbours  add-remove: the rows of a unit come or go; replace: they become any other rows, also
 *             more or fewer of them
 * Claim       marginals.sensitivity  of k tables, D1 = k r and D2 = k r^2 under add-remove, twice that
 *                                    under replace; no table moves further, and some neighbours do
 * Claim       marginals.privacy      epsilon-DP; or rho-concentrated
 * Claim       marginals.accuracy     the radius of each count is that of the exact tail of its noise
 * Time        depends on the noise and the sizes, never on the input
 * Reference   McKenna, Miklau, Sheldon 2021; spec/synthetic.md 1.1, 1.2
 *
 * D2 is the square of the l2 norm, which need not have a root. The worst unit has r equal rows: it moves
 * one cell of a table by r, and r^2 is more than any other way to place r rows has. Under replace the
 * rows that leave and those that enter move by a and b in cells that are all at least 0, and
 * |a - b|^2 <= |a|^2 + |b|^2.
 */
#ifndef SC_MECHANISM_MARGINALS_H
#define SC_MECHANISM_MARGINALS_H

#include "model/mechanism.h"

/* The most cells of a table. */
#define SC_MARGINALS_CELLS ((int64_t)1 << 24)

extern const sc_mechanism sc_marginals;

#endif
