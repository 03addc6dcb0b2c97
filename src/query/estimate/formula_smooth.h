/* The interval of sums, products and quotients of noisy numbers, such as COUNT(x) * SUM(y) - 7 * SUM(z) or the
 * difference of two averages of other rows: narrower than what follows from the intervals of their parts, as
 * noises seldom are large together. Computed in doubles that are rounded outwards, from released numbers alone.
 *
 * Let h be the formula, Y = y + Z its noisy numbers, y the true ones. With probability 1 - beta/3 all |Z_i| are
 * at most r_i, so that y and all between it and Y lie in a box about Y. If no divisor is 0 in the box, then
 *
 *     h(Y) - h(y) = g.Z + Z'HZ/2,     g the slopes at y, H the second derivatives at a point between.
 *
 * The slopes at y do not depend on the noise. So |g.Z| is above the radius of the sum of noises with the
 * weights |g_i| with probability 2 beta/3 at most; these are not above their largest values at those points of
 * the box where every step lies in its public range, as it does at y, and noise that is weighted more spreads
 * further. So do the bounds of Gaussian noise, which are those of its continuous form; Laplace noise may be on
 * steps of its grid, twice which are added. The rest is at most the sum of |H_ij| r_i r_j / 2 over the whole
 * box. h(y) lies as well within what h can be in the box. If a divisor may be 0 there, nothing is known.
 *
 * The slopes at Y would not do: they depend on the noise (the delta method; spec/query-semantics.md X7).
 *
 * Claim  formula-smooth.coverage  the true value is inside with probability at least 1 - beta
 * Claim  formula-smooth.narrower  of a product of two counts that are 300 times the scale of their noise it
 *                                 is at most 0.7 times as wide as by the intervals of its factors, and of
 *                                 the difference of two averages of as many rows at most 0.8 times as wide
 */
#ifndef SC_QUERY_FORMULA_SMOOTH_H
#define SC_QUERY_FORMULA_SMOOTH_H

#include "query/estimate/formula_form.h"
#include "query/estimate/noise_sum.h"

#define SC_SMOOTH_NUMBERS 8 /* at most */

typedef struct sc_formula_smooth {
    size_t step;
    size_t numbers[SC_SMOOTH_NUMBERS]; /* of the forms, each once */
    size_t count;
    double radii
        [SC_SMOOTH_NUMBERS]; /* r_i, at the level that sc_formula_smooth_level says */
    double beta;
} sc_formula_smooth;

/* Is a step that has no form made of sums, differences, products and quotients of at least two forms and two
 * numbers? It is then set but for its radii and beta. */
bool sc_formula_smooth_find(const sc_formula_forms *forms, size_t step,
                            sc_formula_smooth *out);
/* With what probability each number may be farther off than its radius. */
double sc_formula_smooth_level(const sc_formula_smooth *smooth, double beta);
/* Is it one of its numbers? */
bool sc_formula_smooth_has(const sc_formula_smooth *smooth, size_t number);

/* noises by number of the forms. False where a divisor may be 0. */
bool sc_formula_smooth_reach(const sc_formula_forms *forms,
                             const sc_formula_smooth *smooth, const sc_noise *noises,
                             const sc_int128 *numbers, double *low, double *high);

#endif
