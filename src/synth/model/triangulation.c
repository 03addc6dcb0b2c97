#include "synth/model/triangulation.h"

#include "base/checked.h"

void sc_clique_graph_add(sc_clique_graph *graph, sc_clique clique)
{
    for (sc_clique rest = clique; rest != 0; rest &= rest - 1) {
        const size_t column = sc_clique_first(rest);
        graph->joined[column] |= clique & ~sc_clique_of(column);
    }
}

/* Twice the number of edges that eliminating a column adds. */
static unsigned fill_of(const sc_clique_graph *graph, size_t column)
{
    const sc_clique around = graph->joined[column];
    unsigned missing = 0;
    for (sc_clique rest = around; rest != 0; rest &= rest - 1) {
        const size_t other = sc_clique_first(rest);
        missing += sc_clique_count(around & ~graph->joined[other] & ~sc_clique_of(other));
    }
    return missing;
}

static size_t choose(const sc_synth_columns *columns, const sc_clique_graph *graph,
                     sc_clique left)
{
    size_t best = SC_SYNTH_COLUMNS_MAX;
    unsigned best_fill = 0;
    uint64_t best_cells = 0;
    for (sc_clique rest = left; rest != 0; rest &= rest - 1) {
        const size_t column = sc_clique_first(rest);
        const unsigned fill = fill_of(graph, column);
        if (best != SC_SYNTH_COLUMNS_MAX && fill > best_fill)
            continue;
        const uint64_t cells =
            sc_clique_cells(columns, graph->joined[column] | sc_clique_of(column));
        if (best != SC_SYNTH_COLUMNS_MAX && fill == best_fill && cells >= best_cells)
            continue;
        best = column;
        best_fill = fill;
        best_cells = cells;
    }
    return best;
}

/* A clique that eliminating makes is maximal unless an earlier one holds it: a later one lacks the
 * eliminated column. */
static void keep_clique(const sc_synth_columns *columns, sc_clique clique,
                        sc_triangulation *out)
{
    if (sc_triangulation_holds(out, clique))
        return;
    out->cliques[out->count++] = clique;
    if (!sc_uint64_add(out->cells, sc_clique_cells(columns, clique), &out->cells))
        out->cells = UINT64_MAX;
}

void sc_triangulate(const sc_synth_columns *columns, const sc_clique_graph *graph,
                    sc_triangulation *out)
{
    sc_clique_graph work = *graph;
    sc_clique left = sc_synth_columns_all(columns);
    out->count = 0;
    out->cells = 0;
    while (left != 0) {
        const size_t column = choose(columns, &work, left);
        const sc_clique around = work.joined[column];
        keep_clique(columns, around | sc_clique_of(column), out);
        sc_clique_graph_add(&work, around);
        for (sc_clique rest = around; rest != 0; rest &= rest - 1)
            work.joined[sc_clique_first(rest)] &= ~sc_clique_of(column);
        left &= ~sc_clique_of(column);
    }
}

bool sc_triangulation_holds(const sc_triangulation *triangulation, sc_clique clique)
{
    for (size_t i = 0; i < triangulation->count; i++)
        if (sc_clique_is_inside(clique, triangulation->cliques[i]))
            return true;
    return false;
}
