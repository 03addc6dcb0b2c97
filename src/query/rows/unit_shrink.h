/* Rows on their way made fewer: the units' rows in a store are bounded as far as they can be while
 * others may come (SC_BOUND_EARLY), so that what is held grows with units, groups and unlike rows,
 * and not with rows.
 *
 * Claim  unit-shrink.same  bounding what is left gives what bounding all rows would have
 */
#ifndef SC_QUERY_UNIT_SHRINK_H
#define SC_QUERY_UNIT_SHRINK_H

#include "query/rows/key_set.h"
#include "query/rows/unit_table.h"

/* The parts from this one to the one before end. keys are those that the rows' numbers of groups
 * stand for, hash_key that of their hashes and of the units'. SCRIM_E_MEMORY; then some parts have
 * been made fewer and the others are as before. */
SCRIM_MUST_USE scrim_status sc_unit_shrink(sc_unit_rows *rows, size_t from, size_t end,
                                           sc_bound *bound, const sc_key_set *keys,
                                           const sc_value_key *hash_key,
                                           scrim_error *error);

#endif
