#include "check.h"
#include "synth/model/triangulation.h"

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
