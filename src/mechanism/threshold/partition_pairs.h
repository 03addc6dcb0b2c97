/* The neighbouring counts on which the audit looks at partition selection.
 *
 * Under add-remove one unit joins up to max-groups groups: some of them new (0 to 1), the others
 * of the same size n (n to n + 1), for each n up to where a group is kept for certain and each
 * number of new ones. For one group these are all neighbours. Under replace the
 * unit leaves groups of a + 1 units and enters as many of b: for each a, b is 0, a, the mirror of
 * a, and the last size that is not certain.
 *
 * Laws have 2^counts outcomes, so that of more than four counts four are looked at: a unit in
 * fewer groups than it might be in. Where there are more than SC_PARTITION_PAIRS pairs, sizes
 * are skipped evenly; the first and the last are always there.
 */
#ifndef SC_MECHANISM_THRESHOLD_PARTITION_PAIRS_H
#define SC_MECHANISM_THRESHOLD_PARTITION_PAIRS_H

#include "model/mechanism.h"

#define SC_PARTITION_PAIRS ((size_t)4096)
#define SC_PARTITION_COUNTS ((size_t)4)

/* The public facts that decide the pairs. */
typedef struct sc_partition_sizes {
    bool is_replace;
    uint64_t parts; /* groups that one unit can change */
    size_t certain; /* a group of so many units is always kept */
} sc_partition_sizes;

size_t sc_partition_pair_count(sc_partition_sizes sizes);
void sc_partition_pair(sc_partition_sizes sizes, size_t index, sc_pair *out);

#endif
