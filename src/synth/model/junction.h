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
#ifndef SC_SYNTH_JUNCTION_H
#define SC_SYNTH_JUNCTION_H

#include "synth/model/table_axes.h"
#include "synth/model/triangulation.h"

typedef struct sc_junction_clique {
    sc_clique columns, separator; /* the separator from the parent; empty at the root */
    sc_clique below, beyond;      /* columns of its branch, and of the rest of the tree */
    size_t parent;                /* its own index at the root */
    size_t cells;
    double *table;
    sc_table_fold own, above; /* own table and the parent's, onto the separator */
    double *message;          /* [separator cells] sent up, divided by scale */
    double scale;
    double *ratio; /* [separator cells] */
} sc_junction_clique;

typedef struct sc_junction {
    sc_synth_columns columns;
    size_t count;
    sc_junction_clique list[SC_SYNTH_COLUMNS_MAX]; /* parents before children */
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
/* From logarithms of potentials in the tables (-inf is allowed) to marginals of sum total. False where
 * nothing is possible; then the tables hold anything. */
bool sc_junction_calibrate(sc_junction *junction, double total);

#endif
