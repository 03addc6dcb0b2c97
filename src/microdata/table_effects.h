/* Least squares for a table of cells at every node of a tree, from several measured marginals a level.
 *
 * A table has columns, and a cell for each combination of their values. Each node of the tree has such a table, and the
 * tables of the children add up to that of their parent, cell by cell. On the nodes of a level some marginals were
 * measured: a query is a set B of columns, with a noisy count of variance V(B) for each cell of B.
 *
 * A table is the sum of its effects, one for each set A of columns: the marginal of A, centred along each column of A. A query
 * B measures the effects of all A within B, as the marginal of A of variance V(B) prod_{B without A} d, and no others. So
 * least squares split into one pass of least_squares.h for each effect, in which a level has the variance
 *
 *     V(A) = 1 / sum over queries B that have A of 1/(V(B) prod_{B without A} d)
 *
 * Effect 0 is the total of the node, which several tables over one tree share: its pass is that of the tree.
 *
 *     F(cell) = sum over A of effect(A, cell)/prod_{not in A} d
 *     Var(sum of w F over the cells of a node) = sum over A of U(A) |mean of w over the columns not in A, centred along A|^2
 *
 * Every table must be measured whole on the last level.
 *
 * Claim      table-effects.best    estimates and variances are those of generalised least squares
 * Claim      table-effects.adds-up the estimates of cells add up to those of nodes, and of parents
 * Reference  spec/synthetic.md 5
 */
#ifndef SC_MICRODATA_TABLE_EFFECTS_H
#define SC_MICRODATA_TABLE_EFFECTS_H

#include "microdata/least_squares.h"

#define SC_TABLE_COLUMNS 6
#define SC_TABLE_EFFECTS ((size_t)1 << SC_TABLE_COLUMNS)
/* Cells of one node. */
#define SC_TABLE_CELLS ((size_t)4096)

typedef struct sc_table_shape {
    size_t columns;
    size_t sizes[SC_TABLE_COLUMNS]; /* values of each; the last one changes first */
} sc_table_shape;

/* Cells of the columns of a set: column i is bit i. */
size_t sc_table_cells(const sc_table_shape *shape, unsigned columns);
unsigned sc_table_all(const sc_table_shape *shape);
/* The cell of the columns inner, which are some of those of outer, that a cell of outer is part of. */
size_t sc_table_cell_within(const sc_table_shape *shape, size_t cell, unsigned outer,
                            unsigned inner);

/* A marginal that was measured on the nodes of a level. */
typedef struct sc_table_query {
    size_t level;
    unsigned columns;
    double variance;     /* of each noisy count */
    const double *noisy; /* the cells of each node of the level, node by node */
} sc_table_query;

typedef struct sc_table_tree {
    sc_tree_shape shape;
    const size_t *starts; /* of each level, and the number of nodes */
    size_t levels;
    const size_t *fanouts; /* NULL: the tree is not even */
} sc_table_tree;

/* Takes totals from the queries of a level: adds 1/V to the precision of each level, and the noisy total over V to the
 * sum of each node. */
void sc_table_totals_add(const sc_table_tree *tree, const sc_table_shape *shape,
                         const sc_table_query *queries, size_t count, double *precisions,
                         double *sums);

typedef struct sc_table_squares {
    sc_table_tree tree;
    sc_table_shape shape;
    size_t cells;
    sc_squares effect[SC_TABLE_EFFECTS]; /* [0] is not used */
} sc_table_squares;

/* SCRIM_E_PARAM where the whole table is not measured on the last level; SCRIM_E_LIMIT without levels or above
 * SC_TREE_LEVELS; SCRIM_E_MEMORY. The tree must outlive it. Freed by sc_table_squares_clear, also on failure. */
SCRIM_MUST_USE scrim_status sc_table_squares_init(sc_table_squares *squares,
                                                  const sc_table_tree *tree,
                                                  const sc_table_shape *shape,
                                                  const sc_table_query *queries,
                                                  size_t count, scrim_error *error);
void sc_table_squares_clear(sc_table_squares *squares);

/* The estimates of the cells of all nodes, node by node; totals are those of the nodes. SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_table_squares_estimate(const sc_table_squares *squares,
                                                      const sc_table_query *queries,
                                                      size_t count, const double *totals,
                                                      double *cells, scrim_error *error);
/* The variance of one cell of a node, whose total has the given variance; all cells have the same. */
double sc_table_squares_cell(const sc_table_squares *squares, size_t node,
                             double total_variance);
/* The variance of the sum over leaves and cells of weight times estimate, totals being estimated by total. weights has the
 * cells of each leaf. Negative without memory. */
double sc_table_squares_linear(const sc_table_squares *squares, const sc_squares *total,
                               const double *weights);

#endif
