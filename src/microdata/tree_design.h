/* The measurements of a release of a tree: its levels, the tables of its nodes, and the queries of each level with their shares.
 *
 * A query counts the groups of a level, or the cells of some columns of a table in each of these groups. The last level must
 * count all cells of each table, and all rows must be measured in some way.
 *
 * Claim  tree-design.shares  the share of a query is that of its level, divided among the queries of the level
 */
#ifndef SC_MICRODATA_TREE_DESIGN_H
#define SC_MICRODATA_TREE_DESIGN_H

#include "base/text.h"
#include "microdata/table_effects.h"
#include "scrim/hierarchy.h"

/* Levels below all rows: keys of a query. */
#define SC_LEVELS_MOST 16
#define SC_TREE_TABLES 8
#define SC_TREE_QUERIES 128
/* In place of a table: the groups themselves. */
#define SC_NO_TABLE SCRIM_NO_TABLE

typedef struct sc_design_query {
    size_t level, table;
    unsigned columns; /* of the table */
    uint64_t share;   /* of all; the shares have no common divisor */
} sc_design_query;

/* A key as in GROUP BY, and its name where one is given behind AS. */
typedef struct sc_design_key {
    sc_text text, name;
} sc_design_key;

typedef struct sc_tree_design {
    sc_design_key levels[SC_LEVELS_MOST];
    size_t level_count;
    sc_design_key columns[SC_TREE_TABLES][SC_TABLE_COLUMNS];
    size_t column_counts[SC_TREE_TABLES];
    size_t table_count;
    sc_design_query queries[SC_TREE_QUERIES];
    size_t query_count;
} sc_tree_design;

/* shares are those of levels, NULL: all equal. SCRIM_E_PARAM, SCRIM_E_LIMIT. Texts are views of what was given. */
SCRIM_MUST_USE scrim_status sc_tree_design_read(const scrim_hierarchy_design *given,
                                                const char *shares, sc_tree_design *out,
                                                scrim_error *error);

#endif
