/* Counts that are declared to be known, as text: "total:32561", "education=Bachelors,sex=Male:100".
 *
 * The keys are those of the first levels, in their order; "total" stands for all rows. A value may be in quotes.
 *
 * Claim  declared-counts.node  a declaration sets the count of the one node that has its keys; any other is refused
 */
#ifndef SC_MICRODATA_DECLARED_COUNTS_H
#define SC_MICRODATA_DECLARED_COUNTS_H

#include "microdata/known_counts.h"
#include "microdata/noisy_tree.h"

/* known has a number for each node, SC_COUNT_UNKNOWN or one that was declared before. SCRIM_E_PARAM. */
SCRIM_MUST_USE scrim_status sc_declared_count_read(const sc_noisy_tree *tree,
                                                   const char *text, int64_t *known,
                                                   scrim_error *error);

#endif
