/* The tree of a recorded batch: its nodes, what they are called, and their noisy counts; the tables of its nodes likewise.
 *
 * The groups of the queries of the last level are the leaves; a node of level i is a group of equal first i keys. Groups are
 * in the order of their keys, so that the children of a node follow each other. A level that has no query of groups was
 * measured by those of tables, or not at all. The columns of a table are those of its query of all cells of the last level.
 *
 * Claim  noisy-tree.whole  every noisy count of the record belongs to one node, that of its keys; a batch that is
 *                          no tree is refused
 */
#ifndef SC_MICRODATA_NOISY_TREE_H
#define SC_MICRODATA_NOISY_TREE_H

#include "base/memory.h"
#include "microdata/least_squares.h"
#include "microdata/tree_design.h"
#include "query/answer/record.h"

typedef struct sc_tree_level {
    const char *name;        /* of its column, "total" */
    const char *measurement; /* "" where it was not measured */
    bool is_measured;
    sc_level_noise noise;
} sc_tree_level;

/* A table that each node has. */
typedef struct sc_noisy_table {
    sc_table_shape shape;
    const char *names[SC_TABLE_COLUMNS];
    sc_text *values[SC_TABLE_COLUMNS]; /* those that are NULL have no start */
} sc_noisy_table;

/* A marginal of a table, on the nodes of a level. */
typedef struct sc_noisy_query {
    size_t table, level;
    unsigned columns;
    const char *measurement;
    sc_level_noise noise;
    int64_t *noisy; /* node by node */
} sc_noisy_query;

typedef struct sc_noisy_tree {
    size_t levels; /* with that of all rows */
    sc_tree_level level[SC_LEVELS_MOST + 1];
    size_t
        starts[SC_LEVELS_MOST + 2]; /* the first node of each level, and their number */
    size_t fanouts[SC_LEVELS_MOST +
                   1]; /* the most children of a node of each level but the last */
    bool is_even;      /* all nodes of a level have as many children */
    uint32_t *child;   /* of the shape */
    uint32_t *parents;
    sc_text *keys; /* of each node, of its own level; those that are NULL have no start */
    int64_t *noisy;
    sc_tree_shape shape;
    sc_noisy_table tables[SC_TREE_TABLES];
    size_t table_count;
    sc_noisy_query queries[SC_TREE_QUERIES]; /* of tables */
    size_t query_count;
    sc_arena arena; /* of texts and of what tables have */
} sc_noisy_tree;

/* SCRIM_E_PARAM where the record is no tree of counts, SCRIM_E_MEMORY. Freed by sc_noisy_tree_clear, also on
 * failure. */
SCRIM_MUST_USE scrim_status sc_noisy_tree_read(const sc_record *record,
                                               sc_noisy_tree *out, scrim_error *error);
/* The tree of a plan, whose counts are all 0: what a record of it will be like. */
SCRIM_MUST_USE scrim_status sc_noisy_tree_expect(const scrim_plan *plan,
                                                 sc_noisy_tree *out, scrim_error *error);
void sc_noisy_tree_clear(sc_noisy_tree *tree);

size_t sc_noisy_tree_level(const sc_noisy_tree *tree, size_t node);

#endif
