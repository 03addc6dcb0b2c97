/* Counts that are published exactly, the invariants of a tree, and the whole counts that respect them.
 *
 * low(v) is the known value of v, or the sum of low of its children, or 0 for a leaf. v is determined if it is
 * known, or if it is inner and all its children are determined.
 *
 *     t(root) = low if determined, else max(low, f(root))
 *     at v:     determined children take low; for the others t = low + projection of f - low on the total
 *               t(v) - sum of low
 *
 * Known values must not contradict each other: a known node has at least the sum of what is known below it, and
 * exactly that where everything below is determined.
 *
 * Claim      known-counts.exact     the counts are at least 0, children add up to their parents, and known
 *                                   nodes have their values
 * Claim      known-counts.revealed  a node that is not declared known is listed exactly if sums and differences
 *                                   of known counts give it away
 * Reference  spec/synthetic.md 5
 */
#ifndef SC_MICRODATA_KNOWN_COUNTS_H
#define SC_MICRODATA_KNOWN_COUNTS_H

#include "base/status.h"
#include "mechanism/microdata/projection.h"

/* In place of a value: the node is not known. */
#define SC_COUNT_UNKNOWN ((int64_t)-1)

typedef struct sc_known_counts {
    sc_tree_shape shape;
    int64_t *low;
    bool *is_determined;
} sc_known_counts;

/* known has a value for each node, or SC_COUNT_UNKNOWN. SCRIM_E_PARAM where values contradict each other, with
 * the node in *at; SCRIM_E_MEMORY. Freed by sc_known_counts_clear, also on failure. */
SCRIM_MUST_USE scrim_status sc_known_counts_init(sc_known_counts *counts,
                                                 const sc_tree_shape *shape,
                                                 const int64_t *known, size_t *at,
                                                 scrim_error *error);
void sc_known_counts_clear(sc_known_counts *counts);
/* Replaces values, within +-2^61, by the counts of a consistent tree. key as sc_top_down has it. SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_known_counts_solve(const sc_known_counts *counts,
                                                  const sc_hash_key *key, int64_t *values,
                                                  scrim_error *error);

/* Marks the nodes that known counts give away, and those that are known. is_known has a mark for each node. */
void sc_known_counts_reveal(const sc_tree_shape *shape, bool *is_known);

#endif
