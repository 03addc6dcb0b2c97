/* Partition selection: which groups have members enough to be named, without their counts.
 *
 * Input       the number of units of each group, integers from 0 on
 * Output      of each group 1, it is kept, or 0; a group without units is never kept
 * Neighbours  add-remove or replace; one unit is in at most max-groups groups, 1 unless given
 * Claim       partition-selection.privacy   (epsilon, delta)-DP, and the curve below
 * Claim       partition-selection.exact     each group is kept independently of the others, with
 *                                           exactly the probability of keep_table.h
 * Claim       partition-selection.accuracy  a group of the stated number of units or more is kept
 *                                           with the stated probability; no smaller number will do
 * Time        two words a group, whatever its size; of SC_KEEP_BLOCK groups and more, as
 *             keep_table.h
 * Reference   Desfontaines, Voss, Gipson, Mandayam 2022; spec/thresholding.md 1, 5
 * Proof       partition_selection.md
 *
 * Epsilon and delta are shared by the k groups that one unit can change: k = max-groups, and twice
 * that under replace, where a unit leaves as many groups as it enters. Each has epsilon/k and
 * 1 - (1 - delta)^(1/k). The curve is that of k such parts, 1 - (1 - d)^k (1 - D(e)) with D the
 * optimal curve of k parts of epsilon/k; of one part, where the table is not long, it is that of
 * the exact law, the worst of all pairs of n and n + 1 units.
 *
 * Where the groups are a public list, as for `scrim run`, the answer has a place for each, and no
 * surface names one that is not kept. Where they come from data, what is left out must leave no
 * trace, and its place in an answer is one: the query engine draws from the table itself and records
 * the names that it keeps.
 */
#ifndef SC_MECHANISM_THRESHOLD_PARTITION_SELECTION_H
#define SC_MECHANISM_THRESHOLD_PARTITION_SELECTION_H

#include "mechanism/threshold/keep_table.h"
#include "model/measurement.h"
#include "model/mechanism.h"

extern const sc_mechanism sc_partition_selection;

/* The audit looks at no more pairs of neighbours. */
#define SC_PARTITION_PAIRS ((size_t)4096)

/* The table of such a measurement, and how many groups share its epsilon and delta. */
const sc_keep_table *sc_partition_table(const scrim_measurement *measurement);
uint64_t sc_partition_parts(const scrim_measurement *measurement);
/* The smallest number of units that is kept with probability p or more, 0 < p <= 1. */
uint64_t sc_partition_units(const scrim_measurement *measurement, const sc_ratio *p);

#endif
