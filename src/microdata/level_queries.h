/* The queries of a tree: counts of the groups of a level, and of cells of tables in each of these groups.
 *
 * The engine leaves out rows whose value of a listed column is not listed. A query of few columns would count them
 * all the same, and parts would not add up: so it has the condition that the values of all further columns are listed.
 *
 * Where a unit may have several rows, the query of all columns on the last level bounds them. The other queries count the
 * rows that it keeps (sc_plan_nesting); each is charged as if all of these rows of a unit were in one of its groups. With
 * several tables that query has the columns of all of them, and is not released.
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

/* The name of the count of a query of a table: of which table, and of which level. The keys are those of the level, and
 * behind them columns of the table. A query of groups has any other name. */
#define SC_TABLE_NAME "table%zu_level%zu"

#endif
