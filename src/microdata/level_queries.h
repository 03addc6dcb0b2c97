/* The queries of a tree: counts of the groups of a level, and of cells of tables in each of these groups.
 *
 * A query ignores rows whose key is not a listed one. A query that does not group by a column would count rows with an unlisted
 * value there, and the parts of a tree would not add up. So each query requires, in WHERE, that all other columns of the tree have
 * listed values.
 *
 * If a unit may have several rows, one query bounds them: the one of all columns on the last level. The other queries count the
 * rows that it keeps (sc_plan_nesting). Each is charged as if all of these rows of a unit were in one of its groups. If there are
 * several tables, that query groups by the columns of all of them, and is not released itself.
 *
 * Claim  level-queries.nested  a query groups by the first columns of the levels, so that every group of a level lies in
 *                              one group of the level above it
 * Claim  level-queries.same    all queries count the same rows
 */
#ifndef SC_MICRODATA_LEVEL_QUERIES_H
#define SC_MICRODATA_LEVEL_QUERIES_H

#include "base/memory.h"
#include "base/text.h"
#include "scrim/hierarchy.h"

/* The name of the count in a query of a table, by the numbers of the table and of the level. Its keys are those of the level, then
 * columns of the table. Counts of groups have another name. */
#define SC_TABLE_NAME "table%zu_level%zu"

#endif
