#include "check.h"
#include "microdata/table_effects.h"
#include "trees.h"
#include "vectors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_QUERIES 12
#define MOST_NUMBERS 2048

/* A tree with its queries, as the specification's vectors have them. */
typedef struct effects_scene {
    tree_scene tree;
    size_t starts[SC_TREE_LEVELS + 1];
    sc_table_tree table_tree;
    sc_table_shape shape;
    sc_table_query queries[MOST_QUERIES];
    double noisy[MOST_QUERIES][MOST_NUMBERS];
    size_t count;
    sc_table_squares squares;
    sc_squares total;
    double totals[TREES_NODES];
    double cells[MOST_NUMBERS];
} effects_scene;

static void set_tree(effects_scene *e, size_t levels)
{
    const tree_scene *t = &e->tree;
    for (size_t i = 0; i + 1 < levels; i++)
        e->starts[i + 1] = t->child[e->starts[i]];
    e->starts[levels] = t->nodes;
    e->table_tree =
        (sc_table_tree){.shape = t->shape, .starts = e->starts, .levels = levels};
}

static void add_query(effects_scene *e, size_t level, unsigned columns, double variance)
{
    e->queries[e->count] = (sc_table_query){.level = level,
                                            .columns = columns,
                                            .variance = variance,
                                            .noisy = e->noisy[e->count]};
    e->count++;
}

static void solve(effects_scene *e)
{
    double precisions[SC_TREE_LEVELS] = {0}, sums[TREES_NODES] = {0},
           variances[TREES_NODES];
    const sc_table_tree *t = &e->table_tree;
    sc_table_totals_add(t, &e->shape, e->queries, e->count, precisions, sums);
    for (size_t i = 0; i < t->levels; i++)
        for (size_t v = t->starts[i]; v < t->starts[i + 1]; v++) {
            variances[v] = precisions[i] > 0 ? 1 / precisions[i] : HUGE_VAL;
            e->totals[v] = precisions[i] > 0 ? sums[v] / precisions[i] : 0;
        }
    CHECK_STATUS(sc_squares_init(&e->total, &t->shape, variances, NULL), SCRIM_OK);
    sc_squares_estimate(&e->total, e->totals);
    CHECK_STATUS(
        sc_table_squares_init(&e->squares, t, &e->shape, e->queries, e->count, NULL),
        SCRIM_OK);
    CHECK_STATUS(sc_table_squares_estimate(&e->squares, e->queries, e->count, e->totals,
                                           e->cells, NULL),
                 SCRIM_OK);
}

static void end(effects_scene *e)
{
    sc_squares_clear(&e->total);
    sc_table_squares_clear(&e->squares);
    free(e);
}

static double cell_variance(const effects_scene *e, size_t node)
{
    return sc_table_squares_cell(&e->squares, node, sc_squares_variance(&e->total, node));
}

/* The noisy counts of a vector: those of all queries of the node's level, one after another. */
static void take_noisy(effects_scene *e, const json_t *row)
{
    for (size_t v = 0; v < e->tree.nodes; v++) {
        const json_t *list = trees_member(json_object_get(row, "noisy"), v);
        size_t at = 0;
        for (size_t q = 0; q < e->count; q++) {
            const size_t first = e->starts[e->queries[q].level],
                         last = e->starts[e->queries[q].level + 1],
                         own = sc_table_cells(&e->shape, e->queries[q].columns);
            for (size_t k = 0; v >= first && v < last && k < own; k++)
                e->noisy[q][(v - first) * own + k] =
                    (double)json_integer_value(json_array_get(list, at++));
        }
        CHECK_INT(at, json_array_size(list));
    }
}

static double number(const json_t *text)
{
    return json_is_string(text) ? strtod(json_string_value(text), NULL) : 0;
}

static void check_estimates(const effects_scene *e, const json_t *row)
{
    for (size_t v = 0; v < e->tree.nodes; v++) {
        const json_t *list = trees_member(json_object_get(row, "estimate"), v);
        for (size_t i = 0; i < e->squares.cells; i++)
            CHECK_NEAR(e->cells[v * e->squares.cells + i],
                       number(json_array_get(list, i)), 1e-12);
    }
}

/* Four cells: two columns of two values. Queries are the total, a column, or both. */
TEST(table_effects_of_several_queries)
{
    CLAIM("table-effects.best");
    const json_t *row = vectors_load("synthetic", "gls_several_queries");
    effects_scene *e = calloc(1, sizeof *e);
    trees_example(&e->tree);
    set_tree(e, 3);
    e->shape = (sc_table_shape){.columns = 2, .sizes = {2, 2}};
    add_query(e, 0, 0, 1);
    add_query(e, 0, 1, 2);
    add_query(e, 1, 0, 2);
    add_query(e, 1, 3, 3);
    add_query(e, 2, 3, 1.5);
    add_query(e, 2, 2, 2.5);
    take_noisy(e, row);
    solve(e);
    check_estimates(e, row);
    for (size_t v = 0; v < 8; v++)
        CHECK_NEAR(cell_variance(e, v),
                   number(json_array_get(
                       trees_member(json_object_get(row, "variance_diagonal"), v), 0)),
                   1e-12);
    end(e);
}

TEST(table_effects_of_totals_and_cells)
{
    CLAIM("table-effects.best");
    const json_t *row = vectors_load("synthetic", "gls_total_and_cells");
    effects_scene *e = calloc(1, sizeof *e);
    trees_example(&e->tree);
    set_tree(e, 3);
    e->shape = (sc_table_shape){.columns = 1, .sizes = {4}};
    add_query(e, 0, 0, 1);
    add_query(e, 0, 1, 2);
    add_query(e, 1, 0, 2);
    add_query(e, 1, 1, 3);
    add_query(e, 2, 0, 4);
    add_query(e, 2, 1, 1.5);
    take_noisy(e, row);
    solve(e);
    check_estimates(e, row);
    for (size_t v = 0; v < 8; v++) {
        CHECK_NEAR(cell_variance(e, v),
                   number(trees_member(json_object_get(row, "variance_of_cell"), v)),
                   1e-12);
        CHECK_NEAR(sc_squares_variance(&e->total, v),
                   number(trees_member(json_object_get(row, "variance_of_total"), v)),
                   1e-12);
    }
    end(e);
}

/* Random marginals over the tree of the vectors, against dense algebra. */

static bool is_below(const tree_scene *t, size_t node, size_t above)
{
    while (node > above)
        node = t->parent[node];
    return node == above;
}

/* Does a cell of the table belong to a cell of a query? */
static bool is_part(const sc_table_shape *shape, size_t cell, unsigned columns,
                    size_t part)
{
    for (size_t i = shape->columns; i-- > 0;) {
        const size_t size = shape->sizes[i];
        if (columns >> i & 1) {
            if (cell % size != part % size)
                return false;
            part /= size;
        }
        cell /= size;
    }
    return true;
}

static size_t unknowns_of(const effects_scene *e)
{
    return (e->tree.nodes - e->tree.shape.inner) * e->squares.cells;
}

/* The row of a noisy count, over the cells of leaves. */
static void make_row(const effects_scene *e, size_t node, unsigned columns, size_t part,
                     double *row)
{
    const size_t inner = e->tree.shape.inner, cells = e->squares.cells;
    for (size_t v = inner; v < e->tree.nodes; v++)
        for (size_t i = 0; i < cells; i++)
            row[(v - inner) * cells + i] =
                is_below(&e->tree, v, node) && is_part(&e->shape, i, columns, part);
}

static void inform(const effects_scene *e, double *right)
{
    const size_t unknowns = unknowns_of(e);
    trees_information_clear();
    for (size_t q = 0; q < e->count; q++) {
        const sc_table_query *query = &e->queries[q];
        const size_t own = sc_table_cells(&e->shape, query->columns);
        for (size_t v = e->starts[query->level]; v < e->starts[query->level + 1]; v++)
            for (size_t k = 0; k < own; k++) {
                double row[TREES_LEAVES] = {0};
                make_row(e, v, query->columns, k, row);
                trees_information_add(row, unknowns, query->variance);
                for (size_t a = 0; a < unknowns; a++)
                    right[a] += row[a] *
                                query->noisy[(v - e->starts[query->level]) * own + k] /
                                query->variance;
            }
    }
    trees_information_invert(unknowns);
}

static double dense_variance(const effects_scene *e, const double *weights)
{
    double sum = 0;
    for (size_t a = 0; a < unknowns_of(e); a++)
        for (size_t b = 0; b < unknowns_of(e); b++)
            sum += weights[a] * weights[b] * trees_covariance(a, b);
    return sum;
}

static void check_dense(effects_scene *e, uint64_t *state)
{
    const size_t unknowns = unknowns_of(e), inner = e->tree.shape.inner;
    double right[TREES_LEAVES] = {0}, weights[TREES_LEAVES] = {0};
    inform(e, right);
    for (size_t a = 0; a < unknowns; a++) {
        double sum = 0;
        for (size_t b = 0; b < unknowns; b++)
            sum += trees_covariance(a, b) * right[b];
        CHECK_NEAR(e->cells[inner * e->squares.cells + a], sum, 1e-9);
    }
    for (size_t v = 0; v < e->tree.nodes; v++) {
        make_row(e, v, sc_table_all(&e->shape), 0, weights);
        CHECK_NEAR(cell_variance(e, v), dense_variance(e, weights), 1e-9);
    }
    for (size_t a = 0; a < unknowns; a++)
        weights[a] = (double)(trees_next(state) % 7) - 3;
    const double want = dense_variance(e, weights);
    CHECK_NEAR(sc_table_squares_linear(&e->squares, &e->total, weights), want,
               1e-9 * want);
}

static void fill(effects_scene *e, uint64_t *state)
{
    const unsigned all = sc_table_all(&e->shape);
    for (size_t level = 0; level < 3; level++)
        for (size_t i = 0; i < 3; i++) {
            const unsigned columns = (unsigned)(trees_next(state) % (all + 1));
            const double variance = (double)(trees_next(state) % 9 + 1) / 2;
            if (i > 0 || level == 2)
                add_query(e, level, level == 2 && i == 0 ? all : columns, variance);
        }
    for (size_t q = 0; q < e->count; q++)
        for (size_t k = 0; k < 64; k++)
            e->noisy[q][k] = (double)(trees_next(state) % 21) - 3;
}

TEST(table_effects_are_those_of_dense_algebra)
{
    CLAIM("table-effects.best");
    static const sc_table_shape shapes[] = {
        {1, {5}}, {2, {2, 3}}, {3, {2, 1, 3}}, {3, {2, 2, 2}}};
    uint64_t state = 7;
    for (size_t run = 0; run < 12; run++) {
        effects_scene *e = calloc(1, sizeof *e);
        trees_example(&e->tree);
        set_tree(e, 3);
        e->shape = shapes[run % 4];
        fill(e, &state);
        solve(e);
        check_dense(e, &state);
        end(e);
    }
}

/* Cells add up to the total of their node, and to the cell of the parent; an even tree gives the same numbers. */
TEST(table_effects_add_up)
{
    CLAIM("table-effects.adds-up");
    static const size_t fanouts[] = {3, 2};
    uint64_t state = 11;
    effects_scene *e = calloc(1, sizeof *e);
    trees_even(fanouts, 3, &e->tree);
    set_tree(e, 3);
    e->shape = (sc_table_shape){2, {2, 3}};
    fill(e, &state);
    solve(e);
    const size_t cells = e->squares.cells;
    for (size_t v = 0; v < e->tree.nodes; v++) {
        double sum = 0;
        for (size_t i = 0; i < cells; i++)
            sum += e->cells[v * cells + i];
        CHECK_NEAR(sum, e->totals[v], 1e-10);
    }
    for (size_t i = 0; i < cells; i++)
        CHECK_NEAR(e->cells[i],
                   e->cells[cells + i] + e->cells[2 * cells + i] +
                       e->cells[3 * cells + i],
                   1e-10);
    sc_table_squares even;
    sc_table_tree t = e->table_tree;
    double other[MOST_NUMBERS];
    t.fanouts = fanouts;
    CHECK_STATUS(sc_table_squares_init(&even, &t, &e->shape, e->queries, e->count, NULL),
                 SCRIM_OK);
    CHECK_STATUS(
        sc_table_squares_estimate(&even, e->queries, e->count, e->totals, other, NULL),
        SCRIM_OK);
    for (size_t i = 0; i < e->tree.nodes * cells; i++)
        CHECK_NEAR(other[i], e->cells[i], 1e-10);
    sc_table_squares_clear(&even);
    end(e);
}

TEST(table_effects_need_the_last_level)
{
    effects_scene *e = calloc(1, sizeof *e);
    scrim_error error;
    trees_example(&e->tree);
    set_tree(e, 3);
    e->shape = (sc_table_shape){2, {2, 2}};
    add_query(e, 1, 3, 1);
    add_query(e, 2, 1, 1);
    add_query(e, 2, 2, 1);
    CHECK_STATUS(sc_table_squares_init(&e->squares, &e->table_tree, &e->shape, e->queries,
                                       e->count, &error),
                 SCRIM_E_PARAM);
    CHECK_STR(error.message, "the last level must measure all cells of every table");
    end(e);
}

TEST(table_effects_need_a_level)
{
    effects_scene *e = calloc(1, sizeof *e);
    static const size_t wrong[] = {0, SC_TREE_LEVELS + 1};
    REQUIRE(e != NULL);
    trees_example(&e->tree);
    set_tree(e, 3);
    e->shape = (sc_table_shape){2, {2, 2}};
    add_query(e, 2, 3, 1);
    for (size_t i = 0; i < COUNT(wrong); i++) {
        sc_table_tree tree = e->table_tree;
        tree.levels = wrong[i];
        CHECK_STATUS(sc_table_squares_init(&e->squares, &tree, &e->shape, e->queries,
                                           e->count, NULL),
                     SCRIM_E_LIMIT);
        sc_table_squares_clear(&e->squares);
    }
    free(e);
}
