/* Random orders and subsets.
 *
 * Claim  permutation.exact  every order of n things has probability exactly 1/n!
 * Claim  subset.exact       every set of k of n things has probability exactly 1/C(n,k)
 *
 * On failure what the output holds says nothing.
 */
#ifndef SC_SAMPLING_PERMUTATION_H
#define SC_SAMPLING_PERMUTATION_H

#include "sampling/coin/uniform.h"

/* Fills order with 0..n-1 in random order (Fisher, Yates: position j is swapped with
 * j + uniform below n-j; spec/mechanisms.md 5.3). */
SCRIM_MUST_USE scrim_status sc_permutation_draw(sc_bits *bits, size_t n, uint64_t *order,
                                                scrim_error *error);

/* Fills chosen with k of 0..n-1 without replacement, in increasing order; k <= n. One
 * uniform number an element and no memory but chosen; n may be large (Floyd 1987).
 * Insertion makes it quadratic in k. */
SCRIM_MUST_USE scrim_status sc_subset_draw(sc_bits *bits, uint64_t n, size_t k,
                                           uint64_t *chosen, scrim_error *error);

#endif
