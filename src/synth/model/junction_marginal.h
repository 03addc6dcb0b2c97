/* Marginals of a junction tree, also of columns that no clique holds together.
 *
 * Inside a clique: a sum. Across cliques: each branch that has columns of the question beyond those of the clique
 * before it is eliminated into their conditional distribution given the separator. A clique is first summed onto the
 * columns that matter: those of the question, and the separators to its neighbours that matter.
 */
#ifndef SC_SYNTH_JUNCTION_MARGINAL_H
#define SC_SYNTH_JUNCTION_MARGINAL_H

#include "synth/model/junction.h"

/* The junction is calibrated. SCRIM_E_LIMIT where a table of elimination has more than SC_SYNTH_CELLS_MAX cells;
 * SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_junction_marginal(const sc_junction *junction,
                                                 sc_clique clique, double *out,
                                                 scrim_error *error);

#endif
