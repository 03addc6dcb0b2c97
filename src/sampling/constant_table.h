/* Noise from a table of integer weights, in a time that does not depend on the number drawn.
 *
 * The values lie side by side around a centre, as many to its left as to its right and with
 * the same weights. The distance from the centre is the number of cumulative weights below
 * one uniform integer under the total; all of them are compared, without a branch or an index
 * that depends on it; one more bit is the side. The table is not an approximation of a law
 * that is charged for: it is the law, and weight and total are there to be read, so that its
 * cost is computed from the integers themselves.
 *
 * Claim  constant-table.law      a draw is k with probability exactly weight(k) / total
 * Claim  constant-table.weights  those of a shifted table follow W(i+1) = floor(W(i) R /
 *                                2^fraction), R = floor(2^fraction exp(epsilon)), from
 *                                W(0) = edge inwards
 * Claim  constant-table.time     the instructions that a draw executes and the memory that it
 *                                touches are the same for every number drawn
 *
 * Where the total is not a power of two, uniform integers above it are refused and drawn
 * again. The number of turns depends on the refused integers alone; the one that is kept, and
 * with it the number drawn, is independent of them.
 *
 * A table is not written to after its initialisation, and threads may share it. Drawing
 * allocates nothing.
 *
 * Reference  spec/mechanisms.md 2.4 (b), spec/flexible-accuracy.md 5.7
 */
#ifndef SC_SAMPLING_CONSTANT_TABLE_H
#define SC_SAMPLING_CONSTANT_TABLE_H

#include "base/number/ratio.h"
#include "random/bits.h"
#include "sampling/law.h"

#define SC_CONSTANT_TABLE_CELLS 131072 /* SCRIM_E_LIMIT above it */
#define SC_CONSTANT_TABLE_BITS 256     /* of a total */

typedef struct sc_constant_table {
    int64_t low; /* the values are low .. low + cells - 1 */
    /* The largest integer of each distance from the centre, in two halves; high is NULL
     * where the total is at most 2^128. Filled up to an even number with the last one. */
    sc_uint128 *end_low, *end_high;
    uint64_t mask; /* which bits count of the highest word of a uniform integer */
    sc_uint128 last_low, last_high; /* total - 1 */
    uint32_t cells; /* odd: the centre is a value; even: it lies between two */
    uint32_t ends;
    unsigned words; /* of a uniform integer */
    bool refuses;   /* the total is not a power of two */
} sc_constant_table;

/* The shifted law on -q..0: epsilon from 2^-60 to 256, q from 1 to 131071, fraction from 1 to
 * 64, edge (D in the specification) at least 1, and a total of at most 2^256. */
SCRIM_MUST_USE scrim_status sc_constant_table_init_shifted(sc_constant_table *table,
                                                           const sc_ratio *epsilon,
                                                           uint64_t q, unsigned fraction,
                                                           uint64_t edge,
                                                           scrim_error *error);

/* The weights of a table: weights[i] >= 0 is the weight of each value at distance i from
 * the centre, i below (cells + 1) / 2; weights[0] >= 1; the total is from 2 to 2^256. */
SCRIM_MUST_USE scrim_status sc_constant_table_init_weights(sc_constant_table *table,
                                                           int64_t low, uint64_t cells,
                                                           const sc_integer *weights,
                                                           scrim_error *error);
void sc_constant_table_clear(sc_constant_table *table);

/* Fills out with draws; with zeros on failure. */
SCRIM_MUST_USE scrim_status sc_constant_table_fill(sc_bits *bits,
                                                   const sc_constant_table *table,
                                                   size_t count, int64_t *out,
                                                   scrim_error *error);

/* weight(k), 0 outside the table, and the sum of all weights. */
void sc_constant_table_weight(const sc_constant_table *table, int64_t k, sc_integer *out);
void sc_constant_table_total(const sc_constant_table *table, sc_integer *out);

#endif
