/* The groups of rows by keys (by_keys.h), for the owner's table of bounds (data/table/bound_table.h).
 *
 * Claim  by-groups.query  rows are in the groups that a query by the same keys has, and a row whose key is
 *                         not public is in no group
 */
#ifndef SC_QUERY_BY_GROUPS_H
#define SC_QUERY_BY_GROUPS_H

#include "data/table/bound_table.h"
#include "query/answer/by_keys.h"

/* keys has at least one, and lives as long. */
void sc_by_groups_of(const sc_by_keys *keys, sc_bound_groups *out);

#endif
