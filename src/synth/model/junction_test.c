#include "check.h"
#include "faults.h"
#include "synth/model/junction.h"
#include "synth/model/real_functions.h"
#include "vectors.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

TEST(triangulation_keeps_columns_without_edges)
{
    const sc_synth_columns columns = {3, {5, 2, 7}};
    const sc_clique_graph graph = {{0}};
    sc_triangulation cliques;
    sc_triangulate(&columns, &graph, &cliques);
    CHECK_INT(cliques.count, 3);
    CHECK_INT(cliques.cells, 14);
    CHECK_INT(cliques.cliques[0], 2); /* the smallest table first */
    CHECK(sc_triangulation_holds(&cliques, 4));
    CHECK(!sc_triangulation_holds(&cliques, 3));
}

/* A cycle of four gets one chord, around the smaller table. */
TEST(triangulation_breaks_ties_by_cells_then_index)
{
    const sc_synth_columns columns = {4, {9, 2, 9, 2}};
    sc_clique_graph graph = {{0}};
    sc_triangulation cliques;
    sc_clique_graph_add(&graph, 3);
    sc_clique_graph_add(&graph, 6);
    sc_clique_graph_add(&graph, 12);
    sc_clique_graph_add(&graph, 9);
    sc_triangulate(&columns, &graph, &cliques);
    CHECK_INT(cliques.count, 2);
    CHECK_INT(cliques.cliques[0], 11);
    CHECK_INT(cliques.cliques[1], 14);
    CHECK_INT(cliques.cells, 72);
}

TEST(triangulation_counts_cells_beyond_64_bits)
{
    sc_synth_columns columns = {.count = SC_SYNTH_COLUMNS_MAX};
    sc_clique_graph graph = {{0}};
    sc_triangulation cliques;
    for (size_t i = 0; i < columns.count; i++)
        columns.sizes[i] = SC_SYNTH_SIZE_MAX;
    sc_clique_graph_add(&graph, sc_synth_columns_all(&columns));
    sc_triangulate(&columns, &graph, &cliques);
    CHECK_INT(cliques.count, 1);
    CHECK_INT(cliques.cliques[0], ~(sc_clique)0);
    CHECK(cliques.cells == UINT64_MAX);
}

/* "817/3" or "25". */
static double fraction(const json_t *text)
{
    double above = 0, below = 1;
    CHECK(sscanf(json_string_value(text), "%lf/%lf", &above, &below) >= 1);
    return above / below;
}

static void read_columns(const json_t *list, sc_synth_columns *out)
{
    out->count = json_array_size(list);
    for (size_t i = 0; i < out->count; i++)
        out->sizes[i] = (uint32_t)json_integer_value(json_array_get(list, i));
}

/* "0-3". */
static sc_clique read_pair(const char *name)
{
    unsigned a = 0, b = 0;
    CHECK_INT(sscanf(name, "%u-%u", &a, &b), 2);
    return sc_clique_of(a) | sc_clique_of(b);
}

/* Adds the logarithms of a table of weights to the clique that holds it. */
static void put_weights(sc_junction *junction, sc_clique clique, const double *weights)
{
    const sc_junction_clique *at = &junction->list[sc_junction_find(junction, clique)];
    const size_t cells = (size_t)sc_clique_cells(&junction->columns, clique);
    sc_table_fold fold;
    double logs[256];
    for (size_t i = 0; i < cells; i++)
        logs[i] = weights[i] > 0 ? sc_real_log(weights[i]) : -(double)INFINITY;
    sc_table_fold_set(&junction->columns, at->columns, clique, &fold);
    sc_table_add(&fold, logs, at->table);
}

static void put_edges(const json_t *edges, sc_clique_graph *graph, sc_junction *junction)
{
    const char *name;
    json_t *table;
    /* NOLINTNEXTLINE(performance-no-int-to-ptr): the macro takes no const */
    json_object_foreach((json_t *)(uintptr_t)edges, name, table)
    {
        double weights[64];
        size_t filled = 0, i, j;
        json_t *row, *cell;
        json_array_foreach(table, i, row) json_array_foreach(row, j, cell)
            weights[filled++] = (double)json_integer_value(cell);
        if (graph != NULL)
            sc_clique_graph_add(graph, read_pair(name));
        else
            put_weights(junction, read_pair(name), weights);
    }
}

static void check_pairs(const sc_junction *junction, const json_t *pairs)
{
    const char *name;
    json_t *cells;
    /* NOLINTNEXTLINE(performance-no-int-to-ptr): the macro takes no const */
    json_object_foreach((json_t *)(uintptr_t)pairs, name, cells)
    {
        double got[64];
        REQUIRE_OK(sc_junction_marginal(junction, read_pair(name), got, NULL));
        for (size_t i = 0; i < json_array_size(cells); i++)
            CHECK_NEAR(got[i], fraction(json_array_get(cells, i)), 1e-12);
    }
}

/* A vector of weights on edges: its cliques, and marginals of pairs on and off them. */
static void check_vector(const char *name)
{
    const json_t *vector = vectors_load("synthetic", name);
    sc_synth_columns columns;
    sc_clique_graph graph = {{0}};
    sc_triangulation cliques;
    sc_junction junction;
    REQUIRE(vector != NULL);
    read_columns(json_object_get(vector, "columns"), &columns);
    put_edges(json_object_get(vector, "edge_weights"), &graph, NULL);
    sc_triangulate(&columns, &graph, &cliques);
    const json_t *maximal = json_object_get(vector, "maximal_cliques");
    for (size_t i = 0; i < json_array_size(maximal); i++) {
        sc_clique clique = 0;
        for (size_t j = 0; j < json_array_size(json_array_get(maximal, i)); j++)
            clique |= sc_clique_of((size_t)json_integer_value(
                json_array_get(json_array_get(maximal, i), j)));
        CHECK_INT(cliques.cliques[i], clique);
    }
    if (maximal != NULL) {
        CHECK_INT(cliques.count, json_array_size(maximal));
        CHECK_INT(cliques.cells, vectors_number(vector, "cells"));
    }
    sc_junction_init(&junction);
    REQUIRE_OK(sc_junction_build(&columns, &cliques, &junction, NULL));
    put_edges(json_object_get(vector, "edge_weights"), NULL, &junction);
    CHECK(sc_junction_calibrate(&junction, (double)vectors_number(vector, "total")));
    check_pairs(&junction, json_object_get(vector, "pairs"));
    sc_junction_clear(&junction);
}

TEST(junction_meets_the_vector_of_a_tree)
{
    CLAIM("junction.marginals");
    check_vector("tree_marginals");
}

TEST(junction_meets_the_vector_of_a_cycle)
{
    check_vector("junction_tree");
}

static uint64_t next(uint64_t *state)
{
    uint64_t x = *state += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/* Random cliques of up to three columns with random weights, some of them 0. */
#define CLIQUES_MAX 8
typedef struct random_graph {
    sc_synth_columns columns;
    size_t count;
    sc_clique cliques[CLIQUES_MAX];
    double weights[CLIQUES_MAX][64];
} random_graph;

static void make_graph(random_graph *g, uint64_t *seed)
{
    g->columns.count = 6;
    for (size_t i = 0; i < 6; i++)
        g->columns.sizes[i] = (uint32_t)(1 + next(seed) % 4);
    g->count = 2 + next(seed) % (CLIQUES_MAX - 1);
    for (size_t c = 0; c < g->count; c++) {
        g->cliques[c] = 0;
        for (uint64_t left = 1 + next(seed) % 3; left > 0; left--)
            g->cliques[c] |= sc_clique_of(next(seed) % 6);
        for (size_t i = 0; i < 64; i++)
            g->weights[c][i] =
                next(seed) % 8 == 0 ? 0 : (double)(1 + next(seed) % 1000) / 100;
    }
}

/* The cell of a clique's table that a row is in. */
static size_t cell_of(const sc_synth_columns *columns, sc_clique clique,
                      const uint32_t *row)
{
    size_t cell = 0;
    for (; clique != 0; clique &= clique - 1) {
        const size_t column = sc_clique_first(clique);
        cell = cell * columns->sizes[column] + row[column];
    }
    return cell;
}

/* Every row's weight, summed onto the asked columns; the sum of all. */
static double enumerate(const random_graph *g, sc_clique asked, double *out)
{
    uint32_t row[6] = {0};
    double total = 0;
    memset(out, 0, (size_t)sc_clique_cells(&g->columns, asked) * sizeof *out);
    for (;;) {
        double weight = 1;
        for (size_t c = 0; c < g->count; c++)
            weight *= g->weights[c][cell_of(&g->columns, g->cliques[c], row)];
        out[cell_of(&g->columns, asked, row)] += weight;
        total += weight;
        size_t i = 6;
        while (i-- > 0 && ++row[i] == g->columns.sizes[i])
            row[i] = 0;
        if (i == SIZE_MAX)
            return total;
    }
}

static void check_marginal(const random_graph *g, const sc_junction *junction,
                           sc_clique asked)
{
    static double want[4096], got[4096];
    const double total = enumerate(g, asked, want);
    const size_t cells = (size_t)sc_clique_cells(&g->columns, asked);
    REQUIRE_OK(sc_junction_marginal(junction, asked, got, NULL));
    for (size_t i = 0; i < cells; i++)
        CHECK(fabs(got[i] - want[i] / total * 1000) < 1e-9);
}

static void check_graph(const random_graph *g)
{
    sc_clique_graph graph = {{0}};
    sc_triangulation cliques;
    sc_junction junction;
    double all[1];
    for (size_t c = 0; c < g->count; c++)
        sc_clique_graph_add(&graph, g->cliques[c]);
    sc_triangulate(&g->columns, &graph, &cliques);
    sc_junction_init(&junction);
    REQUIRE_OK(sc_junction_build(&g->columns, &cliques, &junction, NULL));
    for (size_t c = 0; c < g->count; c++)
        put_weights(&junction, g->cliques[c], g->weights[c]);
    const bool is_possible = enumerate(g, 0, all) > 0;
    CHECK(sc_junction_calibrate(&junction, 1000) == is_possible);
    for (sc_clique asked = 1; asked < 64 && is_possible; asked++)
        check_marginal(g, &junction, asked);
    sc_junction_clear(&junction);
}

TEST(junction_agrees_with_enumeration)
{
    CLAIM("junction.marginals");
    uint64_t seed = check_seed();
    for (uint64_t left = check_count(60, 2000); left > 0; left--) {
        random_graph g;
        make_graph(&g, &seed);
        check_graph(&g);
    }
}

TEST(junction_refuses_too_many_cells)
{
    const sc_synth_columns columns = {3, {4096, 4096, 4096}};
    sc_clique_graph graph = {{0}};
    sc_triangulation cliques;
    sc_junction junction;
    sc_clique_graph_add(&graph, 7);
    sc_triangulate(&columns, &graph, &cliques);
    CHECK_INT(cliques.cells, (uint64_t)1 << 36);
    sc_junction_init(&junction);
    CHECK_STATUS(sc_junction_build(&columns, &cliques, &junction, NULL), SCRIM_E_LIMIT);
    CHECK_INT(junction.count, 0);
}

/* Marginals of all six columns need every clique and a table of all. */
TEST(junction_survives_without_memory)
{
    uint64_t seed = 7;
    random_graph g;
    make_graph(&g, &seed);
    FAULT_LOOP(fault)
    {
        sc_clique_graph graph = {{0}};
        sc_triangulation cliques;
        sc_junction junction;
        static double out[4096];
        sc_triangulate(&g.columns, &graph, &cliques);
        sc_junction_init(&junction);
        scrim_status status = sc_junction_build(&g.columns, &cliques, &junction, NULL);
        if (status == SCRIM_OK && sc_junction_calibrate(&junction, 10))
            status = sc_junction_marginal(&junction, 63, out, NULL);
        CHECK(status == (fault_hit() ? SCRIM_E_MEMORY : SCRIM_OK));
        sc_junction_clear(&junction);
    }
}
