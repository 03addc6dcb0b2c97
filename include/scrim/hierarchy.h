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

#ifdef __cplusplus
extern "C" {
#endif

/* A plan for the counts of all levels: of all rows, and of the groups of the first, of the first two, ... of
 * the levels. levels are keys as in GROUP BY, separated by commas, with public values; a unit must have one
 * row. options.shares has a number for each level and one for all rows in front, from 0 on: a level of share 0
 * is not measured, except all rows and the last level, which must be. Otherwise as scrim_plan_new. */
SCRIM_API SCRIM_MUST_USE scrim_status
scrim_hierarchy_plan(scrim_vault *vault, const char *dataset, const char *levels,
                     const scrim_query_options *options, scrim_plan **out,
                     scrim_caret *caret, scrim_error *error);

typedef struct scrim_hierarchy_options {
    size_t size;            /* set by SCRIM_OPTIONS */
    const char *confidence; /* of intervals; NULL: 0.95 */
    /* Counts that are known, as in "total:32561" or "education=Bachelors,sex=Male:100": they are
     * published exactly and are not protected. scrim does not read them from the data. */
    const char *const *known;
    size_t known_count;
    /* Runs of the simulation, at least 40; 0: none. */
    unsigned simulations;
} scrim_hierarchy_options;

typedef struct scrim_hierarchy scrim_hierarchy;

/* The tree of a recorded release, free of charge; options may be NULL. SCRIM_E_PARAM: the release is not
 * such a batch, or an option is wrong. SCRIM_E_LIMIT: too many nodes to simulate. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_hierarchy_replay(
    scrim_vault *vault, uint64_t release, const scrim_hierarchy_options *options,
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
} scrim_hierarchy_level;
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
 * digits. SCRIM_E_PARAM, SCRIM_E_SYNTAX, SCRIM_E_MEMORY. */
SCRIM_API SCRIM_MUST_USE scrim_status
scrim_range_variance(const scrim_range_options *options, uint64_t first, uint64_t last,
                     char out[SCRIM_NUMBER_BYTES], scrim_error *error);

#ifdef __cplusplus
}
#endif

#endif
