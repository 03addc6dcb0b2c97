/* The interval of products of sums of noisy numbers, such as COUNT(x) * SUM(y) - 7 * SUM(z): narrower than what
 * follows from the intervals of the factors, as noises seldom are large together. Computed in doubles that are
 * rounded outwards, from released numbers alone.
 *
 * Let h be the formula, Y = y + Z its noisy factors, each a sum of numbers that no other has, and y the true
 * ones. With probability 1 - beta/3 all |Z_i| are at most r_i, so that y and all between it and Y lie in a box
 * about Y. There
 *
 *     h(Y) - h(y) = g.Z + Z'HZ/2,     g the slopes at y, H the second derivatives at a point between.
 *
 * The slopes at y do not depend on the noise. So |g.Z| is above the radius of the sum of noises with the
 * weights |g_i| with probability 2 beta/3 at most; these are not above their largest values in the box, and
 * noise that is weighted more spreads further. So do the bounds of Gaussian noise, which are those of its
 * continuous form; Laplace noise may be on steps of its grid, twice which are added. The rest is at most the sum of |H_ij| r_i r_j / 2. h(y) lies as well within what h can be in the box.
 *
 * The slopes at Y would not do: they depend on the noise (the delta method; spec/query-semantics.md X7).
 *
 * Claim  formula-smooth.coverage  the true value is inside with probability at least 1 - beta
 * Claim  formula-smooth.narrower  of a product of two counts that are 300 times the scale of their noise it
 *                                 is at most 0.7 times as wide as by the intervals of its factors
 */
#ifndef SC_QUERY_FORMULA_SMOOTH_H
#define SC_QUERY_FORMULA_SMOOTH_H

#include "query/estimate/formula_form.h"
#include "query/estimate/noise_sum.h"

#define SC_SMOOTH_FACTORS 6 /* at most */

typedef struct sc_formula_smooth {
    size_t step;
    size_t factors[SC_SMOOTH_FACTORS]; /* steps whose forms are sums */
    size_t count;
    double radii
        [SC_SMOOTH_FACTORS]; /* r_i, at the level that sc_formula_smooth_level says */
    double beta;
} sc_formula_smooth;

/* Is a step made of products, sums and differences of at least two sums without a common number? It is then
 * set but for its radii and beta. */
bool sc_formula_smooth_find(const sc_formula_forms *forms, size_t step,
                            sc_formula_smooth *out);
/* With what probability each factor may be farther off than its radius. */
double sc_formula_smooth_level(const sc_formula_smooth *smooth, double beta);
/* Is it a number of a factor? */
bool sc_formula_smooth_has(const sc_formula_forms *forms, const sc_formula_smooth *smooth,
                           size_t number);

/* noises by number of the forms. */
void sc_formula_smooth_reach(const sc_formula_forms *forms,
                             const sc_formula_smooth *smooth, const sc_noise *noises,
                             const sc_int128 *numbers, double *low, double *high);

#endif
