/* Junction trees: their cliques, their tables, and marginals of them. */
#ifndef SC_SYNTH_JUNCTION_H
#define SC_SYNTH_JUNCTION_H

#include "synth/model/clique.h"
#include "synth/model/table_axes.h"

/* The cliques of a junction tree, from sets of columns that must stay together.
 *
 * Columns of a set are joined by edges; the graph is triangulated by eliminating, again and again,
 * the column that adds the fewest edges, then the one whose clique has the smallest table, then
 * the one of the lowest index. The cliques are the maximal ones, in the order of elimination;
 * every column is in at least one.
 *
 * Reference  spec/synthetic.md 3, model size
 */

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

/* A junction tree: tables over cliques that agree on the columns they share.
 *
 * Its product over cliques, divided by that over separators, is a distribution over all columns. The tree
 * is a maximum spanning tree over the sizes of separators; parts without a common column hang together by an
 * empty separator.
 *
 * Claim  junction.marginals  after sc_junction_calibrate each table is the marginal of the normalised product
 *                            of the exponentials that the tables held, but for rounding
 *
 * Reference  Jensen, Lauritzen, Olesen 1990 (Hugin); spec/synthetic.md 3
 */

typedef struct sc_junction_clique {
    sc_clique columns, separator; /* the separator from the parent; empty at the root */
    sc_clique below, beyond;      /* columns of its branch, and of the rest of the tree */
    size_t parent;                /* its own index at the root */
    size_t cells;
    double *table;
    sc_table_fold own,
        above; /* how the own table, and the parent's, are summed onto the separator */
    double *message; /* [separator cells] to the parent, divided by scale */
    double scale;
    double
        *ratio; /* [separator cells] from the parent: its sums divided by the message */
} sc_junction_clique;

typedef struct sc_junction {
    sc_synth_columns columns;
    size_t count;
    sc_junction_clique *
        list; /* [count], parents before children; too large for the stack of a host's thread */
} sc_junction;

void sc_junction_init(sc_junction *junction);
void sc_junction_clear(sc_junction *junction);
/* Tables of the cliques, all 0. SCRIM_E_LIMIT above SC_SYNTH_CELLS_MAX cells, SCRIM_E_MEMORY. out is
 * initialised and is filled on success only. */
SCRIM_MUST_USE scrim_status sc_junction_build(const sc_synth_columns *columns,
                                              const sc_triangulation *cliques,
                                              sc_junction *out, scrim_error *error);
/* The clique of the fewest cells that holds these columns; count where none does. */
size_t sc_junction_find(const sc_junction *junction, sc_clique clique);
/* From logarithms of potentials in the tables (-inf is allowed) to marginals of sum total. False if
 * every cell has probability 0; the tables are then undefined. */
bool sc_junction_calibrate(sc_junction *junction, double total);

/* Marginals of a junction tree, also of columns that no clique holds together.
 *
 * Inside a clique: a sum. Across cliques: each branch that has columns of the question beyond those of the clique
 * before it is eliminated into their conditional distribution given the separator. A clique is first summed onto the
 * columns that matter: those of the question, and the separators to its neighbours that matter.
 */

/* The junction is calibrated. SCRIM_E_LIMIT where a table of elimination has more than SC_SYNTH_CELLS_MAX cells;
 * SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_junction_marginal(const sc_junction *junction,
                                                 sc_clique clique, double *out,
                                                 scrim_error *error);

#endif
