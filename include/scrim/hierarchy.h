/* Counts of a tree that add up: country, then education in each country, then sex in each of those.
 *
 *     scrim_plan *plan = NULL;
 *     scrim_result *result = NULL;
 *     scrim_hierarchy *tree = NULL;
 *     scrim_result_facts facts;
 *     scrim_hierarchy_node node;
 *     if (scrim_hierarchy_plan(vault, "adult", "education,sex",
 *                              SCRIM_OPTIONS(scrim_query_options, .epsilon = "1", .shares = "1,1,2"),
 *                              &plan, NULL, &error) != SCRIM_OK ||
 *         scrim_query_run(vault, plan, &result, &error) != SCRIM_OK) // charges, and measures
 *         return;
 *     scrim_result_describe(result, &facts);
 *     if (scrim_hierarchy_replay(vault, facts.release, NULL, &tree, &error) == SCRIM_OK) { // free
 *         scrim_hierarchy_node_at(tree, 0, &node);
 *         printf("%lld people\n", (long long)node.count);
 *     }
 *     scrim_hierarchy_free(tree);
 *     scrim_result_free(result);
 *     scrim_plan_free(plan);
 *
 * A release is a batch of queries, one count a level, each with its share of the budget. It is charged,
 * recorded, repeated and labelled like any other batch. The counts that add up are computed from the
 * recorded noisy counts: by least squares, then from the top down to integers that are not negative. That
 * costs nothing and can be done again, with other known counts or at another confidence.
 */
#ifndef SCRIM_HIERARCHY_H
#define SCRIM_HIERARCHY_H

#include "scrim/query.h"
#include "scrim/report.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A plan for the counts of all levels: of all rows, and of the groups of the first, of the first two, ... of
 * the levels. levels are keys as in GROUP BY, separated by commas, with public values. The bounds of a unit
 * hold for the groups of the last level; all levels count the rows that these bounds keep. options.shares has a number for each level and one for all rows in front, from 0 on: a level of share 0
 * is not measured, except all rows and the last level, which must be. Otherwise as scrim_plan_new. */
SCRIM_API SCRIM_MUST_USE scrim_status
scrim_hierarchy_plan(scrim_vault *vault, const char *dataset, const char *levels,
                     const scrim_query_options *options, scrim_plan **out,
                     scrim_caret *caret, scrim_error *error);

/* A tree whose groups have tables, and several measured queries a level.
 *
 *     const char *tables[] = {"sex,race", "occupation"};
 *     const char *queries[] = {"total,sex:1,sex*race:2,occupation:2"};
 *     const scrim_hierarchy_design design = {.size = sizeof design, .levels = "state,county",
 *                                            .tables = tables, .table_count = 2,
 *                                            .queries = queries, .query_count = 1};
 *
 * Each group of each level gets a count for every cell of each table: for every combination of values of its columns. The
 * cells of a table add up to the count of their group, and those of groups add up to those of the group above, cell by cell. A
 * column is in the levels or in one table. A query is "total", or columns of one table with * between them, and perhaps a
 * colon and its share of the level's budget. Queries are given once for all levels, or for all rows and for each level; none:
 * the total and all cells of each table. The last level must measure all cells of each table. With several tables of a
 * unit of several rows the bounds hold for the cells of all levels and tables together, which are not released: there are
 * at most 65536 of them, or 4194304 where all keys are listed. */
typedef struct scrim_hierarchy_design {
    size_t size; /* set by SCRIM_OPTIONS */
    const char *levels;
    const char *const *tables;
    size_t table_count; /* at most 8, with at most 6 columns and 4096 cells */
    const char *const *queries;
    size_t query_count;
} scrim_hierarchy_design;
SCRIM_API SCRIM_MUST_USE scrim_status scrim_hierarchy_plan_design(
    scrim_vault *vault, const char *dataset, const scrim_hierarchy_design *design,
    const scrim_query_options *options, scrim_plan **out, scrim_caret *caret,
    scrim_error *error);

/* The same from the text of a policy alone, before there is a vault or a dataset: scrim_hierarchy_expect shows the errors.
 * Such a plan cannot be run: scrim_query_run refuses it with SCRIM_E_STATE. Also fails as scrim_policy_check. */
SCRIM_API SCRIM_MUST_USE scrim_status
scrim_hierarchy_plan_policy(const char *policy, const scrim_hierarchy_design *design,
                            const scrim_query_options *options, scrim_plan **out,
                            scrim_caret *caret, scrim_error *error);

typedef struct scrim_hierarchy_options {
    size_t size;            /* set by SCRIM_OPTIONS */
    const char *confidence; /* of intervals; NULL: 0.95 */
    /* Counts that are known, as in "total:32561" or "education=Bachelors,sex=Male:100": they are
     * published exactly and are not protected. scrim does not read them from the data. */
    const char *const *known;
    size_t known_count;
    /* Runs of the simulation, at least 40; 0: none. Counts of nodes and cells times runs are at most 2^25. */
    unsigned simulations;
    /* Called now and then with the runs that are done; NULL: not at all. */
    void (*progress)(void *context, uint64_t done, uint64_t total);
    void *context;
} scrim_hierarchy_options;

typedef struct scrim_hierarchy scrim_hierarchy;

/* The tree of a recorded release, free of charge; options may be NULL. SCRIM_E_PARAM: the release is not
 * such a batch, or an option is wrong. SCRIM_E_LIMIT: too many counts to simulate. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_hierarchy_replay(
    scrim_vault *vault, uint64_t release, const scrim_hierarchy_options *options,
    scrim_hierarchy **out, scrim_error *error);
/* The same from the record of a label alone, without a vault: SCRIM_E_STATE if the label has no
 * record. */
SCRIM_API SCRIM_MUST_USE scrim_status
scrim_label_hierarchy(const scrim_label *label, const scrim_hierarchy_options *options,
                      scrim_hierarchy **out, scrim_error *error);
/* The tree that a plan will release, before it is charged: levels, nodes and deviations are those of the release, and all
 * counts are 0. Options are refused as scrim_hierarchy_replay refuses them, but nothing is simulated. */
SCRIM_API SCRIM_MUST_USE scrim_status
scrim_hierarchy_expect(const scrim_plan *plan, const scrim_hierarchy_options *options,
                       scrim_hierarchy **out, scrim_error *error);
SCRIM_API void scrim_hierarchy_free(scrim_hierarchy *hierarchy); /* NULL is allowed */

/* Texts live as long as the tree. */
typedef struct scrim_hierarchy_facts {
    uint64_t release;
    uint64_t time;
    const char *dataset;
    uint64_t version;
    const char *confidence;
    const char *unit; /* the column, or "row" */
    scrim_cost cost;
    size_t levels; /* all rows are level 0 */
    size_t nodes;
    size_t known;          /* nodes whose counts were declared, */
    size_t revealed;       /* and others whose counts follow from those */
    int is_simulated;      /* nodes have simulated intervals */
    const char *guarantee; /* a sentence about the known counts; "" without any */
    size_t tables;         /* of each node */
    size_t queries;        /* of tables, that were measured */
    const char *
        doubt; /* a sentence about a known count that is far from what was measured; "" without any */
} scrim_hierarchy_facts;
SCRIM_API void scrim_hierarchy_describe(const scrim_hierarchy *hierarchy,
                                        scrim_hierarchy_facts *out);

typedef struct scrim_hierarchy_level {
    const char *name;        /* of its column; "total" of level 0 */
    const char *measurement; /* its line; "" where it was not measured */
    size_t first, count;     /* its nodes */
    double noise; /* standard deviation of a noisy count; 0 where it was not measured */
    double noise_half_width; /* of the interval of a noisy count */
    double deviation;        /* of the estimate: the largest of its nodes */
    double half_width;       /* of the interval of the estimate: likewise */
    double bound; /* of the root mean square error of integers made of noisy counts alone;
                              * 0 where some level was not measured */
    /* No private table whose total is as accurate as this one has a smaller root mean square error at
     * all counts of the level; 0: nothing is known. It is a bound, not the error to expect. */
    double lower;
} scrim_hierarchy_level;
/* Here and below, a place past the last sets all to 0. */
SCRIM_API void scrim_hierarchy_level_at(const scrim_hierarchy *hierarchy, size_t level,
                                        scrim_hierarchy_level *out);

typedef enum scrim_node_standing {
    SCRIM_NODE_NOISY = 0,
    SCRIM_NODE_KNOWN,   /* declared */
    SCRIM_NODE_REVEALED /* follows from declared counts */
} scrim_node_standing;

typedef struct scrim_hierarchy_node {
    size_t level;
    size_t parent;   /* of level 0: itself */
    const char *key; /* its value of the level's column; NULL: it is NULL, or level 0 */
    size_t bytes;    /* of key */
    int64_t count;   /* adds up, and is at least 0 */
    int64_t noisy;   /* as measured; 0 where it was not */
    int is_measured;
    scrim_node_standing standing;
    double estimate;  /* by least squares */
    double deviation; /* its standard deviation */
    double low, high; /* its interval, which holds with the confidence */
    int64_t simulated_low, simulated_high; /* of count; no guarantee */
} scrim_hierarchy_node;
SCRIM_API void scrim_hierarchy_node_at(const scrim_hierarchy *hierarchy, size_t node,
                                       scrim_hierarchy_node *out);

/* Tables of nodes. */
#define SCRIM_TABLE_COLUMNS 6
typedef struct scrim_hierarchy_table {
    size_t columns;
    size_t cells; /* of each node */
    const char *names[SCRIM_TABLE_COLUMNS];
} scrim_hierarchy_table;
SCRIM_API void scrim_hierarchy_table_at(const scrim_hierarchy *hierarchy, size_t table,
                                        scrim_hierarchy_table *out);

typedef struct scrim_hierarchy_cell {
    const char
        *keys[SCRIM_TABLE_COLUMNS]; /* NULL: it is NULL, or there is no such column */
    int64_t count;
    double estimate, deviation, low, high; /* as those of a node */
    int64_t simulated_low, simulated_high; /* of count; no guarantee */
} scrim_hierarchy_cell;
SCRIM_API void scrim_hierarchy_cell_at(const scrim_hierarchy *hierarchy, size_t table,
                                       size_t node, size_t cell,
                                       scrim_hierarchy_cell *out);

/* A marginal of a table that was measured on all nodes of a level. */
typedef struct scrim_hierarchy_query {
    size_t table, level;
    unsigned columns; /* bit i: the column i of the table */
    size_t cells;     /* of each node */
    const char *measurement;
    double noise; /* standard deviation */
} scrim_hierarchy_query;
SCRIM_API void scrim_hierarchy_query_at(const scrim_hierarchy *hierarchy, size_t query,
                                        scrim_hierarchy_query *out);
/* One of its noisy counts, of a node of its level, with the keys of the cell; 0, and no keys are set, where there is no such
 * count. */
SCRIM_API int64_t scrim_hierarchy_noisy_at(const scrim_hierarchy *hierarchy, size_t query,
                                           size_t node, size_t cell,
                                           const char *keys[SCRIM_TABLE_COLUMNS]);

/* A linear function of the counts of the last level, as any sum or difference of groups or cells: its estimate by least
 * squares, with the exact variance that this has, and an interval. */
typedef struct scrim_hierarchy_sum {
    double estimate, deviation;
    double low, high; /* holds with the confidence */
} scrim_hierarchy_sum;
#define SCRIM_NO_TABLE ((size_t)-1)
/* weights has a number for each node of the last level or, of a table, for each cell of each of them. SCRIM_E_MEMORY. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_hierarchy_linear(
    const scrim_hierarchy *hierarchy, size_t table, const double *weights,
    scrim_hierarchy_sum *out, scrim_error *error);

/* Ranges of one numeric column: bins under a complete tree, every node measured with the same variance.
 *
 *     char variance[SCRIM_NUMBER_BYTES];
 *     if (scrim_range_variance(SCRIM_OPTIONS(scrim_range_options, .bins = 64, .branching = 4,
 *                                            .variance = "4"),
 *                              8, 23, variance, &error) == SCRIM_OK)
 *         printf("bins 8 to 23 have variance %s\n", variance);
 */
typedef struct scrim_range_options {
    size_t size; /* set by SCRIM_OPTIONS */
    uint64_t bins;
    unsigned branching;   /* 2 to 1024 */
    const char *variance; /* of a noisy count, exact text */
    int leaves_out_root;  /* 1: the number of all rows is not measured */
} scrim_range_options;

/* The variance of the estimate of the bins first to last, counted from 0: exact up to 4096 nodes, else twelve
 * digits. SCRIM_E_PARAM, SCRIM_E_SYNTAX, SCRIM_E_LIMIT for a variance of very many digits, SCRIM_E_MEMORY. */
SCRIM_API SCRIM_MUST_USE scrim_status
scrim_range_variance(const scrim_range_options *options, uint64_t first, uint64_t last,
                     char out[SCRIM_NUMBER_BYTES], scrim_error *error);

#ifdef __cplusplus
}
#endif

#endif
