/* The cliques of a junction tree, from sets of columns that must stay together.
 *
 * Columns of a set are joined by edges; the graph is triangulated by eliminating, again and again,
 * the column that adds the fewest edges, of these the one whose clique has the smallest table, of
 * these the one of the lowest index. The cliques are the maximal ones, in the order of elimination;
 * every column is in at least one.
 *
 * Reference  spec/synthetic.md 3, model size
 */
#ifndef SC_SYNTH_TRIANGULATION_H
#define SC_SYNTH_TRIANGULATION_H

#include "synth/model/clique.h"

/* The columns that each column is joined with; its own bit is not set. */
typedef struct sc_clique_graph {
    sc_clique joined[SC_SYNTH_COLUMNS_MAX];
} sc_clique_graph;

void sc_clique_graph_add(sc_clique_graph *graph, sc_clique clique);

typedef struct sc_triangulation {
    sc_clique cliques[SC_SYNTH_COLUMNS_MAX];
    size_t count;
    uint64_t cells; /* of all tables together; UINT64_MAX where it does not fit */
} sc_triangulation;

void sc_triangulate(const sc_synth_columns *columns, const sc_clique_graph *graph,
                    sc_triangulation *out);
/* Is the set inside one of the cliques? */
bool sc_triangulation_holds(const sc_triangulation *triangulation, sc_clique clique);

#endif
