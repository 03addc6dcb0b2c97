/* Sums of integer weights, each times a number of cells, exact in 256 bits; and a uniform
 * draw below such a sum.
 *
 * Claim  weight-sum.exact    a sum of fewer than 2^64 products, each below 2^192, is exact
 * Claim  weight-sum.uniform  each integer below a total has the same probability
 */
#ifndef SC_MECHANISM_SELECTION_RANK_SHELLS_H
#define SC_MECHANISM_SELECTION_RANK_SHELLS_H

#include "base/checked.h"
#include "base/number/ratio.h"
#include "mechanism/selection/ladder.h"
#include "mechanism/selection/order_slice.h"
#include "random/bits.h"

#define SC_WEIGHT_SUM_WORDS 4
#define SC_WEIGHT_SUM_BITS (64L * SC_WEIGHT_SUM_WORDS)

typedef struct sc_weight_sum {
    uint64_t words[SC_WEIGHT_SUM_WORDS]; /* least significant first */
} sc_weight_sum;

/* weight * cells. */
static inline sc_weight_sum sc_weight_product(sc_uint128 weight, uint64_t cells)
{
    sc_uint128 low = (sc_uint128)(uint64_t)weight * cells;
    sc_uint128 high = (weight >> 64) * cells + (low >> 64);
    return (sc_weight_sum){{(uint64_t)low, (uint64_t)high, (uint64_t)(high >> 64), 0}};
}

static inline void sc_weight_sum_add(sc_weight_sum *sum, const sc_weight_sum *more)
{
    sc_uint128 carry = 0;
    for (int i = 0; i < SC_WEIGHT_SUM_WORDS; i++) {
        carry += (sc_uint128)sum->words[i] + more->words[i];
        sum->words[i] = (uint64_t)carry;
        carry >>= 64;
    }
}

/* a - b modulo 2^256; returns all ones when a < b, else 0: a mask, without a branch. */
static inline uint64_t sc_weight_sum_sub(const sc_weight_sum *a, const sc_weight_sum *b,
                                         sc_weight_sum *out)
{
    uint64_t borrow = 0;
    for (int i = 0; i < SC_WEIGHT_SUM_WORDS; i++) {
        sc_uint128 difference = (sc_uint128)a->words[i] - b->words[i] - borrow;
        out->words[i] = (uint64_t)difference;
        borrow = (uint64_t)(difference >> 64) & 1;
    }
    return 0 - borrow;
}

/* The remainder of sum by divisor >= 1. */
uint64_t sc_weight_sum_remainder(const sc_weight_sum *sum, uint64_t divisor);

/* Uniform on 0 .. total-1, total >= 1, by rejection. */
SCRIM_MUST_USE scrim_status sc_weight_sum_draw(sc_bits *bits, const sc_weight_sum *total,
                                               sc_weight_sum *out, scrim_error *error);

/* The exponential mechanism by rank: cells of a range in shells around a quantile, each shell
 * with one weight of a ladder.
 *
 * A field is a range of cells first .. last with items in it, count of them, in cells that
 * need not differ. The score of a cell t counts, in units of 1/denominator of an item, how far
 * t is from having a share p of the items below it:
 *
 *     s(t) = max(0, denominator c_<(t) - high_centre, low_centre - denominator c_<=(t))
 *
 * where both centres are p count denominator, or (by the k-th item) k and k-1 with denominator
 * 1. So the cells of score at most j are an interval between two items, and the cells of score
 * j exactly a shell of two pieces: a walk from the ladder's top down to score 0 visits all
 * cells without looking at any. A score above the ladder's top counts as the top.
 *
 * Items are rows as they are, or the parts of rows: a row of key k then is several items, one
 * in each of the cells k parts .. k parts + parts - 1. They come from a slice of their keys.
 *
 * Claim  rank-shells.exact  a cell is drawn with probability exactly w[s(t)] / sum of w[s(.)]
 *
 * Reference  spec/floating-body.md 4.1, 4.3, 4.5
 */

typedef struct sc_rank_field {
    uint64_t first, last;  /* cells; fewer than 2^64 of them */
    uint64_t parts;        /* items a row, and cells a key */
    uint64_t below, count; /* items below first, items from first to last */
    uint64_t denominator;
    sc_int128 low_centre, high_centre;
    const sc_ladder *ladder;
    const sc_order_slice *slice; /* holds the rows of sc_rank_field_rows */
} sc_rank_field;

/* The share p = numerator/denominator of count items. */
void sc_rank_field_set_share(sc_rank_field *field, uint64_t numerator,
                             uint64_t denominator);
/* The k-th item, k = ceil(p count) from 1 to count; count >= 1. */
void sc_rank_field_set_order(sc_rank_field *field, uint64_t numerator,
                             uint64_t denominator);
/* The ranks of the rows that a walk asks for; false when it asks for no rows: no items, or all
 * levels reach the ends. */
bool sc_rank_field_rows(const sc_rank_field *field, uint64_t *first, uint64_t *last);
/* The most rows that a walk asks for, by the ladder and the field's public parts. */
size_t sc_rank_field_width(uint64_t top, uint64_t denominator, uint64_t parts);

/* A shell: left cells from low on, and right cells from high on. Either may be 0. */
typedef struct sc_rank_shell {
    uint64_t level;
    sc_uint128 weight;
    uint64_t low, left, high, right;
} sc_rank_shell;

/* A walk through all shells, from the top to 0. */
typedef struct sc_rank_walk {
    const sc_rank_field *field;
    uint64_t levels; /* to come */
    sc_uint128 weight;
    uint64_t low, high;           /* the interval of the level to come */
    int64_t low_rank, high_rank;  /* of the level below it */
    uint64_t low_rest, high_rest; /* how many levels until they move */
    size_t low_run, high_run;     /* the runs of these ranks */
    uint64_t low_cell, high_cell; /* their cells */
} sc_rank_walk;

void sc_rank_walk_start(sc_rank_walk *walk, const sc_rank_field *field);
/* False when there are no more. */
bool sc_rank_walk_next(sc_rank_walk *walk, sc_rank_shell *shell);

/* The sum of all cells' weights. */
void sc_rank_field_total(const sc_rank_field *field, sc_weight_sum *out);
/* One cell. All shells are visited in the same order whatever is drawn. */
SCRIM_MUST_USE scrim_status sc_rank_field_draw(sc_bits *bits, const sc_rank_field *field,
                                               uint64_t *cell, scrim_error *error);

#endif
