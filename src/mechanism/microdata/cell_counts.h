/* How far clamped Laplace noise must reach: the smallest bound B whose delta is low enough.
 *
 * A count moves by s <= B and has discrete Laplace noise of rate w, clamped to -B..B. With x = exp(-w) and
 * y = x^-s its delta at the level s w is exactly
 *
 *     delta_s(w, B) = x^B/(1+x) h_s,   h_s = x y + max(0, 1 - (1-x) y^2)
 *
 * The first part is mass that only one of the two counts can have; the second is the atom at the near end. One
 * unit has up to m rows of weight up to W: a cell that moves by s takes ceil(s/W) of them, so that by basic
 * composition over the cells, and the sum where it has noise of its own, delta is at most
 *
 *     t m max_s h_s/ceil(s/W) + max_s h_s,   s = 1..mW,   times x^B/(1+x)
 *
 * t is 1, and 2 where a unit is replaced. Then the sum moves by what the two units differ in, and with W = 1 all
 * moves together take at most 2m rows: the last term is left out.
 *
 * Claim      truncation.delta  the ball holds delta_s
 * Claim      truncation.bound  no smaller bound, from mW on, meets delta by that rule; this one does
 * Reference  spec/microdata.md 4.1 (there W = 1, t = 1)
 */
#ifndef SC_MECHANISM_MICRODATA_CELL_COUNTS_H
#define SC_MECHANISM_MICRODATA_CELL_COUNTS_H

#include "base/number/ball.h"
#include "mechanism/linear/linear_noise.h"
#include "mechanism/microdata/projection.h"

/* delta_s at the level s w; 1 <= shift <= bound. */
void sc_truncation_delta(const sc_ratio *rate, int64_t bound, uint64_t shift, long bits,
                         sc_ball *out);

#define SC_TRUNCATION_REACH ((uint64_t)1 << 16) /* the largest mW */
#define SC_TRUNCATION_BOUND ((int64_t)1 << 40)

typedef struct sc_truncation_rule {
    uint64_t rows, weight;
    bool is_replace;
    bool has_sum; /* the sum has noise of its own */
} sc_truncation_rule;

/* The delta of that rule. */
void sc_truncation_rule_delta(const sc_truncation_rule *rule, const sc_ratio *rate,
                              int64_t bound, long bits, sc_ball *out);
/* False when the bound is above SC_TRUNCATION_BOUND, or mW above SC_TRUNCATION_REACH. */
bool sc_truncation_bound(const sc_truncation_rule *rule, const sc_ratio *rate,
                         const sc_ratio *delta, int64_t *out);

/* Shared by the mechanisms on a flat table of cells: how far one unit moves the counts, the domain,
 * and the neighbours of the audit.
 *
 * Each row lies in one cell. A unit has at most max-rows rows (1 unless given), each with a weight that is a
 * whole number from 0 to weight (1 unless given), so that it moves the counts by at most R = max-rows weight in
 * all. Under replace it is another unit, that has as many rows at most: two such moves.
 *
 *     cells alone    l1 norm R, or 2R under replace;       square of the l2 norm R^2, or 2 R^2
 *     cells and sum  l1 norm 2R; square of the l2 norm 2 R^2, under both relations
 *
 * Under replace a unit that adds S leaves and one that adds T comes: the cells move by at most S + T, and the sum
 * by |S - T|, which is 2 max(S, T) together. Of squares it is S^2 + T^2 + (S - T)^2, convex in each, and 2 R^2 at
 * its largest corners.
 */

/* Parameters, for the lists. */
#define SC_CELL_PARAMETERS                                                               \
    SC_RULE_COUNT("max-rows", "2^20",                                                    \
                  "the most rows of one unit, an integer from 1 to 1048576"),            \
        SC_RULE_COUNT("weight", "2^20",                                                  \
                      "the largest weight of a row, an integer from 1 to 1048576")
#define SC_CELL_PARAMETER_RHO                                                            \
    {                                                                                    \
        .name = "rho", .kind = SC_PARAMETER_RATIONAL, .optional = true, .above = "0",    \
        .limit_low = "2^-120", .limit_high = "2^20",                                     \
        .domain = "a rational above 0, from 7.6e-37 to 1048576"                          \
    }

/* R. */
int64_t sc_cell_reach(const scrim_measurement *measurement);
bool sc_cell_is_replace(const scrim_measurement *measurement);
/* Counts from 0 on, one to 2^27 of them. */
SCRIM_MUST_USE scrim_status sc_cell_domain(scrim_measurement *measurement,
                                           scrim_error *error);
/* SCRIM_E_LIMIT where noise of this shape, a scale or a variance, is wider than 2^40. */
SCRIM_MUST_USE scrim_status sc_cell_width_check(const scrim_measurement *measurement,
                                                const sc_ratio *shape, bool is_variance,
                                                scrim_error *error);

/* The distribution of one noisy count of x, 0 <= x <= high, for the audit: of noise with tails of a constant
 * ratio those are brought together that no count up to high tells apart. */
typedef struct sc_cell_listing {
    const sc_law *law;
    int64_t high;
} sc_cell_listing;

scrim_status sc_cell_list(const void *listing, int64_t x, long bits, sc_outcomes *out,
                          scrim_error *error);
/* How many outcomes it has at most. */
size_t sc_cell_list_length(const sc_cell_listing *listing);

/* Neighbours: all rows of a unit in one cell, that is empty or has a row; one row in each of up to three cells.
 * Under replace a unit leaves so and another one comes elsewhere, or none at all. Those whose lists, of cells
 * and extra counts more, would be longer than SC_CELL_OUTCOMES are left out. */
#define SC_CELL_OUTCOMES ((size_t)1 << 16)
size_t sc_cell_pair_count(const scrim_measurement *measurement,
                          const sc_cell_listing *listing, size_t extra);
void sc_cell_pair(const scrim_measurement *measurement, size_t index, sc_pair *out);
/* No count of these pairs, and no sum of one, is larger. */
int64_t sc_cell_pair_high(const scrim_measurement *measurement);

size_t sc_cell_answers(const scrim_measurement *measurement, size_t count);

#endif
