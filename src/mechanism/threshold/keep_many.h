/* Many groups at once: which are kept, by the law of keep_table.h, at the speed of memory.
 *
 * Of a group's 126 random bits the first 16 decide, unless they are those of p(n) itself: a tie.
 * Four groups share a word, and the other 110 bits are drawn for ties alone. A group is a tie with
 * probability 2^-16 whatever its size, none and certain ones included, so that how many there are
 * says nothing of the counts. But together with which groups are kept it would: of ties other
 * shares are kept than of all groups. So each block has the words and the steps of SC_KEEP_TIES
 * ties, used or not.
 *
 * Claim  keep-many.exact   each group is kept independently of the others, with probability exactly
 *                          p(n) / 2^126: the two halves of its bits are those of one draw
 * Claim  keep-many.steady  so many groups take so many words and the same instructions, whatever
 *                          their counts, unless a block has more than SC_KEEP_TIES ties, which has
 *                          a probability below 2^-116 whatever the counts
 *
 * Time       linear in the number of groups; the places of the table that are read are those of the
 *            counts
 */
#ifndef SC_MECHANISM_THRESHOLD_KEEP_MANY_H
#define SC_MECHANISM_THRESHOLD_KEEP_MANY_H

#include "mechanism/threshold/keep_table.h"

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
