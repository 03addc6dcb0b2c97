/* How likely a group of n units is kept: the most that privacy allows, as integers of 2^126.
 *
 *     p(0) = 0,  p(n+1) = min( e^epsilon p(n) + delta,  1 - e^-epsilon (1 - p(n) - delta),  1 )
 *
 * Both lines are what privacy demands of a group with and without one of its units, of "kept" and
 * of "left out"; a mechanism that keeps groups more often breaks one of them. Here they are
 * computed in integers, rounded down: A / 2^62 is at most e^epsilon, d / 2^126 at most delta, and
 *
 *     p(n+1) = min( floor(A p(n) / 2^62) + d,  2^126 - ceil(2^62 (2^126 - p(n) - d) / A),  2^126 )
 *
 * Claim  keep-table.private   what is drawn is exactly (ln(A / 2^62), d / 2^126)-DP for one group
 *                             and one unit, which is within the (epsilon, delta) of one group
 * Claim  keep-table.optimal   p(n) is less than 1e-12 below the most that any mechanism may have,
 *                             and never above it
 * Claim  keep-table.exact     a group of n units is kept with probability exactly p(n) / 2^126;
 *                             one of none never, one of certain units or more always
 *
 * A unit in up to k groups, and one that changes k of them, pays for k groups: each has epsilon/k
 * and 1 - (1 - delta)^(1/k), which together are (epsilon, delta) again.
 *
 * Time       of a draw: two words a group, whatever its size
 * Reference  Desfontaines, Voss, Gipson, Mandayam 2022; spec/thresholding.md 5
 * Proof      partition_selection.md
 */
#ifndef SC_MECHANISM_THRESHOLD_KEEP_TABLE_H
#define SC_MECHANISM_THRESHOLD_KEEP_TABLE_H

#include "base/number/ratio.h"
#include "random/bits.h"

#define SC_KEEP_BITS 126
#define SC_KEEP_WHOLE ((sc_uint128)1 << SC_KEEP_BITS)
#define SC_KEEP_GROWTH_BITS 62
#define SC_KEEP_START_BITS 16
#define SC_KEEP_UNITS_MAX ((size_t)1 << 22) /* certain is at most this */

typedef struct sc_keep_table {
    sc_uint128 *keep;    /* p(0) .. p(certain) */
    uint16_t *start;     /* their first 16 of 126 bits; of 2^126 those of 2^126 - 1 */
    size_t certain;      /* the first n with p(n) = 2^126 */
    sc_uint128 growth;   /* A */
    sc_uint128 new_mass; /* d, which is p(1) */
} sc_keep_table;

/* The table of each of parts >= 1 groups that share epsilon > 0 and 0 < delta < 1. SCRIM_E_LIMIT
 * when a part of delta is below 2^-126 or the table would be longer than SC_KEEP_UNITS_MAX. */
SCRIM_MUST_USE scrim_status sc_keep_table_init(sc_keep_table *table,
                                               const sc_ratio *epsilon,
                                               const sc_ratio *delta, uint64_t parts,
                                               scrim_error *error);
void sc_keep_table_clear(sc_keep_table *table); /* zeros are allowed */

/* p(n), for any n. */
static inline sc_uint128 sc_keep_table_at(const sc_keep_table *table, uint64_t n)
{
    return table->keep[n < table->certain ? n : table->certain];
}
/* The smallest n with p(n) >= whole, which is at most 2^126. */
size_t sc_keep_table_units(const sc_keep_table *table, sc_uint128 whole);

/* Is a group of n units kept? */
SCRIM_MUST_USE scrim_status sc_keep_table_draw(sc_bits *bits, const sc_keep_table *table,
                                               uint64_t n, bool *out, scrim_error *error);

/* Many groups at once: which are kept, by the law above, at the speed of memory.
 *
 * The first 16 of a group's 126 random bits decide, unless they equal those of p(n): a tie.
 * Four groups share a word, and the other 110 bits are drawn for ties alone. A group is a tie with
 * probability 2^-16 whatever its size, none and certain ones included, so that how many there are
 * says nothing of the counts. But together with which groups are kept it would: of ties other
 * shares are kept than of all groups. So each block has the words and the steps of SC_KEEP_TIES
 * ties, used or not.
 *
 * Claim  keep-many.exact   each group is kept independently of the others, with probability exactly
 *                          p(n) / 2^126: the two halves of its bits are those of one draw
 * Claim  keep-many.steady  the number of groups decides how many words are drawn and which instructions run, whatever
 *                          their counts, unless a block has more than SC_KEEP_TIES ties, which has
 *                          a probability below 2^-116 whatever the counts
 *
 * Time       linear in the number of groups; the places of the table that are read are those of the
 *            counts
 */

/* Groups of a block, and the ties that it has room for: of 4096 groups 1/16 is expected. */
#define SC_KEEP_BLOCK ((size_t)4096)
#define SC_KEEP_TIES 16
/* Groups of one word of the answer. */
#define SC_KEEP_LANES ((size_t)64)

/* Bit i % 64 of kept[i / 64] is 1 where group i of units[i] >= 0 units is kept; bits beyond count
 * are 0. All of kept is 0 on failure. */
SCRIM_MUST_USE scrim_status sc_keep_many(sc_bits *bits, const sc_keep_table *table,
                                         const int64_t *units, size_t count,
                                         uint64_t *kept, scrim_error *error);

#endif
