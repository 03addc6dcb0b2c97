/* A draw from finitely many cells with real probabilities, exact, and in one word as a rule.
 *
 * The cells lie side by side in [0, 1), each as long as its probability; a uniform real u
 * falls into one of them. The table holds the first 127 binary digits of every border.
 * The first 63 digits of u decide unless they are those of a border; then further words
 * are drawn and compared with the border's further digits, which the table holds or which
 * are computed to as many as it takes. So the law is exactly the cells' probabilities: no
 * rounding is charged because none takes place.
 *
 * Claim  threshold-table.exact  cell i is drawn with probability exactly weight(i) / total
 *
 * Borders are sums of exponentials of distinct rationals over their total, hence
 * irrational, so that the comparison ends. Up to 127 digits nothing is allocated; the
 * chance of needing more is cells / 2^127 a draw. A source that agrees with a border in 8191
 * digits is taken for broken.
 */
#ifndef SC_SAMPLING_THRESHOLD_TABLE_H
#define SC_SAMPLING_THRESHOLD_TABLE_H

#include "base/number/ball.h"
#include "random/bits.h"

/* The input of a table. context belongs to the owner and stays where it is. */
typedef struct sc_weights {
    const void *context;
    void (*weight)(const void *context, uint32_t cell, long bits, sc_ball *out);
    void (*total)(const void *context, long bits, sc_ball *out);
    uint32_t cells;
    bool has_rest; /* total is above the sum of the weights; the rest is cell number
                    * cells */
} sc_weights;

#define SC_THRESHOLD_CELLS 1024
#define SC_THRESHOLD_GUIDE_BITS 11

typedef struct sc_threshold_table {
    sc_weights weights;
    uint64_t
        *first; /* the first 63 digits of the border above each cell; 2^63 for the last */
    uint64_t *second; /* the next 64 digits */
    uint16_t
        guide[1 << SC_THRESHOLD_GUIDE_BITS]; /* the lowest cell of each 2^-11 of [0, 1) */
} sc_threshold_table;

/* Builds a table of at most SC_THRESHOLD_CELLS cells. */
SCRIM_MUST_USE scrim_status sc_threshold_table_init(sc_threshold_table *table,
                                                    const sc_weights *weights,
                                                    scrim_error *error);
void sc_threshold_table_clear(sc_threshold_table *table);

/* The cell of u, whose first 63 digits are a border's. */
SCRIM_MUST_USE scrim_status sc_threshold_table_refine(sc_bits *bits,
                                                      const sc_threshold_table *table,
                                                      uint32_t cell, uint64_t u,
                                                      uint32_t *out, scrim_error *error);

/* The first cell whose border is not below u: the cell of u, unless u is that border's digits. */
static inline uint32_t sc_threshold_table_scan(const sc_threshold_table *table,
                                               uint64_t u)
{
    const uint64_t *first = table->first;
    uint32_t cell = table->guide[u >> (63 - SC_THRESHOLD_GUIDE_BITS)];
    cell += u > first[cell];
    while (u > first[cell])
        cell++;
    return cell;
}

/* The cell of a uniform real whose first 63 binary digits are u. */
SCRIM_MUST_USE static inline scrim_status
sc_threshold_table_pick(sc_bits *bits, const sc_threshold_table *table, uint64_t u,
                        uint32_t *out, scrim_error *error)
{
    uint32_t cell = sc_threshold_table_scan(table, u);
    if (__builtin_expect(u == table->first[cell], 0))
        return sc_threshold_table_refine(bits, table, cell, u, out, error);
    *out = cell;
    return SCRIM_OK;
}

#endif
