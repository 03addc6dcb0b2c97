/* The queries of a tree: one count a level that is measured.
 *
 * The engine leaves out rows whose value of a listed column is not listed. A query of few columns would count them
 * all the same, and parts would not add up: so it has the condition that the values of all further columns are listed.
 *
 * Claim  level-queries.nested  query i groups by the first columns of the levels, so that every group of a level lies in
 *                              one group of the level above it; one unit is in one group of each
 * Claim  level-queries.same    all queries count the same rows
 */
#ifndef SC_MICRODATA_LEVEL_QUERIES_H
#define SC_MICRODATA_LEVEL_QUERIES_H

#include "base/memory.h"
#include "base/text.h"
#include "scrim/hierarchy.h"

#include <stdbool.h>

/* Levels below all rows: keys of a query. */
#define SC_LEVELS_MOST 16

#endif
